package io.jaccl4j.cli;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.Transport;
import io.jaccl4j.cli.bench.sockets.FreePorts;
import io.jaccl4j.cli.bench.sockets.Wiring;
import io.jaccl4j.ring.MlxRing;
import io.jaccl4j.ring.RingHosts;
import io.jaccl4j.ring.RingOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** MLX's TCP ring with extensions, ranks of one machine, one connection to each neighbour. */
final class RingTransport implements Transport {
  static final String LABEL = "ring";

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(30);

  private final MlxRing ring;

  private RingTransport(MlxRing ring) {
    this.ring = ring;
  }

  /** Connects the ring over the loopback interface, on ports that are free now. */
  static Opener over(Duration connectTimeout) {
    return session ->
        new RingTransport(
            MlxRing.connect(
                hosts(session),
                session.rank(),
                RingOptions.of(connectTimeout, OPERATION_TIMEOUT).withExtensions(true)));
  }

  private static RingHosts hosts(Session session) {
    return new RingHosts(FreePorts.agree(session).stream().map(List::of).toList());
  }

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public Optional<Wiring> wiring() {
    return Optional.of(Wiring.RING);
  }

  @Override
  public String describe() {
    return ring.describe();
  }

  @Override
  public <T> CompletionStage<T> run(Function<Session, T> function) {
    return ring.run(function);
  }

  @Override
  public void close() {
    ring.close();
  }
}
