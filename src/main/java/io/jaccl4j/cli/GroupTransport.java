package io.jaccl4j.cli;

import io.jaccl4j.Group;
import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.Transport;
import io.jaccl4j.cli.job.RankJob;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A further group of the same ranks, over a fabric of its own. */
final class GroupTransport implements Transport {
  /** The library answers at its own deadline; this is for the case that it does not. */
  private static final Duration ANSWER_SLACK = Duration.ofSeconds(10);

  private final String label;
  private final Group group;

  private GroupTransport(String label, Group group) {
    this.label = label;
    this.group = group;
  }

  /**
   * Forms the group.
   *
   * @param formTimeout deadline of the group, as in its settings
   */
  static Opener over(String fabric, RankJob.Groups groups, Duration formTimeout) {
    return session -> {
      try {
        Group group =
            groups
                .join(
                    settings ->
                        settings.withName(settings.name() + "-" + fabric).withFabric(fabric))
                .toCompletableFuture()
                .get(formTimeout.plus(ANSWER_SLACK).toNanos(), TimeUnit.NANOSECONDS);
        return new GroupTransport(fabric, group);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(e.getCause());
      } catch (TimeoutException e) {
        throw new IllegalStateException(
            "no group over " + fabric + " after " + formTimeout.plus(ANSWER_SLACK), e);
      }
    };
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String describe() {
    return group.describe();
  }

  @Override
  public <T> CompletionStage<T> run(Function<Session, T> function) {
    return group.run(function);
  }

  @Override
  public void close() {
    group.close();
  }
}
