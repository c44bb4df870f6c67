package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class RankProcessesTest {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final List<String> log = new CopyOnWriteArrayList<>();

  @Test
  void shouldTellTheExitCodeAfterEverythingThatWasPrinted() throws Exception {
    try (RankProcesses processes = start(1, GRACE, number -> TestProcess.command("exit", "7"))) {
      assertThat(processes.next(WAIT_NANOS)).contains(new ProcessEvent.Exited(0, 7));
      assertThat(processes.log(0)).contains("an ordinary line", "a line of the log");
      assertThat(log).contains("0: an ordinary line", "0: a line of the log");
    }
  }

  @Test
  void shouldCarryMessagesBothWays() throws Exception {
    try (RankProcesses processes = start(1, GRACE, number -> TestProcess.command("echo-join"))) {
      processes.send(0, RankProtocol.encodeJoin("pekko://x"));
      assertThat(processes.next(WAIT_NANOS))
          .contains(new ProcessEvent.Said(0, new RankMessage.Listening("pekko://x")));
      assertThat(processes.next(WAIT_NANOS)).contains(new ProcessEvent.Exited(0, 0));
    }
  }

  @Test
  void shouldReportAnUnreadableMessageAsAFailure() throws Exception {
    try (RankProcesses processes = start(1, GRACE, number -> TestProcess.command("garble"))) {
      ProcessEvent.Said said = (ProcessEvent.Said) processes.next(WAIT_NANOS).orElseThrow();
      assertThat(said.message())
          .isInstanceOfSatisfying(
              RankMessage.Failed.class, failed -> assertThat(failed.reason()).contains("dance"));
    }
  }

  @Test
  void shouldEndProcessesThatHang() throws Exception {
    List<ProcessHandle> handles;
    try (RankProcesses processes = start(2, GRACE, number -> TestProcess.command("hang"))) {
      awaitMessages(processes, 2);
      handles = handles(processes);
      assertThat(handles).allMatch(ProcessHandle::isAlive);
    }
    assertThat(handles).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void shouldKillAProcessThatDoesNotEndInTime() throws Exception {
    RankProcesses processes =
        start(1, Duration.ofMillis(500), number -> TestProcess.command("hang-in-shutdown"));
    awaitMessages(processes, 1);
    List<ProcessHandle> handles = handles(processes);
    processes.close();
    assertThat(processes.log(0)).contains("hanging");
    assertThat(handles).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void shouldEndThoseThatRunWhenOneCannotBeStarted() {
    long before = ProcessHandle.current().children().count();
    assertThatThrownBy(
            () ->
                start(
                    2,
                    GRACE,
                    number ->
                        number == 0 ? TestProcess.command("hang") : List.of("/no/such/program")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/program");
    assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
  }

  @Test
  void shouldReturnNothingWhenTheTimeIsOver() throws Exception {
    try (RankProcesses processes = start(1, GRACE, number -> TestProcess.command("hang"))) {
      awaitMessages(processes, 1);
      assertThat(processes.next(1)).isEmpty();
    }
  }

  @Test
  void shouldLeaveNoProcessWhenTheParentIsKilled() throws Exception {
    try (RankProcesses parents = start(1, GRACE, number -> TestProcess.command("parent"))) {
      ProcessEvent.Said said = (ProcessEvent.Said) parents.next(WAIT_NANOS).orElseThrow();
      long childPid = Long.parseLong(((RankMessage.Listening) said.message()).address());
      ProcessHandle child = ProcessHandle.of(childPid).orElseThrow();
      assertThat(child.isAlive()).isTrue();

      handles(parents).getFirst().destroyForcibly();
      assertThat(parents.next(WAIT_NANOS)).contains(new ProcessEvent.Exited(0, 137));
      await().atMost(Duration.ofSeconds(20)).until(() -> !child.isAlive());
    }
  }

  private RankProcesses start(int count, Duration grace, IntFunction<List<String>> commandOf)
      throws IOException {
    return RankProcesses.start(
        count, commandOf, grace, (number, line) -> log.add(number + ": " + line), () -> {});
  }

  private static void awaitMessages(RankProcesses processes, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      assertThat(processes.next(WAIT_NANOS).orElseThrow()).isInstanceOf(ProcessEvent.Said.class);
    }
  }

  private static List<ProcessHandle> handles(RankProcesses processes) {
    return IntStream.range(0, processes.count())
        .mapToObj(number -> ProcessHandle.of(processes.pid(number)).orElseThrow())
        .toList();
  }
}
