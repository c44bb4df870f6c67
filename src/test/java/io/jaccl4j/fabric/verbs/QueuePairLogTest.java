package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Topology;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.LogCapture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log says of each queue pair. */
@Timeout(60)
class QueuePairLogTest {
  private static final Pattern LINE =
      Pattern.compile(
          "DEBUG Group \\[verbs] epoch \\[1] rank \\[(?<rank>\\d+)] wire \\[(?<wire>\\d+)]: \\[RC]"
              + " \\[queue pair (?<number>\\d+), psn (?<psn>\\d+), gid (?<gid>[0-9.]+)]"
              + " on device \\[(?<device>\\w+)] port \\[1] gid index \\[(?<index>\\d+)] mtu \\[1024]"
              + " connects to rank \\[(?<peer>\\d+)] \\[queue pair (?<peerNumber>\\d+),"
              + " psn (?<peerPsn>\\d+), gid (?<peerGid>[0-9.]+)] on device \\[(?<peerDevice>\\w+)]");

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  @Test
  void shouldTellBothEndsOfEveryQueuePairInOneLine() {
    int size = 3;
    List<String> lines;
    try (LogCapture log = LogCapture.debug(VerbsLinks.class.getName());
        LocalRanks ranks =
            VerbsGroupTest.form(emulated.settings(size).withTopology(Topology.MESH))) {
      lines = log.lines();
      assertThat(ranks.all()).hasSize(size);
    }
    assertThat(lines).hasSize(size * (size - 1));
    Map<String, String> ownEnds = new HashMap<>();
    Map<String, String> peersEnds = new HashMap<>();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line);
      assertThat(parts.matches()).as(line).isTrue();
      assertThat(parts.group("index")).isEqualTo("1");
      String own = end(parts, "rank", "number", "psn", "gid", "device");
      String peers = end(parts, "peer", "peerNumber", "peerPsn", "peerGid", "peerDevice");
      assertThat(ownEnds.put(parts.group("rank") + parts.group("wire"), own)).isNull();
      peersEnds.put(parts.group("peer") + parts.group("wire"), peers);
    }
    assertThat(peersEnds).as("what peers say of each end").isEqualTo(ownEnds);
    emulated.checkQuiet();
  }

  private static String end(Matcher parts, String... names) {
    StringBuilder end = new StringBuilder();
    for (String name : names) {
      end.append(parts.group(name)).append(' ');
    }
    return end.toString();
  }
}
