package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.exchange.Operation;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  private static final Offset<Double> EXACT = within(1e-12);

  /** 1 MiB in 100 us are 10.48576 GB/s; among four ranks 1.5 times as much on the bus. */
  @Test
  void shouldDeriveBandwidthsFromTheMedian() {
    Measurement measurement =
        new Measurement(
            Operation.ALL_SUM,
            Dtype.FLOAT32,
            "shm",
            Mode.SESSION,
            4,
            1 << 20,
            1 << 18,
            new Timing(10, 2, 90_000, 100_000, 110_000),
            Measurement.NOT_CHECKED,
            25_000);
    assertThat(measurement.algorithmBandwidth()).isCloseTo(10.48576, EXACT);
    assertThat(measurement.busBandwidth()).isCloseTo(15.72864, EXACT);
    assertThat(measurement.copies()).isCloseTo(4.0, EXACT);
    assertThat(measurement.timing().operations()).isEqualTo(20);
    assertThat(measurement.isChecked()).isFalse();
  }
}
