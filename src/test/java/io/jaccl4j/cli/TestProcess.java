package io.jaccl4j.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Processes that behave as a test wants. */
final class TestProcess {

  private TestProcess() {}

  static List<String> command(String... arguments) {
    return JavaCommand.of(TestProcess.class.getName(), List.of(arguments));
  }

  public static void main(String[] arguments) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    switch (arguments[0]) {
      case "exit" -> {
        System.out.println("an ordinary line");
        System.err.println("a line of the log");
        System.exit(Integer.parseInt(arguments[1]));
      }
      case "hang" -> {
        System.out.println(RankProtocol.encode(new RankMessage.MemberUp()));
        never.await();
      }
      case "hang-in-shutdown" -> {
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      System.out.println("hanging");
                      awaitForever(never);
                    }));
        System.out.println(RankProtocol.encode(new RankMessage.MemberUp()));
        never.await();
      }
      case "echo-join" -> {
        ParentLink parent = ParentLink.open(System.in, System.out, () -> {});
        String seed = parent.awaitSeed(Duration.ofSeconds(20));
        parent.send(new RankMessage.Listening(seed));
      }
      case "end-with-parent" -> {
        ParentLink parent = ParentLink.open(System.in, System.out, () -> System.exit(0));
        parent.send(new RankMessage.Listening(Long.toString(ProcessHandle.current().pid())));
        never.await();
      }
      case "parent" -> {
        RankProcesses child =
            RankProcesses.start(
                1,
                number -> command("end-with-parent"),
                Duration.ofSeconds(5),
                (number, line) -> System.err.println(line),
                () -> {});
        ProcessEvent event = child.next(Duration.ofSeconds(20).toNanos()).orElseThrow();
        System.out.println(RankProtocol.encode(((ProcessEvent.Said) event).message()));
        never.await();
      }
      case "garble" -> {
        System.out.println("@jaccl4j\tdance");
        never.await();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void awaitForever(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
