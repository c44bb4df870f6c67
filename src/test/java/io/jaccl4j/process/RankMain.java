package io.jaccl4j.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/**
 * One rank as a process: does what standard input says and answers with lines that begin with '#'.
 * Ends with its input.
 */
final class RankMain {
  private final ActorSystem<Void> system;
  private final GroupSettings settings;

  private RankMain(ActorSystem<Void> system, GroupSettings settings) {
    this.system = system;
    this.settings = settings;
  }

  /** Arguments: name and size of the group, directory of its memory, heartbeat pause in ms. */
  public static void main(String[] args) throws IOException {
    Config config =
        ConfigFactory.parseString(
                "jaccl4j.memory.shm-directory = \""
                    + Path.of(args[2])
                    + "\"\njaccl4j.unreachable-timeout = "
                    + ProcessGroup.UNREACHABLE_TIMEOUT.toMillis()
                    + "ms\npekko.cluster.failure-detector.acceptable-heartbeat-pause = "
                    + Long.parseLong(args[3])
                    + "ms")
            .withFallback(ConfigFactory.parseResources("io/jaccl4j/cli/demo.conf"))
            .withFallback(ConfigFactory.load());
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "ranks", config);
    GroupSettings settings =
        JacclExtension.get(system).settings(args[0], Integer.parseInt(args[1]));
    say("address", Cluster.get(system).selfMember().address().toString());
    new RankMain(system, settings).serve();
    system.terminate();
  }

  private static synchronized void say(String what, String text) {
    System.out.println("#" + what + " " + text.replace('\n', ' '));
    System.out.flush();
  }

  private void serve() throws IOException {
    Group group = null;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "join" -> group = join(words[1]);
        case "sweep" -> report("sweep", group.run(OperationSweep::run));
        case "allsum" -> report("allsum", allSum(group, Long.parseLong(words[1])));
        case "close" -> {
          group.close();
          say("closed", "now");
        }
        default -> throw new IllegalArgumentException(line);
      }
    }
  }

  private Group join(String address) {
    Cluster.get(system).manager().tell(Join.create(AddressFromURIString.parse(address)));
    Group group = JacclExtension.get(system).join(settings).toCompletableFuture().join();
    say("ready", group.rank() + " " + group.epoch());
    report("terminated", group.terminated());
    return group;
  }

  private static CompletionStage<Integer> allSum(Group group, long count) {
    MemorySegment data = Arena.ofAuto().allocate(4 * count, 64);
    for (long i = 0; i < count; i++) {
      data.setAtIndex(ValueLayout.JAVA_INT, i, group.rank() + 1);
    }
    return group
        .allSumAsync(data, data, Dtype.INT32)
        .thenApply(done -> data.getAtIndex(ValueLayout.JAVA_INT, count - 1));
  }

  private static void report(String what, CompletionStage<?> stage) {
    stage.whenComplete(
        (value, failure) -> {
          Throwable cause =
              failure != null && failure.getCause() != null ? failure.getCause() : failure;
          say(
              what,
              cause == null
                  ? "ok " + value
                  : "failed " + cause.getClass().getSimpleName() + " " + cause.getMessage());
        });
  }
}
