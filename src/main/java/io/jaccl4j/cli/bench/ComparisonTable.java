package io.jaccl4j.cli.bench;

import io.jaccl4j.cli.job.Quantity;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.TimeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Several transports side by side: a row for each size, with what sockets alone would take. */
final class ComparisonTable {
  private final BenchmarkPlan plan;
  private final int ranks;
  private final int processors;
  private final List<Transport> transports;
  private final List<List<Measurement>> rows = new ArrayList<>();

  ComparisonTable(BenchmarkPlan plan, int ranks, int processors, List<Transport> transports) {
    this.plan = plan;
    this.ranks = ranks;
    this.processors = processors;
    this.transports = List.copyOf(transports);
  }

  /** What is compared. */
  static StepResult transports(List<Transport> transports) {
    return new StepResult(
        "Transports",
        List.of("name", "description"),
        transports.stream()
            .map(one -> new StepResult.Row(List.of(one.label(), one.describe()), List.of()))
            .toList(),
        "");
  }

  /** Adds what was measured at one size: the transports in their order, then bare sockets. */
  void add(long bytes, List<Measurement> row) {
    if (row.stream().anyMatch(measurement -> measurement.bytes() != bytes)) {
      throw new IllegalArgumentException("not all of " + bytes + " bytes: " + row);
    }
    rows.add(List.copyOf(row));
  }

  StepResult result(double roundTripNanos) {
    List<String> header = new ArrayList<>(List.of("bytes"));
    rows.getFirst().forEach(measurement -> header.add(measurement.transport()));
    compared(rows.getFirst())
        .forEach(
            pair -> header.add(pair.measured().transport() + "/" + pair.sockets().transport()));
    return new StepResult(
        title(), header, rows.stream().map(this::row).toList(), note(roundTripNanos));
  }

  private String title() {
    return String.format(
        "Comparison: %s %s, %s, %s",
        plan.operation().label(),
        plan.dtype().name().toLowerCase(Locale.ROOT),
        Quantity.of(ranks, "rank"),
        Quantity.of(processors, "processor"));
  }

  private StepResult.Row row(List<Measurement> measurements) {
    List<String> cells = new ArrayList<>();
    cells.add(Long.toString(measurements.getFirst().bytes()));
    measurements.forEach(
        measurement -> cells.add(TimeFormat.nanos(measurement.timing().medianNanos())));
    compared(measurements)
        .forEach(pair -> cells.add(String.format(Locale.ROOT, "%.2f", pair.share())));
    return new StepResult.Row(cells, List.of());
  }

  private String note(double roundTripNanos) {
    StringBuilder note =
        new StringBuilder("median times of the slowest rank; sockets alone move the bytes that any")
            .append(" algorithm must move, over as many sockets; x/y: bandwidth of x as a share of")
            .append(" that of y; raw round trip of 4 bytes over one socket, polled, same run: ")
            .append(TimeFormat.nanos(roundTripNanos));
    for (Measurement measurement : rows.getFirst().subList(0, transports.size())) {
      note.append(
          String.format(
              Locale.ROOT,
              "; %s of %d bytes over %s: %.2f of it",
              plan.operation().label(),
              measurement.bytes(),
              measurement.transport(),
              measurement.timing().medianNanos() / roundTripNanos));
    }
    return note.toString();
  }

  /** A transport, and bare sockets of the same number. */
  private record Pair(Measurement measured, Measurement sockets) {

    double share() {
      return sockets.timing().medianNanos() / measured.timing().medianNanos();
    }
  }

  private List<Pair> compared(List<Measurement> row) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < transports.size(); i++) {
      Measurement measured = row.get(i);
      transports
          .get(i)
          .wiring()
          .flatMap(
              wiring ->
                  row.stream().filter(one -> one.transport().equals(wiring.label())).findFirst())
          .ifPresent(sockets -> pairs.add(new Pair(measured, sockets)));
    }
    return pairs;
  }
}
