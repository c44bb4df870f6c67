package io.jaccl4j.cli;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.Timing;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * A process that says what a rank says, without cluster and group: the parent cannot tell. The
 * ranks are the process numbers in reverse.
 */
final class ScriptedRank {
  static final String FINE = "fine";
  static final String CRASH = "crash";
  static final String SILENT = "silent";
  static final String NEVER_LISTENS = "never-listens";
  static final String GIVES_UP = "gives-up";
  static final String WRONG_RESULT = "wrong-result";
  static final String OTHER_EPOCH = "other-epoch";
  static final String INTERRUPTED = "interrupted";
  static final String WORKS_FOR_EVER = "works-for-ever";
  static final String DIES_LEAVING = "dies-leaving";

  private ScriptedRank() {}

  static List<String> command(int number, int size, String behaviour) {
    return JavaCommand.of(
        ScriptedRank.class.getName(),
        List.of(Integer.toString(number), Integer.toString(size), behaviour));
  }

  public static void main(String[] arguments) throws Exception {
    int number = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    String behaviour = arguments[2];
    CountDownLatch never = new CountDownLatch(1);
    if (behaviour.equals(NEVER_LISTENS)) {
      never.await();
    }
    ParentLink parent = ParentLink.open(System.in, System.out, () -> System.exit(130));
    parent.send(new RankMessage.Listening(address(number)));
    String seed = parent.awaitSeed(Duration.ofSeconds(30));
    if (!seed.equals(address(0))) {
      throw new AssertionError("told to join " + seed);
    }
    parent.send(new RankMessage.MemberUp());
    if (behaviour.equals(SILENT)) {
      never.await();
    }
    int rank = size - 1 - number;
    long epoch = behaviour.equals(OTHER_EPOCH) ? 2 : 1;
    parent.send(new RankMessage.Event(new GroupEvent.RanksAssigned(epoch, rank, members(size))));
    parent.send(new RankMessage.Event(new GroupEvent.LinksUp("scripted", size - 1, "no links")));
    parent.send(new RankMessage.Event(new GroupEvent.Ready(1, 1)));
    switch (behaviour) {
      case CRASH -> {
        System.err.println("about to crash");
        System.exit(7);
      }
      case GIVES_UP -> {
        parent.send(new RankMessage.Failed(3, "the deadline passed"));
        never.await();
      }
      case INTERRUPTED -> System.exit(130);
      case WORKS_FOR_EVER -> never.await();
      default -> {}
    }
    parent.send(new RankMessage.Doing("measuring"));
    if (rank == 0) {
      parent.send(
          new RankMessage.Measured(
              new Measurement(
                  Operation.ALL_SUM,
                  Dtype.FLOAT32,
                  "shm",
                  Mode.SESSION,
                  size,
                  8,
                  2,
                  new Timing(1, 1, 1, 1, 1),
                  0,
                  1)));
    }
    boolean ok = !behaviour.equals(WRONG_RESULT);
    parent.send(
        new RankMessage.StepDone(
            new StepResult(
                "Some step",
                List.of("value"),
                List.of(
                    new StepResult.Row(
                        List.of("42"),
                        List.of(new Check("the value", ok ? "42" : "41", "42", ok)))),
                "a note")));
    parent.send(new RankMessage.Finished(ok ? 0 : 1));
    System.exit(behaviour.equals(DIES_LEAVING) ? 9 : ok ? 0 : 1);
  }

  private static List<GroupMember> members(int size) {
    return IntStream.range(0, size)
        .mapToObj(rank -> new GroupMember(rank, address(size - 1 - rank), 1, "here"))
        .toList();
  }

  private static String address(int number) {
    return "scripted://" + number;
  }
}
