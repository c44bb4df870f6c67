package io.jaccl4j.lifecycle;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A program with two members and two groups that ends in one of several ways. */
final class ProcessEndMain {
  static final String WORKING = "working";
  static final int EXIT_CODE = 7;

  enum Ending {
    /** Closes its groups, shuts its systems down, and returns from its main method. */
    RETURN,
    /** The same in the opposite order. */
    RETURN_WITHOUT_CLOSING,
    /** {@code System.exit} on the main thread, with groups open. */
    EXIT,
    /** {@code System.exit} in an actor, while an operation waits. */
    EXIT_IN_ACTOR,
    /** Waits for SIGTERM, while an operation waits. */
    SIGNAL,
    /** Ends without anything that a program can do about it. */
    HALT
  }

  private ProcessEndMain() {}

  /** Ending, and where groups have their files. */
  public static void main(String[] arguments) {
    TwoMembers members =
        TwoMembers.start(
            true,
            settings ->
                settings
                    .withFabric("shm")
                    .withMemory(
                        new GroupSettings.Memory(64 << 10, 1 << 20, Path.of(arguments[1]))));
    members.form("first");
    members.form("second");
    System.out.println(WORKING);
    switch (Ending.valueOf(arguments[0])) {
      case RETURN -> {
        members.close(0);
        members.close(1);
        List.of(members.shutDown(0), members.shutDown(1)).forEach(TwoMembers::get);
      }
      case RETURN_WITHOUT_CLOSING ->
          List.of(members.terminate(0), members.terminate(1)).forEach(TwoMembers::get);
      case EXIT -> System.exit(EXIT_CODE);
      case EXIT_IN_ACTOR -> {
        waitForNobody(members.groups(0).getFirst());
        members
            .system(0)
            .systemActorOf(
                Behaviors.setup(
                    context -> {
                      System.exit(EXIT_CODE);
                      return Behaviors.empty();
                    }),
                "exits",
                Props.empty());
        sleepForever();
      }
      case SIGNAL -> {
        waitForNobody(members.groups(0).getFirst());
        System.out.println("waiting");
        sleepForever();
      }
      case HALT -> Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static void waitForNobody(Group group) {
    MemorySegment data = Arena.ofAuto().allocate(Integer.BYTES);
    group.allSumAsync(data, data, Dtype.INT32);
  }

  private static void sleepForever() {
    while (true) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
  }
}
