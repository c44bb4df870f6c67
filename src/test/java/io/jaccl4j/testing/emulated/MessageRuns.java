package io.jaccl4j.testing.emulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The messages of one wire in one direction, as a schedule states them: {@code 4x64K+1x4K} is four
 * messages of 65536 bytes and then one of 4096; {@code -} is none. Neighbours of one length are one
 * run, so two equal sequences have equal runs.
 */
public record MessageRuns(List<Run> runs) {
  /** No messages. */
  public static final MessageRuns NONE = new MessageRuns(List.of());

  private static final String NONE_TEXT = "-";
  private static final int KIBI = 1024;

  /**
   * Messages of one length.
   *
   * @param count how many
   * @param bytes length of each
   */
  public record Run(long count, int bytes) {}

  public MessageRuns {
    runs = List.copyOf(runs);
  }

  /** Of messages in the order of their delivery. */
  public static MessageRuns of(List<RecordedMessage> messages) {
    return ofLengths(messages.stream().map(RecordedMessage::bytes).toList());
  }

  /** Of lengths in order. */
  public static MessageRuns ofLengths(List<Integer> lengths) {
    List<Run> runs = new ArrayList<>();
    for (int bytes : lengths) {
      if (!runs.isEmpty() && runs.getLast().bytes() == bytes) {
        Run last = runs.removeLast();
        runs.add(new Run(last.count() + 1, bytes));
      } else {
        runs.add(new Run(1, bytes));
      }
    }
    return new MessageRuns(runs);
  }

  /** Number of messages. */
  public long count() {
    return runs.stream().mapToLong(Run::count).sum();
  }

  /** Reads what {@link #toString} writes; {@code ×} for {@code x} and {@code –} for {@code -}. */
  public static MessageRuns parse(String text) {
    String plain = text.strip().replace('×', 'x').replace('–', '-');
    if (plain.equals(NONE_TEXT)) {
      return NONE;
    }
    return new MessageRuns(Arrays.stream(plain.split("\\+")).map(MessageRuns::parseRun).toList());
  }

  private static Run parseRun(String text) {
    String[] parts = text.strip().split("x");
    boolean kibi = parts[1].endsWith("K");
    int number = Integer.parseInt(kibi ? parts[1].substring(0, parts[1].length() - 1) : parts[1]);
    return new Run(Long.parseLong(parts[0]), kibi ? number * KIBI : number);
  }

  @Override
  public String toString() {
    return runs.isEmpty()
        ? NONE_TEXT
        : runs.stream()
            .map(run -> run.count() + "x" + length(run.bytes()))
            .collect(Collectors.joining("+"));
  }

  private static String length(int bytes) {
    return bytes > 0 && bytes % KIBI == 0 ? bytes / KIBI + "K" : Integer.toString(bytes);
  }
}
