package io.jaccl4j.cli;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.Timing;
import io.jaccl4j.cli.bench.exchange.Operation;

/** A measurement as fields of a line. */
final class MeasurementFields {

  private MeasurementFields() {}

  static void write(FieldLine.Writer line, Measurement measurement) {
    Timing timing = measurement.timing();
    line.add(measurement.operation().name())
        .add(measurement.dtype().name())
        .add(measurement.transport())
        .add(measurement.mode().name())
        .add(measurement.ranks())
        .add(measurement.bytes())
        .add(measurement.count())
        .add(timing.samples())
        .add(timing.batch())
        .add(Double.toString(timing.minNanos()))
        .add(Double.toString(timing.medianNanos()))
        .add(Double.toString(timing.p99Nanos()))
        .add(measurement.wrongElements())
        .add(Double.toString(measurement.copyMedianNanos()));
  }

  static Measurement read(FieldLine.Reader line) {
    return new Measurement(
        Operation.valueOf(line.string()),
        Dtype.valueOf(line.string()),
        line.string(),
        Mode.valueOf(line.string()),
        line.smallNumber(),
        line.number(),
        line.number(),
        new Timing(
            line.smallNumber(),
            line.smallNumber(),
            Double.parseDouble(line.string()),
            Double.parseDouble(line.string()),
            Double.parseDouble(line.string())),
        line.number(),
        Double.parseDouble(line.string()));
  }
}
