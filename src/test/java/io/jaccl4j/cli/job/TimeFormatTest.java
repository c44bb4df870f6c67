package io.jaccl4j.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeFormatTest {

  @Test
  void shouldUseTheUnitThatSuitsTheSize() {
    assertThat(TimeFormat.nanos(2.13)).isEqualTo("2.1 ns");
    assertThat(TimeFormat.nanos(850)).isEqualTo("0.85 us");
    assertThat(TimeFormat.nanos(123_456)).isEqualTo("123.5 us");
    assertThat(TimeFormat.nanos(1_234_567)).isEqualTo("1.23 ms");
    assertThat(TimeFormat.nanos(12_345_678)).isEqualTo("12.3 ms");
    assertThat(TimeFormat.nanos(4.2e9)).isEqualTo("4.20 s");
  }
}
