package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.Timing;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankProtocolTest {
  private static final String NASTY = "a\tb\nc\\t\r\\ \u00fc\u20ac @jaccl4j";

  static Stream<RankMessage> messages() {
    return Stream.of(
        new RankMessage.Listening("pekko://jaccl4j@127.0.0.1:4711"),
        new RankMessage.MemberUp(),
        new RankMessage.Event(new GroupEvent.Gathering(List.of("a", NASTY), 4, 12)),
        new RankMessage.Event(new GroupEvent.Gathering(List.of(), 4, 12)),
        new RankMessage.Event(
            new GroupEvent.RanksAssigned(
                Long.MAX_VALUE,
                1,
                List.of(
                    new GroupMember(0, "x", Long.MIN_VALUE, "host"),
                    new GroupMember(1, NASTY, -1, "")))),
        new RankMessage.Event(new GroupEvent.LinksUp("shm", 3, NASTY)),
        new RankMessage.Event(new GroupEvent.Ready(2, 3)),
        new RankMessage.Event(new GroupEvent.SlowPeer("allSum", 17, "rank 3", 5)),
        new RankMessage.Event(
            new GroupEvent.Failed(
                new GroupFailure(GroupFailure.Kind.PEER_LOST, 2, "address", 0, NASTY))),
        new RankMessage.Event(new GroupEvent.Closed()),
        new RankMessage.StepDone(
            new StepResult(
                "title",
                List.of("one", "two"),
                List.of(
                    new StepResult.Row(List.of("", NASTY), List.of()),
                    new StepResult.Row(
                        List.of("1", "2"),
                        List.of(
                            new Check("s", "got", "want", false), new Check("t", "", "", true)))),
                "")),
        new RankMessage.Doing(NASTY),
        new RankMessage.Measured(
            new Measurement(
                Operation.ALL_GATHER,
                Dtype.BFLOAT16,
                NASTY,
                Mode.HAND_OVER,
                16,
                Long.MAX_VALUE,
                3,
                new Timing(5, 6, 1.0 / 3, 1e300, 12_345.678),
                Measurement.NOT_CHECKED,
                Double.MIN_VALUE)),
        new RankMessage.Finished(3),
        new RankMessage.Failed(3, NASTY));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldReadWhatItWrites(RankMessage message) {
    String line = RankProtocol.encode(message);
    assertThat(line).doesNotContain("\n", "\r");
    assertThat(RankProtocol.decode(line)).contains(message);
  }

  @Test
  void shouldReadTheJoinThatItWrites() {
    assertThat(RankProtocol.decodeJoin(RankProtocol.encodeJoin(NASTY))).isEqualTo(NASTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "warning: something",
        "@jaccl4j",
        "@jaccl4jx\tmember-up",
        " @jaccl4j\tmember-up"
      })
  void shouldLeaveOrdinaryOutputAlone(String line) {
    assertThat(RankProtocol.decode(line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@jaccl4j\tdance",
        "@jaccl4j\tlistening",
        "@jaccl4j\tlistening\ta\tb",
        "@jaccl4j\tfinished\tthree",
        "@jaccl4j\tmeasured\tALL_SUM\tFLOAT8",
        "@jaccl4j\tgathering\t9\ta\t4\t12",
        "@jaccl4j\tgathering\t-1\t4\t12",
        "@jaccl4j\tlistening\ta\\x",
        "@jaccl4j\tlistening\ta\\",
        "@jaccl4j\tgroup-failed\tBAD_LUCK\t1\ta\t1\tb",
      })
  void shouldRefuseABrokenMessage(String line) {
    assertThatThrownBy(() -> RankProtocol.decode(line))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "join\ta", "@jaccl4j\tleave\ta", "@jaccl4j\tjoin", "@jaccl4j\tjoin\ta\tb"})
  void shouldRefuseABrokenJoin(String line) {
    assertThatThrownBy(() -> RankProtocol.decodeJoin(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line ");
  }
}
