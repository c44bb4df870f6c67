package io.jaccl4j.interop;

import io.jaccl4j.testing.emulated.MessageRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one process did with its queue pairs, as the emulated provider wrote it down. Messages are
 * taken from its front, so that what follows the last step shows.
 */
final class VerbsTranscript {
  private static final Pattern LINE =
      Pattern.compile("q(\\d+) (?:(\\w+) (\\d+) -> (\\d+)|([<>]) (\\d+)x(\\d+))");

  private final List<Pair> pairs = new ArrayList<>();
  private final Map<Direction, List<MessageRuns.Run>> untaken = new HashMap<>();

  /**
   * A queue pair, by the order in which the process made it.
   *
   * @param number of the queue pair, for its peer
   * @param peer number of the queue pair at the other end
   */
  record Pair(int ordinal, String device, long number, long peer) {}

  private record Direction(int ordinal, boolean sent) {}

  VerbsTranscript(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new AssertionError(file + ": unknown line [" + line + "]");
      }
      int ordinal = Integer.parseInt(matcher.group(1));
      if (matcher.group(2) != null) {
        pairs.add(
            new Pair(
                ordinal,
                matcher.group(2),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4))));
      } else {
        untaken
            .computeIfAbsent(
                new Direction(ordinal, matcher.group(5).equals(">")), _ -> new ArrayList<>())
            .add(
                new MessageRuns.Run(
                    Long.parseLong(matcher.group(6)), Integer.parseInt(matcher.group(7))));
      }
    }
  }

  Pair pair(int ordinal) {
    return pairs.stream().filter(pair -> pair.ordinal() == ordinal).findFirst().orElseThrow();
  }

  int pairs() {
    return pairs.size();
  }

  /** The next messages of a queue pair, as many as that, or all that are left. */
  MessageRuns take(int ordinal, boolean sent, long count) {
    List<MessageRuns.Run> left = untaken.getOrDefault(new Direction(ordinal, sent), List.of());
    List<MessageRuns.Run> taken = new ArrayList<>();
    long missing = count;
    while (missing > 0 && !left.isEmpty()) {
      MessageRuns.Run first = left.removeFirst();
      long part = Math.min(missing, first.count());
      taken.add(new MessageRuns.Run(part, first.bytes()));
      if (part < first.count()) {
        left.addFirst(new MessageRuns.Run(first.count() - part, first.bytes()));
      }
      missing -= part;
    }
    return new MessageRuns(taken);
  }

  /** How many messages have not been taken. */
  long untaken() {
    return untaken.values().stream().flatMap(List::stream).mapToLong(MessageRuns.Run::count).sum();
  }
}
