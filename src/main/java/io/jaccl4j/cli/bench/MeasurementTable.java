package io.jaccl4j.cli.bench;

import io.jaccl4j.cli.job.Quantity;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.TimeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Measurements of one mode as the rows of a table for people. */
final class MeasurementTable {
  private final BenchmarkPlan plan;
  private final Mode mode;
  private final int ranks;
  private final int processors;

  MeasurementTable(BenchmarkPlan plan, Mode mode, int ranks, int processors) {
    this.plan = plan;
    this.mode = mode;
    this.ranks = ranks;
    this.processors = processors;
  }

  StepResult of(List<StepResult.Row> rows, OptionalDouble roundTripNanos) {
    return new StepResult(title(), header(), rows, note(roundTripNanos));
  }

  List<String> cells(Measurement measurement) {
    List<String> cells = new ArrayList<>();
    Timing timing = measurement.timing();
    if (plan.operation().hasData()) {
      cells.add(Long.toString(measurement.bytes()));
      cells.add(Long.toString(measurement.count()));
    } else {
      cells.add(Long.toString(timing.operations()));
    }
    cells.add(TimeFormat.nanos(timing.minNanos()));
    cells.add(TimeFormat.nanos(timing.medianNanos()));
    cells.add(TimeFormat.nanos(timing.p99Nanos()));
    if (plan.operation().hasData()) {
      cells.add(decimals(2, measurement.algorithmBandwidth()));
      cells.add(decimals(2, measurement.busBandwidth()));
      cells.add(measurement.isChecked() ? Long.toString(measurement.wrongElements()) : "-");
      cells.add(TimeFormat.nanos(measurement.copyMedianNanos()));
      cells.add(decimals(measurement.copies() < 100 ? 1 : 0, measurement.copies()));
    }
    return cells;
  }

  private List<String> header() {
    return plan.operation().hasData()
        ? List.of(
            "bytes", "count", "min", "median", "p99", "algbw", "busbw", "errors", "memcpy", "ratio")
        : List.of("operations", "min", "median", "p99");
  }

  private String title() {
    return String.format(
        "Benchmark: %s%s%s, %s, %s, %s",
        plan.operation().label(),
        plan.operation().hasData() ? " " + plan.dtype().name().toLowerCase(Locale.ROOT) : "",
        plan.inPlace() ? " in place" : "",
        mode.label(),
        Quantity.of(ranks, "rank"),
        Quantity.of(processors, "processor"));
  }

  private String note(OptionalDouble roundTripNanos) {
    StringBuilder note = new StringBuilder("times of the slowest rank");
    if (plan.operation().hasData()) {
      note.append("; bandwidths in GB/s; memcpy: median of a copy of as many bytes within rank 0,")
          .append(" same run; ratio: median / memcpy");
    }
    if (roundTripNanos.isPresent()) {
      note.append("; raw round trip between ranks 0 and 1 over two shared cache lines, same run: ")
          .append(TimeFormat.nanos(roundTripNanos.getAsDouble()));
    }
    if (ranks > processors) {
      note.append("; more ranks than processors, so ranks wait for each other's turn");
    }
    return note.toString();
  }

  private static String decimals(int count, double value) {
    return String.format(Locale.ROOT, "%." + count + "f", value);
  }
}
