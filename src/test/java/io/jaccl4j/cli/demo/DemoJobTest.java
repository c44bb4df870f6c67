package io.jaccl4j.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.jaccl4j.Session;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoJobTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 16})
  void shouldEqualTheSingleProcessResultOnEveryRank(int size) {
    List<List<StepResult>> ranks = run(size, UnaryOperator.identity());
    assertThat(ranks).hasSize(size);
    for (List<StepResult> steps : ranks) {
      assertThat(steps).hasSize(4);
      assertThat(checks(steps)).hasSizeGreaterThan(40).allMatch(Check::ok);
    }
  }

  @Test
  void shouldShowTheSameBitsOnEveryRank() {
    List<List<StepResult>> ranks = run(3, UnaryOperator.identity());
    for (int step = 0; step < 3; step++) {
      StepResult first = ranks.get(0).get(step);
      assertThat(ranks.get(1).get(step)).isEqualTo(first);
      assertThat(ranks.get(2).get(step)).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "allSum, Statistics",
    "allMin, Statistics",
    "allMax, Statistics",
    "allSum, Gradient",
    "allGather, Data split",
    "sumScatter, other collectives",
    "recv, other collectives",
  })
  void shouldReportAWrongResultAsAFailedCheck(String operation, String step) {
    List<List<StepResult>> ranks =
        run(3, session -> session.rank() == 1 ? corrupting(session, operation) : session);

    List<Check> failed =
        ranks.get(1).stream()
            .filter(result -> result.title().contains(step))
            .flatMap(result -> result.checks().stream())
            .filter(check -> !check.ok())
            .toList();
    assertThat(failed).isNotEmpty().allMatch(check -> !check.got().equals(check.want()));
  }

  @Test
  void shouldFindTheWeightsThatTheTableWasMadeWith() {
    Dataset table = Dataset.readAll();
    SingleProcess expected = new SingleProcess(table);
    double[] losses = expected.regression().losses();
    for (int step = 1; step < losses.length; step++) {
      assertThat(losses[step]).isLessThan(losses[step - 1]);
    }
    // In the table's own units: a standardised weight times the ratio of the deviations.
    double ageWeight =
        expected.regression().weights()[3]
            * Math.sqrt(
                expected.statistics().get(4).variance() / expected.statistics().get(3).variance());
    assertThat(ageWeight).isCloseTo(0.38, within(0.05));
  }

  private static List<List<StepResult>> run(int size, UnaryOperator<Session> wrap) {
    return LocalRanks.run(
        size,
        session -> {
          List<StepResult> steps = new ArrayList<>();
          DemoJob.prepare(session.rank(), size).run(wrap.apply(session), steps::add);
          return steps;
        });
  }

  private static List<Check> checks(List<StepResult> steps) {
    return steps.stream().flatMap(step -> step.checks().stream()).toList();
  }

  /** The same session, save that a bit in the first element of an operation's output is wrong. */
  private static Session corrupting(Session session, String operation) {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(session, arguments);
                if (method.getName().equals(operation)) {
                  flip((MemorySegment) (operation.equals("recv") ? arguments[0] : arguments[1]));
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A bit in the third byte: visible in a float32, and within the tolerance of no float64. */
  private static void flip(MemorySegment output) {
    for (long offset : new long[] {2, output.byteSize() - 3}) {
      byte old = output.get(ValueLayout.JAVA_BYTE, offset);
      output.set(ValueLayout.JAVA_BYTE, offset, (byte) (old ^ 0x20));
    }
  }
}
