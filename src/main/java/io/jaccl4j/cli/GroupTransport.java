package io.jaccl4j.cli;

import io.jaccl4j.Group;
import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.Transport;
import io.jaccl4j.cli.bench.sockets.Wiring;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A further group of the same ranks, over a fabric of its own. */
final class GroupTransport implements Transport {
  private static final String SOCKETS = "tcp";

  private final String label;
  private final Group group;

  private GroupTransport(String label, Group group) {
    this.label = label;
    this.group = group;
  }

  /**
   * Forms the group, which has a deadline of its own.
   *
   * @param patience for the case that the library does not keep that deadline
   */
  static Opener over(String fabric, RankJob.Groups groups, Duration patience) {
    return session ->
        new GroupTransport(
            fabric,
            Stages.await(
                groups.join(
                    settings ->
                        settings.withName(settings.name() + "-" + fabric).withFabric(fabric)),
                patience,
                "forming a group over " + fabric));
  }

  @Override
  public String label() {
    return label;
  }

  /** A mesh: comparisons leave the choice of a topology to the library. */
  @Override
  public Optional<Wiring> wiring() {
    return label.equals(SOCKETS) ? Optional.of(Wiring.MESH) : Optional.empty();
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
