package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.cli.bench.sockets.Wiring;
import io.jaccl4j.cli.job.Stages;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TransportComparisonTest {
  private static final BenchmarkPlan PLAN =
      new BenchmarkPlan(
          Operation.ALL_SUM,
          Dtype.FLOAT32,
          List.of(4L, 4096L),
          false,
          true,
          false,
          List.of(Mode.SESSION),
          Effort.ofTime(Duration.ofMillis(3)));

  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void shouldMeasureEveryTransportAndBareSocketsAtEverySize() {
    for (Outcome outcome : compare(2, this::over)) {
      assertThat(outcome.measurements)
          .extracting(Measurement::transport)
          .containsExactly(
              "tcp",
              "ring",
              "sockets-mesh",
              "sockets-ring",
              "tcp",
              "ring",
              "sockets-mesh",
              "sockets-ring");
      assertThat(outcome.measurements)
          .extracting(Measurement::bytes)
          .containsExactly(4L, 4L, 4L, 4L, 4096L, 4096L, 4096L, 4096L);
      assertThat(outcome.measurements)
          .allSatisfy(one -> assertThat(one.timing().medianNanos()).isPositive());
      assertThat(outcome.steps).hasSize(2);
      assertThat(outcome.steps.getFirst().rows().getLast().cells().getLast()).startsWith("test://");
      StepResult step = outcome.steps.getLast();
      assertThat(step.header())
          .containsExactly(
              "bytes",
              "tcp",
              "ring",
              "sockets-mesh",
              "sockets-ring",
              "tcp/sockets-mesh",
              "ring/sockets-ring");
      assertThat(step.rows()).hasSize(2);
      assertThat(step.note())
          .contains("raw round trip of 4 bytes")
          .contains("all_sum of 4 bytes over ring: ");
    }
    assertThat(closed).hasValue(4);
  }

  @Test
  void shouldCloseWhatWasOpenedWhenTheNextCannotBe() {
    assertThatThrownBy(
            () ->
                compare(
                    2,
                    (label, group) ->
                        label.equals("tcp")
                            ? over(label, group)
                            : session -> {
                              throw new IllegalStateException("no ring today");
                            }))
        .hasStackTraceContaining("no ring today");
    assertThat(closed).hasValue(2);
  }

  @Test
  void shouldComputeSharesOfBandwidthFromTimesOfTheSameRow() {
    ComparisonTable table =
        new ComparisonTable(
            PLAN, 2, 2, List.of(named("tcp", Wiring.MESH), named("ring", Wiring.RING)));
    table.add(
        4,
        List.of(
            measured("tcp", 4, 40_000),
            measured("ring", 4, 12_000),
            measured("sockets-mesh", 4, 10_000),
            measured("sockets-ring", 4, 9_000)));
    StepResult step = table.result(8_000);
    assertThat(step.rows().getFirst().cells().subList(5, 7)).containsExactly("0.25", "0.75");
    assertThat(step.note())
        .contains("all_sum of 4 bytes over tcp: 5.00 of it")
        .contains("all_sum of 4 bytes over ring: 1.50 of it");
  }

  @Test
  void shouldSayWhichSizeOverWhichTransportTakesTooLong() {
    CompletableFuture<Object> never = new CompletableFuture<>();
    assertThatThrownBy(
            () -> Stages.await(never, Duration.ofMillis(1), "all_sum of 4 bytes over tcp"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all_sum of 4 bytes over tcp took more than 1 ms")
        .hasMessageContaining("--work-timeout");
  }

  private static Measurement measured(String transport, long bytes, double nanos) {
    return new Measurement(
        Operation.ALL_SUM,
        Dtype.FLOAT32,
        transport,
        Mode.SESSION,
        2,
        bytes,
        1,
        new Timing(1, 1, nanos, nanos, nanos),
        Measurement.NOT_CHECKED,
        Measurement.NOT_MEASURED);
  }

  private record Outcome(List<StepResult> steps, List<Measurement> measurements) {}

  @FunctionalInterface
  private interface Openers {
    Transport.Opener of(String label, Group group);
  }

  /** Two groups of the same ranks under other names, beside the one that coordinates. */
  private List<Outcome> compare(int ranks, Openers openers) {
    try (LocalRanks base = LocalRanks.form(TestSettings.of("base", ranks));
        LocalRanks first = LocalRanks.form(TestSettings.of("first", ranks));
        LocalRanks second = LocalRanks.form(TestSettings.of("second", ranks))) {
      List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        Group group = base.rank(rank).group();
        List<Transport.Opener> ofRank =
            List.of(
                openers.of("tcp", first.rank(rank).group()),
                openers.of("ring", second.rank(rank).group()));
        outcomes.add(CompletableFuture.supplyAsync(() -> compare(group, ofRank)));
      }
      return outcomes.stream().map(CompletableFuture::join).toList();
    }
  }

  private static Outcome compare(Group group, List<Transport.Opener> openers) {
    Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
    CollectiveBenchmark.Listener listener =
        new CollectiveBenchmark.Listener() {
          @Override
          public void measuring(String what) {
            assertThat(what).matches("(warming up with|measuring) all_sum of [0-9]+ bytes over .+");
          }

          @Override
          public void measured(Measurement measurement) {
            outcome.measurements.add(measurement);
          }
        };
    new TransportComparison(PLAN, openers, 1, Duration.ofSeconds(60), System::nanoTime, listener)
        .run(group, outcome.steps::add);
    return outcome;
  }

  private Transport.Opener over(String label, Group group) {
    return session -> new NamedTransport(label, wiring(label), group);
  }

  private Transport named(String label, Wiring wiring) {
    return new NamedTransport(label, wiring, null);
  }

  private static Wiring wiring(String label) {
    return label.equals("ring") ? Wiring.RING : Wiring.MESH;
  }

  private final class NamedTransport implements Transport {
    private final String label;
    private final Wiring wiring;
    private final Group group;

    NamedTransport(String label, Wiring wiring, Group group) {
      this.label = label;
      this.wiring = wiring;
      this.group = group;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public Optional<Wiring> wiring() {
      return Optional.of(wiring);
    }

    @Override
    public String describe() {
      return "test://" + group.rank();
    }

    @Override
    public <T> CompletionStage<T> run(Function<Session, T> function) {
      return group.run(function);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
