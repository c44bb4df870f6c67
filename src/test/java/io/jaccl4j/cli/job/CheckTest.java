package io.jaccl4j.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckTest {

  @Test
  void shouldAcceptOnlyTheSameBits() {
    assertThat(Check.exact("x", 0.1 + 0.2, 0.1 + 0.2).ok()).isTrue();
    assertThat(Check.exact("x", 0.1 + 0.2, 0.3).ok()).isFalse();
    assertThat(Check.exact("x", 0.0, -0.0).ok()).isFalse();
    assertThat(Check.exact("x", 7, 7).ok()).isTrue();
    assertThat(Check.exact("x", 7, 8)).isEqualTo(new Check("x", "7", "8", false));
  }

  @Test
  void shouldMeasureDifferencesRelativeToTheLargerMagnitude() {
    assertThat(Check.relativeDifference(-4, 4)).isEqualTo(2);
    assertThat(Check.relativeDifference(1000, 1001)).isEqualTo(1 / 1001.0);
    assertThat(Check.relativeDifference(0, 0)).isZero();
  }

  @Test
  void shouldAcceptDifferencesUpToTheTolerance() {
    assertThat(Check.close("x", 1e6, 1e6 + 1e-4, 1e-9).ok()).isTrue();
    assertThat(Check.close("x", 1e6, 1e6 + 1e-2, 1e-9).ok()).isFalse();
    assertThat(Check.close("x", 1e-20, -1e-20, 1e-9).ok()).isFalse();
  }

  @Test
  void shouldNeverAcceptNotANumber() {
    assertThat(Check.close("x", Double.NaN, 1, 1e-9).ok()).isFalse();
    assertThat(Check.close("x", 1, Double.NaN, 1e-9).ok()).isFalse();
    assertThat(Check.close("x", Double.POSITIVE_INFINITY, 1, 1e-9).ok()).isFalse();
  }
}
