package io.jaccl4j.cli.bench.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.jaccl4j.Dtype;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationTest {

  /** By hand, from nccl-tests' description of its bandwidths. */
  @ParameterizedTest
  @CsvSource({
    "ALL_SUM, 2, 1.0",
    "ALL_SUM, 4, 1.5",
    "ALL_MAX, 8, 1.75",
    "ALL_MIN, 1, 0.0",
    "ALL_GATHER, 2, 0.5",
    "ALL_GATHER, 4, 0.75",
    "SUM_SCATTER, 5, 0.8",
    "ALL_TO_ALL, 4, 0.75",
    "SEND_RECV, 2, 1.0",
    "BROADCAST, 7, 1.0",
  })
  void shouldScaleToTheBandwidthOfTheSlowestLink(Operation operation, int ranks, double factor) {
    assertThat(operation.busFactor(ranks)).isCloseTo(factor, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({
    "ALL_SUM, FLOAT32, 3, 10, 8, 2",
    "ALL_SUM, COMPLEX64, 2, 7, 0, 0",
    "ALL_GATHER, FLOAT32, 3, 100, 96, 8",
    "SUM_SCATTER, BFLOAT16, 4, 8, 8, 1",
    "SUM_SCATTER, BFLOAT16, 4, 7, 0, 0",
    "ALL_TO_ALL, INT8, 2, 9, 8, 4",
    "BROADCAST, FLOAT64, 5, 1048576, 1048576, 131072",
  })
  void shouldRoundDownToWholeElementsOnEveryRank(
      Operation operation, Dtype dtype, int ranks, long bytes, long fitting, long count) {
    assertThat(operation.fittingBytes(bytes, dtype, ranks)).isEqualTo(fitting);
    assertThat(operation.count(fitting, dtype, ranks)).isEqualTo(count);
  }
}
