package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CollectiveBenchmarkTest {
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Path SHARED = Path.of(System.getProperty("java.io.tmpdir"));

  /** Ranks refuse to run different numbers of operations. */
  @Test
  void shouldDoTheSameOperationsOnRanksWhoseClocksDiffer() {
    List<Outcome> outcomes =
        LocalRanks.run(
            3,
            session -> {
              int speed = session.rank() + 1;
              return run(session, plan(Operation.ALL_SUM, true), () -> System.nanoTime() * speed);
            });
    for (Outcome outcome : outcomes) {
      assertThat(outcome.measurements).isEqualTo(outcomes.getFirst().measurements);
      assertThat(outcome.measurements).extracting(Measurement::bytes).containsExactly(48L, 4092L);
      assertThat(outcome.step.checks()).hasSize(2).allMatch(Check::ok);
      assertThat(outcome.step.note())
          .contains("more ranks than processors")
          .contains("raw round trip between ranks 0 and 1");
      assertThat(outcome.doing).hasSize(4);
      assertThat(outcome.doing.getFirst()).contains("warming up with all_sum of 48 bytes");
      assertThat(outcome.doing.getLast()).contains("all_sum of 4092 bytes (session, 2 of 2)");
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void shouldMeasureEveryOperation(Operation operation) {
    Outcome outcome =
        LocalRanks.run(2, session -> run(session, plan(operation, true), System::nanoTime)).get(1);
    assertThat(outcome.measurements)
        .isNotEmpty()
        .allSatisfy(
            measurement -> {
              Timing timing = measurement.timing();
              assertThat(measurement.wrongElements()).isZero();
              assertThat(timing.minNanos()).isPositive();
              assertThat(timing.medianNanos()).isBetween(timing.minNanos(), timing.p99Nanos());
              assertThat(timing.operations()).isPositive();
            });
  }

  @Test
  void shouldReportAWrongElementAsAnErrorOfThatRankAndOfAll() {
    List<Outcome> outcomes =
        LocalRanks.run(
            2,
            session ->
                run(
                    session.rank() == 1 ? corrupting(session) : session,
                    plan(Operation.ALL_GATHER, true),
                    System::nanoTime));
    assertThat(outcomes.get(0).measurements)
        .isNotEmpty()
        .allMatch(measurement -> measurement.wrongElements() == 1);
    assertThat(outcomes.get(0).step.checks()).allMatch(Check::ok);
    assertThat(outcomes.get(1).step.checks())
        .isNotEmpty()
        .allMatch(check -> !check.ok() && check.got().equals("1") && check.want().equals("0"));
  }

  @Test
  void shouldMeasureAsManyOperationsAsAskedForWithoutCheckingThem() {
    BenchmarkPlan plan =
        new BenchmarkPlan(
            Operation.ALL_SUM,
            Dtype.FLOAT32,
            List.of(64L),
            true,
            true,
            false,
            List.of(Mode.SESSION),
            new Effort(SHORT, 3));
    Outcome outcome = LocalRanks.run(2, session -> run(session, plan, System::nanoTime)).get(0);
    Measurement measurement = outcome.measurements.getFirst();
    assertThat(measurement.timing().operations()).isBetween(3L, 4L);
    assertThat(measurement.isChecked()).isFalse();
    assertThat(outcome.step.checks()).isEmpty();
    assertThat(outcome.step.title()).contains("in place");
    assertThat(outcome.step.rows().getFirst().cells()).contains("-");
  }

  @Test
  void shouldMeasureTheHandOverFromAnotherThreadWithTheSameMemory() {
    BenchmarkPlan plan = plan(Operation.ALL_SUM, true);
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("both", 2))) {
      List<BenchmarkMemory> memory = List.of(new BenchmarkMemory(plan), new BenchmarkMemory(plan));
      ranks.runOnAll(
          session ->
              run(session, plan, Mode.SESSION, memory.get(session.rank()), System::nanoTime));
      List<CompletableFuture<Outcome>> outcomes =
          ranks.all().stream()
              .map(rank -> rank.group())
              .map(
                  group ->
                      CompletableFuture.supplyAsync(
                          () ->
                              run(
                                  group,
                                  plan,
                                  Mode.HAND_OVER,
                                  memory.get(group.rank()),
                                  System::nanoTime),
                          task -> Thread.ofPlatform().daemon().start(task)))
              .toList();
      for (CompletableFuture<Outcome> outcome : outcomes) {
        assertThat(LocalRanks.get(outcome).step.title()).contains("hand-over");
        assertThat(LocalRanks.get(outcome).measurements)
            .hasSize(2)
            .allMatch(measurement -> measurement.mode() == Mode.HAND_OVER);
      }
    }
    assertThat(Mode.HAND_OVER.place()).isEqualTo(RankJob.Place.OWN_THREAD);
  }

  private record Outcome(StepResult step, List<Measurement> measurements, List<String> doing) {}

  private static BenchmarkPlan plan(Operation operation, boolean check) {
    return new BenchmarkPlan(
        operation,
        Dtype.FLOAT32,
        List.of(48L, 4095L),
        false,
        false,
        check,
        List.of(Mode.SESSION),
        Effort.ofTime(SHORT));
  }

  private static Outcome run(Session session, BenchmarkPlan plan, LongSupplier clock) {
    return run(session, plan, Mode.SESSION, new BenchmarkMemory(plan), clock);
  }

  private static Outcome run(
      Session session, BenchmarkPlan plan, Mode mode, BenchmarkMemory memory, LongSupplier clock) {
    List<StepResult> steps = new ArrayList<>();
    List<Measurement> measurements = new ArrayList<>();
    List<String> doing = new ArrayList<>();
    CollectiveBenchmark.Listener listener =
        new CollectiveBenchmark.Listener() {
          @Override
          public void measuring(String what) {
            doing.add(what);
          }

          @Override
          public void measured(Measurement measurement) {
            measurements.add(measurement);
          }
        };
    new CollectiveBenchmark(plan, "shm", mode, memory, 2, clock, SHARED, listener)
        .run(session, steps::add);
    assertThat(steps).hasSize(1);
    return new Outcome(steps.getFirst(), measurements, doing);
  }

  /** The same session, save that the first byte of what is gathered is wrong. */
  private static Session corrupting(Session session) {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(session, arguments);
                if (method.getName().equals("allGather")) {
                  MemorySegment out = (MemorySegment) arguments[1];
                  out.set(ValueLayout.JAVA_BYTE, 0, (byte) (out.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
