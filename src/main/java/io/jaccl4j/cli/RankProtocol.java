package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import java.util.Optional;

/**
 * The lines between a parent and the ranks it started: a rank's messages on its stdout, the address
 * to join on its stdin.
 *
 * <pre>
 *   rank to parent   @jaccl4j TAB kind TAB field ...      any other line is ordinary output
 *   parent to rank   @jaccl4j TAB join TAB address        end of file: the parent is gone
 * </pre>
 */
final class RankProtocol {
  private static final String MARK = "@jaccl4j";

  private RankProtocol() {}

  /** The line that tells a rank which member to join. */
  static String encodeJoin(String seedAddress) {
    return new FieldLine.Writer(MARK).add("join").add(seedAddress).toString();
  }

  /** The address in a join line. */
  static String decodeJoin(String line) {
    FieldLine.Reader reader = new FieldLine.Reader(line);
    if (!reader.string().equals(MARK) || !reader.string().equals("join")) {
      throw reader.refuse("is not a join");
    }
    String address = reader.string();
    reader.end();
    return address;
  }

  /** The line of a message. */
  static String encode(RankMessage message) {
    FieldLine.Writer line = new FieldLine.Writer(MARK);
    switch (message) {
      case RankMessage.Listening(String address) -> line.add("listening").add(address);
      case RankMessage.MemberUp() -> line.add("member-up");
      case RankMessage.Event(GroupEvent event) -> writeEvent(line, event);
      case RankMessage.Doing(String what) -> line.add("doing").add(what);
      case RankMessage.Measured(Measurement measurement) ->
          MeasurementFields.write(line.add("measured"), measurement);
      case RankMessage.StepDone(StepResult result) -> writeStep(line.add("step"), result);
      case RankMessage.Finished(int failedChecks) -> line.add("finished").add(failedChecks);
      case RankMessage.Failed(int exitCode, String reason) ->
          line.add("failed").add(exitCode).add(reason);
    }
    return line.toString();
  }

  /**
   * The message in a line.
   *
   * @return empty if the line is ordinary output
   * @throws IllegalArgumentException if it is marked as a message and is not one
   */
  static Optional<RankMessage> decode(String line) {
    FieldLine.Reader reader = new FieldLine.Reader(line);
    if (!line.startsWith(MARK + "\t")) {
      return Optional.empty();
    }
    reader.string();
    String kind = reader.string();
    RankMessage message =
        switch (kind) {
          case "listening" -> new RankMessage.Listening(reader.string());
          case "member-up" -> new RankMessage.MemberUp();
          case "doing" -> new RankMessage.Doing(reader.string());
          case "measured" -> new RankMessage.Measured(MeasurementFields.read(reader));
          case "step" -> new RankMessage.StepDone(readStep(reader));
          case "finished" -> new RankMessage.Finished(reader.smallNumber());
          case "failed" -> new RankMessage.Failed(reader.smallNumber(), reader.string());
          default -> new RankMessage.Event(readEvent(kind, reader));
        };
    reader.end();
    return Optional.of(message);
  }

  private static void writeEvent(FieldLine.Writer line, GroupEvent event) {
    switch (event) {
      case GroupEvent.Gathering e ->
          line.add("gathering").addStrings(e.present()).add(e.size()).add(e.waitedNanos());
      case GroupEvent.RanksAssigned e ->
          line.add("ranks")
              .add(e.epoch())
              .add(e.rank())
              .addAll(e.members(), RankProtocol::writeMember);
      case GroupEvent.LinksUp e ->
          line.add("links").add(e.fabric()).add(e.links()).add(e.description());
      case GroupEvent.Ready e -> line.add("ready").add(e.epoch()).add(e.formationNanos());
      case GroupEvent.SlowPeer e ->
          line.add("slow-peer")
              .add(e.operation())
              .add(e.sequence())
              .add(e.awaited())
              .add(e.waitedNanos());
      case GroupEvent.Failed e ->
          line.add("group-failed")
              .add(e.failure().kind().name())
              .add(e.failure().rank())
              .add(e.failure().address())
              .add(e.failure().reportedBy())
              .add(e.failure().detail());
      case GroupEvent.Closed() -> line.add("group-closed");
    }
  }

  private static GroupEvent readEvent(String kind, FieldLine.Reader reader) {
    return switch (kind) {
      case "gathering" ->
          new GroupEvent.Gathering(reader.strings(), reader.smallNumber(), reader.number());
      case "ranks" ->
          new GroupEvent.RanksAssigned(
              reader.number(), reader.smallNumber(), reader.list(RankProtocol::readMember));
      case "links" ->
          new GroupEvent.LinksUp(reader.string(), reader.smallNumber(), reader.string());
      case "ready" -> new GroupEvent.Ready(reader.number(), reader.number());
      case "slow-peer" ->
          new GroupEvent.SlowPeer(
              reader.string(), reader.number(), reader.string(), reader.number());
      case "group-failed" ->
          new GroupEvent.Failed(
              new GroupFailure(
                  GroupFailure.Kind.valueOf(reader.string()),
                  reader.smallNumber(),
                  reader.string(),
                  reader.smallNumber(),
                  reader.string()));
      case "group-closed" -> new GroupEvent.Closed();
      default -> throw reader.refuse("is of the unknown kind " + kind);
    };
  }

  private static void writeMember(FieldLine.Writer line, GroupMember member) {
    line.add(member.rank()).add(member.address()).add(member.incarnation()).add(member.host());
  }

  private static GroupMember readMember(FieldLine.Reader reader) {
    return new GroupMember(reader.smallNumber(), reader.string(), reader.number(), reader.string());
  }

  private static void writeStep(FieldLine.Writer line, StepResult step) {
    line.add(step.title())
        .addStrings(step.header())
        .addAll(step.rows(), RankProtocol::writeRow)
        .add(step.note());
  }

  private static StepResult readStep(FieldLine.Reader reader) {
    return new StepResult(
        reader.string(), reader.strings(), reader.list(RankProtocol::readRow), reader.string());
  }

  private static void writeRow(FieldLine.Writer line, StepResult.Row row) {
    line.addStrings(row.cells())
        .addAll(
            row.checks(),
            (writer, check) ->
                writer
                    .add(check.subject())
                    .add(check.got())
                    .add(check.want())
                    .add(check.ok() ? 1 : 0));
  }

  private static StepResult.Row readRow(FieldLine.Reader reader) {
    return new StepResult.Row(
        reader.strings(),
        reader.list(
            item -> new Check(item.string(), item.string(), item.string(), item.number() == 1)));
  }
}
