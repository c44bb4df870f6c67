package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures how long it takes until everyone knows of a loss, and checks what they are told. */
final class Losses {
  private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

  private final ChildRank victim;
  private final List<ChildRank> survivors;
  private final List<CompletableFuture<Timed>> reports;

  /** An answer and when it came. */
  private record Timed(Answer answer, long nanos) {}

  private Losses(ChildRank victim, List<ChildRank> survivors, String command) {
    this.victim = victim;
    this.survivors = survivors;
    this.reports =
        survivors.stream()
            .map(
                survivor ->
                    survivor.ask(command).thenApply(answer -> new Timed(answer, System.nanoTime())))
            .toList();
  }

  /** The survivors do something that the loss will end. */
  static Losses of(ChildRank victim, List<ChildRank> survivors, String command) {
    return new Losses(victim, survivors, command);
  }

  /** Waits until every survivor has failed, and fails unless that was soon enough. */
  List<Answer> within(Duration bound, long sinceNanos, String what) {
    List<Timed> timed = reports.stream().map(CompletableFuture::join).toList();
    List<Long> millis =
        timed.stream().map(each -> (each.nanos() - sinceNanos) / 1_000_000).toList();
    LOG.info("{}: survivors failed after {} ms, bound {} ms", what, millis, bound.toMillis());
    assertThat(millis).allMatch(each -> each <= bound.toMillis());
    return timed.stream().map(Timed::answer).toList();
  }

  /** Every survivor names the victim, and none is told that its group is still ready. */
  void checkNamed(List<Answer> answers) {
    assertThat(answers).hasSameSizeAs(survivors);
    answers.forEach(this::checkNamed);
  }

  /** One survivor names the victim, and is not told that its group is still ready. */
  void checkNamed(Answer answer) {
    assertThat(answer.ok()).isFalse();
    assertThat(answer.text("exception")).isEqualTo("PeerLostException");
    assertThat(answer.text("kind")).isEqualTo("PEER_LOST");
    assertThat(answer.number("rank")).isEqualTo(victim.number());
    assertThat(answer.text("address")).isEqualTo(victim.address());
    assertThat(answer.text("message"))
        .contains("rank %d (%s".formatted(victim.number(), victim.address()));
    assertThat(answer.text("health")).isEqualTo("FAILED");
  }
}
