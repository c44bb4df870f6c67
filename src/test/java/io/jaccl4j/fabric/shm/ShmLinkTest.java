package io.jaccl4j.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a link in one thread: what is delivered, when, and what is refused. */
class ShmLinkTest {
  private static final ShmLayout LAYOUT = new ShmLayout(2, 1, 4, 4096, 0);
  private static final Wire WIRE = new Wire(0, 0, 1);
  private static final byte[] TOKEN = new byte[ShmLayout.TOKEN_BYTES];

  @TempDir Path directory;

  private ShmFile file;
  private ShmMemory memory;
  private ShmLink sender;
  private ShmLink receiver;
  private final Recorder sent = new Recorder();
  private final Recorder received = new Recorder();

  @BeforeEach
  void open() {
    file = ShmFile.create(directory, "link", TOKEN, LAYOUT);
    memory = new ShmMemory(file, 0);
    memory.reserveSlots();
    sender = new ShmLink(file, 0, WIRE);
    receiver = new ShmLink(file, 1, WIRE);
  }

  @AfterEach
  void close() {
    file.close();
  }

  private static final class Recorder implements CompletionHandler {
    private final List<Long> sends = new ArrayList<>();
    private final Deque<String> messages = new ArrayDeque<>();

    @Override
    public void onSendComplete(Link link, long workId) {
      sends.add(workId);
    }

    @Override
    public void onReceive(
        Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
      long checksum = 0;
      for (long i = 0; i < bytes; i++) {
        checksum = checksum * 31 + memory.get(ValueLayout.JAVA_BYTE, offset + i);
      }
      messages.add(workId + ":" + bytes + ":" + immediate + ":" + checksum);
    }
  }

  private String put(int slot, int bytes, int value) {
    long checksum = 0;
    for (int i = 0; i < bytes; i++) {
      byte b = (byte) (value + i);
      memory.segment().set(ValueLayout.JAVA_BYTE, memory.slotOffset(slot) + i, b);
      checksum = checksum * 31 + b;
    }
    return bytes + ":" + value + ":" + checksum;
  }

  @Test
  void shouldDeliverOnlyIntoPostedReceives() {
    String want = put(0, 100, 5);
    sender.postSend(7, memory.slotOffset(0), 100, 5);
    assertThat(receiver.poll(received)).isZero();
    receiver.postReceive(70, 4096);
    assertThat(receiver.poll(received)).isOne();
    assertThat(received.messages).containsExactly("70:" + want);
  }

  @Test
  void shouldCompleteASendFromASlotWhenTheMessageIsReleased() {
    sender.postSend(7, memory.slotOffset(0), 41, 0);
    receiver.postReceive(70, 4096);
    receiver.poll(received);
    assertThat(sender.poll(sent)).isZero();
    receiver.release();
    assertThat(sender.poll(sent)).isOne();
    assertThat(sent.sends).containsExactly(7L);
  }

  @Test
  void shouldCompleteInlineSendsAtOnceAndKeepTheirBytes() {
    String want = put(0, 40, 9);
    sender.postSend(7, memory.slotOffset(0), 40, 9);
    assertThat(sender.poll(sent)).isOne();
    put(0, 40, 77);
    receiver.postReceive(70, 4096);
    receiver.poll(received);
    assertThat(received.messages).containsExactly("70:" + want);
  }

  @Test
  void shouldHoldInlineSendsBackWhenEightLieUnread() {
    for (int i = 0; i < ShmLink.DEPTH; i++) {
      sender.postSend(i, memory.slotOffset(0), 4, i);
    }
    assertThat(sender.poll(sent)).isEqualTo(ShmLink.DEPTH - 1);
    sender.postSend(100, memory.slotOffset(0), 4, 100);
    assertThat(sender.poll(sent)).isZero();
    receiver.postReceive(0, 4096);
    receiver.poll(received);
    receiver.release();
    assertThat(sender.poll(sent)).isOne();
  }

  @Test
  void shouldKeepOrderAndContentOverManyRounds() {
    long seed = 4711;
    SplittableRandom random = new SplittableRandom(seed);
    Deque<String> expected = new ArrayDeque<>();
    Deque<Integer> busySlots = new ArrayDeque<>();
    Deque<Integer> freeSlots = new ArrayDeque<>(List.of(0, 1, 2, 3));
    int messages = 0;
    int delivered = 0;
    int postedReceives = 0;
    while (delivered < 5000) {
      if (random.nextBoolean() && !freeSlots.isEmpty()) {
        int slot = freeSlots.poll();
        busySlots.add(slot);
        int bytes = random.nextBoolean() ? random.nextInt(41) : random.nextInt(4097);
        expected.add(messages + ":" + put(slot, bytes, messages));
        sender.postSend(slot, memory.slotOffset(slot), bytes, messages++);
      }
      if (random.nextBoolean() && postedReceives - delivered < ShmLink.DEPTH) {
        receiver.postReceive(postedReceives++, 4096);
      }
      receiver.poll(received);
      while (!received.messages.isEmpty()) {
        assertThat(received.messages.poll()).as("seed %d", seed).isEqualTo(expected.poll());
        receiver.release();
        delivered++;
      }
      sender.poll(sent);
      for (long slot : sent.sends) {
        assertThat(busySlots.poll())
            .as("completions in order, seed %d", seed)
            .isEqualTo((int) slot);
        freeSlots.add((int) slot);
      }
      sent.sends.clear();
    }
  }

  @Test
  void shouldRefuseAMessageLongerThanItsReceive() {
    sender.postSend(1, memory.slotOffset(0), 200, 0);
    receiver.postReceive(1, 100);
    assertThatThrownBy(() -> receiver.poll(received))
        .isInstanceOf(FabricException.class)
        .hasMessage("message of 200 bytes for a receive of 100");
  }

  @Test
  void shouldRefuseAnEntryThatPointsOutsideOfItsSendersMemory() {
    receiver.postReceive(1, 4096);
    sender.postSend(1, LAYOUT.areaBytes() - 100, 101, 0);
    assertThatThrownBy(() -> receiver.poll(received))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isZero())
        .hasMessageContaining("outside of its sender's memory");
  }

  @Test
  void shouldRefuseMoreWorkThanItsDepth() {
    for (int i = 0; i < ShmLink.DEPTH; i++) {
      sender.postSend(i, memory.slotOffset(0), 100, i);
      sender.postReceive(i, 4096);
    }
    assertThatThrownBy(() -> sender.postSend(9, memory.slotOffset(0), 100, 9))
        .hasMessage("more than 8 sends posted");
    assertThatThrownBy(() -> sender.postReceive(9, 4096)).hasMessage("more than 8 receives posted");
    assertThatThrownBy(() -> receiver.release())
        .hasMessage("released a message that was not delivered");
  }
}
