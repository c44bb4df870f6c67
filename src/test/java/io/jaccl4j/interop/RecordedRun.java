package io.jaccl4j.interop;

import io.jaccl4j.testing.emulated.MessageRuns;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a group of JACCL's own ranks gathered, connected, printed and sent in one configuration. */
final class RecordedRun {
  private static final Pattern GATHERS = Pattern.compile("  rank (\\d+): ([\\d ]+)");
  private static final Pattern PAIR =
      Pattern.compile("  rank (\\d+) q(\\d+) (\\w+) -> rank (\\d+) (\\w+)");
  private static final Pattern STEP = Pattern.compile("\\d{3} .*");
  private static final Pattern FLOW = Pattern.compile("q(\\d+) ([<>]) ((?:\\d+x\\d+ ?)+)");

  private final JacclShape shape;
  private final List<List<Integer>> gathers = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final Map<String, Map<Integer, List<Flow>>> messages = new HashMap<>();

  /**
   * A queue pair, by JACCL's numbering, and where it leads.
   *
   * @param device of the rank
   * @param peerDevice of the other end
   */
  record Pair(int rank, int queuePair, String device, int peer, String peerDevice) {}

  /**
   * What one rank sent or received over one queue pair in one step.
   *
   * @param queuePair by JACCL's numbering
   */
  record Flow(int queuePair, boolean sent, MessageRuns runs) {}

  RecordedRun(JacclShape shape) {
    this.shape = shape;
    String step = "";
    for (String line : read(shape.name() + ".messages.txt")) {
      Matcher gather = GATHERS.matcher(line);
      Matcher pair = PAIR.matcher(line);
      if (STEP.matcher(line).matches()) {
        step = line;
        messages.put(step, new HashMap<>());
      } else if (gather.matches()) {
        gathers.add(Stream.of(gather.group(2).split(" ")).map(Integer::valueOf).toList());
      } else if (pair.matches()) {
        pairs.add(
            new Pair(
                Integer.parseInt(pair.group(1)),
                Integer.parseInt(pair.group(2)),
                pair.group(3),
                Integer.parseInt(pair.group(4)),
                pair.group(5)));
      } else if (!step.isEmpty()) {
        parse(line, messages.get(step));
      }
    }
  }

  private static void parse(String line, Map<Integer, List<Flow>> flows) {
    int colon = line.indexOf(':');
    List<Flow> ofRanks = new ArrayList<>();
    Matcher matcher = FLOW.matcher(line.substring(colon));
    while (matcher.find()) {
      String runs = matcher.group(3).strip().replace(' ', '+');
      ofRanks.add(
          new Flow(
              Integer.parseInt(matcher.group(1)),
              matcher.group(2).equals(">"),
              MessageRuns.parse(runs)));
    }
    for (String rank : line.substring("  rank ".length(), colon).split(",")) {
      flows.put(Integer.parseInt(rank.strip()), ofRanks);
    }
  }

  /** How many bytes a rank contributed to each gather over the side channel, in order. */
  List<Integer> gatherBytes(int rank) {
    return gathers.get(rank);
  }

  /** Every queue pair of every rank. */
  List<Pair> pairs() {
    return pairs;
  }

  /** A rank's messages in a step; a rank that is not there was silent. */
  Map<Integer, List<Flow>> messages(Step step) {
    Map<Integer, List<Flow>> flows = messages.get(step.label());
    if (flows == null) {
      throw new AssertionError(shape.name() + " has no step [" + step.label() + "]");
    }
    return flows;
  }

  /** The lines that a rank printed. */
  List<String> lines(int rank) {
    return read(shape.name() + ".rank" + rank + ".hashes.txt");
  }

  private static List<String> read(String file) {
    try (InputStream in = RecordedRun.class.getResourceAsStream("/jaccl/" + file)) {
      if (in == null) {
        throw new AssertionError("no resource /jaccl/" + file);
      }
      return Arrays.asList(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
