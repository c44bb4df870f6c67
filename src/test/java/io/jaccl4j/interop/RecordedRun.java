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

/** What a group of JACCL's own ranks printed and sent in one configuration. */
final class RecordedRun {
  private static final Pattern FLOW = Pattern.compile("q(\\d+) ([<>]) ((?:\\d+x\\d+ ?)+)");

  private final String name;
  private final Map<String, Map<Integer, List<Flow>>> messages = new HashMap<>();

  /**
   * What one rank sent or received over one queue pair in one step.
   *
   * @param queuePair by JACCL's numbering
   */
  record Flow(int queuePair, boolean sent, MessageRuns runs) {}

  RecordedRun(boolean ring, int size, int wires) {
    this.name = (ring ? "ring-" : "mesh-") + size + "-" + wires;
    String step = "";
    for (String line : read(name + ".messages.txt")) {
      if (line.matches("\\d{3} .*")) {
        step = line;
        messages.put(step, new HashMap<>());
      } else if (!step.isEmpty() && line.startsWith("  rank ")) {
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

  /** A rank's messages in a step; a rank that is not there was silent. */
  Map<Integer, List<Flow>> messages(Step step) {
    Map<Integer, List<Flow>> flows = messages.get(step.label());
    if (flows == null) {
      throw new AssertionError(name + " has no step [" + step.label() + "]");
    }
    return flows;
  }

  /** The lines that a rank printed. */
  List<String> lines(int rank) {
    return read(name + ".rank" + rank + ".hashes.txt");
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
