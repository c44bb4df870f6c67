package io.jaccl4j.init;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One round over the side channel in which every rank tells what must be equal on all, so that all
 * of them refuse a difference with the same words. Among ranks of this library alone.
 */
final class SettingsAgreement {
  private static final String ABSENT = "not there";

  private final AllGather channel;
  private final String group;

  SettingsAgreement(AllGather channel, String group) {
    this.channel = channel;
    this.group = group;
  }

  /**
   * Compares, which takes as long as the last rank does.
   *
   * @param own values by name, without line breaks
   * @throws FormationException if a rank has another value; names it, the first differing name and
   *     both values
   */
  void reach(SortedMap<String, String> own, long timeoutNanos) {
    List<byte[]> all = channel.allGather(encode(own), timeoutNanos);
    SortedMap<String, String> first = decode(all.getFirst());
    for (int rank = 1; rank < all.size(); rank++) {
      compare(first, rank, decode(all.get(rank)));
    }
  }

  private void compare(SortedMap<String, String> first, int rank, SortedMap<String, String> other) {
    TreeSet<String> names = new TreeSet<>(first.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      String wanted = first.getOrDefault(name, ABSENT);
      String got = other.getOrDefault(name, ABSENT);
      if (!wanted.equals(got)) {
        throw new FormationException(
            Reason.SETTINGS_DIFFER,
            "group [%s]: %s is [%s] on rank 0 and [%s] on rank %d; make it equal on all ranks"
                .formatted(group, name, wanted, got, rank));
      }
    }
  }

  private static byte[] encode(SortedMap<String, String> values) {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static SortedMap<String, String> decode(byte[] bytes) {
    SortedMap<String, String> values = new TreeMap<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
      int equals = line.indexOf('=');
      values.put(
          equals < 0 ? line : line.substring(0, equals),
          equals < 0 ? "" : line.substring(equals + 1));
    }
    return values;
  }
}
