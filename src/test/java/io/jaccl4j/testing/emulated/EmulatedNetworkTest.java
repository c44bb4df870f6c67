package io.jaccl4j.testing.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.fabric.FabricException;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The network does what it says, and its own checks notice what they should. */
class EmulatedNetworkTest {

  private static void write(TwoFabrics two, int rank, int value) {
    two.fabric(rank).memory().segment().set(ValueLayout.JAVA_BYTE, 0, (byte) value);
  }

  @Test
  void shouldDeliverIntoPostedReceivesInOrder() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      write(two, 0, 5);
      two.send(0, 1, 10);
      two.send(0, 2, 20);
      assertThat(two.poll(1, 3)).as("no receive is posted").isEmpty();
      two.link(1).postReceive(100, 4096);
      assertThat(two.poll(1, 1)).containsExactly("received 100 on 0: 10/7");
      assertThat(two.firstByteReceived()).isEqualTo((byte) 5);
      two.link(1).postReceive(101, 4096);
      assertThat(two.poll(1, 1)).containsExactly("received 101 on 0: 20/7");
      assertThat(two.poll(0, 1)).containsExactly("sent 1 on 0", "sent 2 on 0");
      assertThatThrownBy(two.network()::checkQuiet)
          .as("two messages are not released")
          .isInstanceOf(AssertionError.class);
      two.link(1).release();
      two.link(1).release();
      two.network().checkQuiet();
      assertThatThrownBy(two.link(1)::release).isInstanceOf(FabricException.class);
    }
  }

  @Test
  void shouldRecordPostsAndMessages() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      two.link(1).postReceive(1, 4096);
      two.send(0, 1, 10);
      two.poll(0, 1);
      NetworkLog log = two.network().log();
      assertThat(log.messages()).containsExactly(new RecordedMessage(0, 0, 1, 10, 7));
      assertThat(log.posts(0)).containsExactly(new RecordedPost(0, WorkKind.SEND, 0, 1, 10));
      assertThat(log.posts(1)).containsExactly(new RecordedPost(1, WorkKind.RECEIVE, 0, 0, 4096));
    }
  }

  @Test
  void shouldFailAReceiveThatIsTooShort() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      two.link(1).postReceive(0x64, 9);
      two.send(0, 1, 10);
      assertThatThrownBy(() -> two.poll(1, 1))
          .isInstanceOf(FabricException.class)
          .hasMessage("receive 0 with rank 0 on wire 0 (work id 0x64) ended with LOC_LEN (1)");
    }
  }

  @Test
  void shouldNoticeASendThatIsModifiedBeforeItsDelivery() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      two.send(0, 1, 10);
      write(two, 0, 9);
      two.link(1).postReceive(1, 4096);
      two.poll(1, 1);
      assertThat(two.network().violations())
          .containsExactly(
              "wire 0, rank 0 to rank 1: send 0 was modified between its post and its delivery");
      assertThatThrownBy(two.network()::checkSound).hasMessageContaining("seed 0");
    }
  }

  @Test
  void shouldNoticeASendThatIsModifiedBeforeItsCompletion() {
    NetworkScript script = NetworkScript.faultless().sends(SendTiming.EARLY);
    try (TwoFabrics two = new TwoFabrics(script, 1)) {
      two.send(0, 1, 10);
      write(two, 0, 9);
      two.poll(0, 1);
      assertThat(two.network().violations())
          .containsExactly(
              "wire 0, rank 0 to rank 1: send 0 was modified between its post and its completion");
    }
  }

  @Test
  void shouldDeliverWhatWasSentAfterAnEarlyCompletion() {
    NetworkScript script = NetworkScript.faultless().sends(SendTiming.EARLY);
    try (TwoFabrics two = new TwoFabrics(script, 1)) {
      write(two, 0, 5);
      two.send(0, 1, 10);
      assertThat(two.poll(0, 1)).containsExactly("sent 1 on 0");
      write(two, 0, 9);
      two.link(1).postReceive(1, 4096);
      two.poll(1, 1);
      assertThat(two.firstByteReceived()).isEqualTo((byte) 5);
      assertThat(two.network().violations()).isEmpty();
    }
  }

  @Test
  void shouldCompleteLateSendsSeveralPollsAfterTheirDelivery() {
    NetworkScript script = NetworkScript.seeded(3).sends(SendTiming.LATE);
    try (TwoFabrics two = new TwoFabrics(script, 1)) {
      two.link(1).postReceive(1, 4096);
      two.send(0, 1, 10);
      assertThat(two.poll(1, 1)).hasSize(1);
      assertThat(two.poll(0, 20)).containsExactly("sent 1 on 0");
    }
  }

  @Test
  void shouldPoisonWhatIsReleasedAndNoticeWritesToSlots() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      write(two, 0, 5);
      two.link(1).postReceive(1, 4096);
      two.send(0, 1, 10);
      two.poll(1, 1);
      two.link(1).release();
      assertThat(two.firstByteReceived()).isEqualTo((byte) 0x7F);
      two.overwriteReceived();
      two.link(1).postReceive(2, 4096);
      two.send(0, 2, 10);
      two.poll(1, 1);
      two.overwriteReceived();
      two.link(1).release();
      assertThat(two.network().violations())
          .containsExactly(
              "wire 0, rank 0 to rank 1: the slot of receive 1 was written before its message came",
              "wire 0, rank 0 to rank 1: the message of receive 1 was overwritten in its slot");
    }
  }

  @Test
  void shouldDelayMessagesAlikeForTheSameSeed() {
    assertThat(deliveries(8)).isEqualTo(deliveries(8)).isNotEqualTo(deliveries(9));
  }

  /** After how many polls each of some messages arrived. */
  private static List<Integer> deliveries(long seed) {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.unruly(seed), 1)) {
      return IntStream.range(0, 20)
          .map(
              message -> {
                two.link(1).postReceive(message, 4096);
                two.send(0, message, 1);
                int polls = 1;
                while (two.poll(1, 1).isEmpty() && polls < 1000) {
                  polls++;
                }
                two.link(1).release();
                two.poll(0, 20);
                return polls;
              })
          .boxed()
          .toList();
    }
  }

  @Test
  void shouldReorderLinksButNotTheMessagesOfOne() {
    NetworkScript script = NetworkScript.seeded(4).reordering();
    boolean lowFirst = false;
    boolean highFirst = false;
    try (TwoFabrics two = new TwoFabrics(script, 2)) {
      for (int round = 0; round < 20; round++) {
        for (int wire = 0; wire < 2; wire++) {
          for (int message = 0; message < 2; message++) {
            two.fabric(1).link(wire).postReceive(message, 4096);
            two.fabric(0).link(wire).postSend(message, 0, 1, 0);
          }
        }
        List<String> reports = two.poll(1, 1);
        lowFirst |= reports.getFirst().equals("received 0 on 0: 1/0");
        highFirst |= reports.getFirst().equals("received 0 on 1: 1/0");
        for (int wire = 0; wire < 2; wire++) {
          assertThat(reports)
              .containsSubsequence(
                  "received 0 on " + wire + ": 1/0", "received 1 on " + wire + ": 1/0");
          two.fabric(1).link(wire).release();
          two.fabric(1).link(wire).release();
        }
        two.poll(0, 1);
      }
    }
    assertThat(lowFirst && highFirst).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "DUPLICATE, received 1 on 0: 10/7",
    "UNKNOWN_WORK_ID, received -2 on 0: 10/7",
    "OTHER_LINK, received 1 on 1: 10/7"
  })
  void shouldReportACompletionTooMany(ExtraCompletion extra, String report) {
    NetworkScript script = NetworkScript.seeded(5).repeat(1, WorkKind.RECEIVE, 0, extra);
    try (TwoFabrics two = new TwoFabrics(script, 2)) {
      two.link(1).postReceive(1, 4096);
      two.send(0, 1, 10);
      assertThat(two.poll(1, 1)).containsExactly("received 1 on 0: 10/7", report);
    }
  }

  @ParameterizedTest
  @EnumSource(WorkStatus.class)
  void shouldEndASendWithTheStatusOfTheScript(WorkStatus status) {
    NetworkScript script = NetworkScript.seeded(6).finish(0, WorkKind.SEND, 1, status);
    try (TwoFabrics two = new TwoFabrics(script, 1)) {
      two.link(1).postReceive(0, 4096);
      two.link(1).postReceive(1, 4096);
      two.send(0, 0, 10);
      two.send(0, 1, 10);
      if (status == WorkStatus.SUCCESS) {
        assertThat(two.poll(0, 1)).hasSize(2);
      } else {
        assertThatThrownBy(() -> two.poll(0, 1))
            .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isEqualTo(1))
            .hasMessageContaining("send 1 with rank 1 on wire 0")
            .hasMessageContaining("ended with " + status + " (" + status.number() + ")");
        assertThat(two.poll(1, 5)).as("the message is lost").hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(PostFault.class)
  void shouldDoToAPostWhatTheScriptSays(PostFault fault) {
    NetworkScript script = NetworkScript.seeded(7).atPost(0, 1, fault);
    try (TwoFabrics two = new TwoFabrics(script, 1)) {
      two.link(1).postReceive(0, 4096);
      two.link(1).postReceive(1, 4096);
      two.send(0, 0, 10);
      assertThat(two.poll(1, 1)).hasSize(1);
      if (fault == PostFault.REFUSE || fault == PostFault.DIE) {
        assertThatThrownBy(() -> two.send(0, 1, 10))
            .isInstanceOf(FabricException.class)
            .hasMessageStartingWith("post 1 of rank 0 (send on wire 0 with rank 1) was refused");
      } else {
        two.send(0, 1, 10);
      }
      assertThat(two.poll(1, 5)).isEmpty();
      assertThat(two.network().isDead(0)).isEqualTo(fault == PostFault.DIE);
      two.network().thaw(0);
      assertThat(two.poll(1, 5)).hasSize(fault == PostFault.FREEZE ? 1 : 0);
    }
  }

  @Test
  void shouldRefuseMoreThanFits() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      for (int i = 0; i < two.link(0).depth(); i++) {
        two.send(0, i, 1);
        two.link(0).postReceive(i, 1);
      }
      assertThatThrownBy(() -> two.send(0, 9, 1)).hasMessageContaining("more than 8");
      assertThatThrownBy(() -> two.link(0).postReceive(9, 1)).hasMessageContaining("more than 8");
      assertThatThrownBy(() -> two.link(1).postReceive(0, TwoFabrics.SLOT_BYTES + 1))
          .hasMessageContaining("want 0 to 4096");
    }
  }

  @Test
  void shouldNoticeWhatIsLeftOver() {
    TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1);
    two.link(1).postReceive(0, 4096);
    assertThatThrownBy(two.network()::checkQuiet).hasMessageContaining("receivesPosted=1");
    two.fabric(0).close();
    assertThatThrownBy(two.network()::checkReleased).hasMessageContaining("RECEIVE_SLOT=1");
    two.close();
    two.network().checkReleased();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "1x4K", "4x64K+1x4K", "1x400+1x3", "2x0"})
  void shouldReadTheRunsThatItWrites(String text) {
    assertThat(MessageRuns.parse(text)).hasToString(text);
  }

  @Test
  void shouldNameEveryDifferenceFromASchedule() {
    try (TwoFabrics two = new TwoFabrics(NetworkScript.faultless(), 1)) {
      two.link(1).postReceive(1, 4096);
      two.send(0, 1, 4096);
      two.poll(0, 1);
      NetworkLog log = two.network().log();
      new LinkSchedule().sends(0, 0, "1×4K").check(log);
      assertThatThrownBy(() -> new LinkSchedule().sends(0, 1, "2x4K").check(log))
          .hasMessage("rank 0 on wire 0: 1x4K, want -; rank 1 on wire 0: -, want 2x4K");
    }
  }
}
