package io.jaccl4j.fabric.tcp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a link in one thread: what is delivered, when, and how a link ends. */
@Timeout(60)
class TcpLinkTest {
  private static final int SLOT_BYTES = 64 * 1024;
  private static final int SLOTS = 8;
  private static final Wire WIRE = new Wire(0, 0, 1);

  private final Arena arena = Arena.ofShared();
  private final List<SocketChannel> channels = new ArrayList<>();
  private TcpMemory senderMemory;
  private TcpMemory receiverMemory;
  private TcpLink sender;
  private TcpLink receiver;
  private final Recorder sent = new Recorder();
  private final Recorder received = new Recorder();

  private static final class Recorder implements CompletionHandler {
    private final List<Long> sends = new ArrayList<>();
    private final Deque<String> messages = new ArrayDeque<>();
    private long offset;

    @Override
    public void onSendComplete(Link link, long workId) {
      sends.add(workId);
    }

    @Override
    public void onReceive(
        Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
      this.offset = offset;
      messages.add(workId + ":" + bytes + ":" + immediate + ":" + checksum(memory, offset, bytes));
    }
  }

  private static long checksum(MemorySegment memory, long offset, int bytes) {
    long checksum = 0;
    for (long i = 0; i < bytes; i++) {
      checksum = checksum * 31 + memory.get(JAVA_BYTE, offset + i);
    }
    return checksum;
  }

  private void connect(int sockets, boolean smallBuffers) {
    senderMemory = new TcpMemory(SLOT_BYTES, SLOTS, 1, TcpLink.DEPTH, 1 << 20);
    receiverMemory = new TcpMemory(SLOT_BYTES, SLOTS, 1, TcpLink.DEPTH, 1 << 20);
    Connection[] senders = new Connection[sockets];
    Connection[] receivers = new Connection[sockets];
    for (int socket = 0; socket < sockets; socket++) {
      SocketPair pair = SocketPair.open(smallBuffers);
      channels.add(pair.first());
      channels.add(pair.second());
      senders[socket] = connection(pair.first(), 1, socket);
      receivers[socket] = connection(pair.second(), 0, socket);
    }
    sender = new TcpLink(0, WIRE, member(1), senders, senderMemory, arena);
    receiver = new TcpLink(0, WIRE, member(0), receivers, receiverMemory, arena);
  }

  private static GroupMember member(int rank) {
    return new GroupMember(rank, "test://host:" + (9000 + rank), 1, "host");
  }

  private static Connection connection(SocketChannel channel, int peer, int socket) {
    try {
      return new Connection(
          channel, member(peer), 0, socket, channel.getLocalAddress(), channel.getRemoteAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
    senderMemory.free();
    receiverMemory.free();
    arena.close();
  }

  private String put(int slot, int bytes, int value) {
    MemorySegment memory = senderMemory.segment();
    for (int i = 0; i < bytes; i++) {
      memory.set(JAVA_BYTE, senderMemory.slotOffset(slot) + i, (byte) (value + i * 7));
    }
    return bytes + ":" + value + ":" + checksum(memory, senderMemory.slotOffset(slot), bytes);
  }

  private void send(int slot, int bytes, int value) {
    sender.postSend(slot, senderMemory.slotOffset(slot), bytes, value);
  }

  private void receiveUntil(int messages) {
    await()
        .pollDelay(0, TimeUnit.MILLISECONDS)
        .pollInterval(1, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              sender.poll(sent);
              receiver.poll(received);
              return received.messages.size() >= messages;
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 16_439, 16_440, 16_441, SLOT_BYTES})
  void shouldDeliverOnlyIntoPostedReceives(int bytes) {
    connect(1, false);
    String want = put(0, bytes, 5);
    send(0, bytes, 5);
    sender.poll(sent);
    assertThat(sent.sends).as("the kernel has it").containsExactly(0L);
    assertThat(receiver.poll(received)).isZero();
    receiver.postReceive(70, SLOT_BYTES);
    receiveUntil(1);
    assertThat(received.messages).containsExactly("70:" + want);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16_440, SLOT_BYTES})
  void shouldPutTheMessageThatIsExpectedInItsPlace(int bytes) {
    connect(1, false);
    String want = put(0, bytes, 5);
    MemorySegment heap = receiverMemory.allocate(bytes);
    receiver.postReceive(70, SLOT_BYTES, receiverMemory.offsetOf(heap), bytes, 5);
    send(0, bytes, 5);
    receiveUntil(1);
    assertThat(received.messages).containsExactly("70:" + want);
    assertThat(received.offset).isEqualTo(receiverMemory.offsetOf(heap));
    assertThat(bytes + ":5:" + checksum(heap, 0, bytes)).isEqualTo(want);
  }

  @ParameterizedTest
  @CsvSource({"299, 5", "301, 5", "300, 4"})
  void shouldNotPutAMessageOfAnotherLengthOrImmediateThere(int bytes, int immediate) {
    connect(1, false);
    MemorySegment heap = receiverMemory.allocate(300).fill((byte) 9);
    for (int message = 0; message < 2; message++) {
      String want = put(0, bytes, immediate);
      receiver.postReceive(bytes, SLOT_BYTES, receiverMemory.offsetOf(heap), 300, 5);
      send(0, bytes, immediate);
      received.messages.clear();
      receiveUntil(1);
      assertThat(received.messages).containsExactly(bytes + ":" + want);
      assertThat(heap.toArray(JAVA_BYTE)).containsOnly(9);
      receiver.release();
    }
  }

  /** As many as the depth allows stay readable until released, in whatever slots they are. */
  @Test
  void shouldKeepMessagesUntilTheyAreReleased() {
    connect(1, false);
    Deque<Long> held = new ArrayDeque<>();
    Deque<Integer> values = new ArrayDeque<>();
    SplittableRandom random = new SplittableRandom(41);
    for (int message = 0; message < 200; message++) {
      put(0, 100, message);
      receiver.postReceive(message, SLOT_BYTES);
      send(0, 100, message);
      received.messages.clear();
      receiveUntil(1);
      assertThat(held).doesNotContain(received.offset);
      held.add(received.offset);
      values.add(message);
      while (held.size() == TcpLink.DEPTH || !held.isEmpty() && random.nextInt(3) == 0) {
        byte first = receiverMemory.segment().get(JAVA_BYTE, held.remove());
        assertThat(first).isEqualTo(values.remove().byteValue());
        receiver.release();
      }
    }
  }

  @Test
  void shouldHoldASenderThatIsAheadOfItsPeer() {
    connect(1, true);
    List<String> want = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      want.add(slot + ":" + put(slot, SLOT_BYTES, slot));
      send(slot, SLOT_BYTES, slot);
    }
    for (int polls = 0; polls < 1000; polls++) {
      sender.poll(sent);
      receiver.poll(received);
    }
    assertThat(sent.sends).as("the kernel has no room for all").hasSizeLessThan(SLOTS);
    assertThat(sender.sendOn()).as("some is left").isTrue();
    for (int receive = 0; receive < SLOTS; receive++) {
      receiver.postReceive(receive, SLOT_BYTES);
    }
    receiveUntil(SLOTS);
    assertThat(received.messages).containsExactlyElementsOf(want);
    assertThat(sent.sends).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(sender.sendOn()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, false", "3, true", "8, false"})
  void shouldKeepOrderAndContentOverManyRounds(int sockets, boolean smallBuffers) {
    connect(sockets, smallBuffers);
    long seed = 4711 + sockets;
    SplittableRandom random = new SplittableRandom(seed);
    Deque<String> expected = new ArrayDeque<>();
    Deque<Integer> busySlots = new ArrayDeque<>();
    Deque<Integer> freeSlots = new ArrayDeque<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    int messages = 0;
    int delivered = 0;
    int postedReceives = 0;
    while (delivered < 2000) {
      if (random.nextBoolean() && !freeSlots.isEmpty()) {
        int slot = freeSlots.poll();
        busySlots.add(slot);
        int bytes = random.nextInt(4) > 0 ? random.nextInt(64) : random.nextInt(SLOT_BYTES + 1);
        expected.add(messages + ":" + put(slot, bytes, messages));
        send(slot, bytes, messages++);
      }
      if (random.nextBoolean() && postedReceives - delivered < TcpLink.DEPTH) {
        receiver.postReceive(postedReceives++, SLOT_BYTES);
      }
      receiver.poll(received);
      while (!received.messages.isEmpty()) {
        assertThat(received.messages.poll()).as("seed %d", seed).isEqualTo(expected.poll());
        receiver.release();
        delivered++;
      }
      sender.poll(sent);
      for (long slot : sent.sends) {
        assertThat(busySlots.poll()).as("in order, seed %d", seed).isEqualTo((int) slot);
        freeSlots.add((int) slot);
      }
      sent.sends.clear();
    }
  }

  /** Counts; everything else would allocate. */
  private static final class Counter implements CompletionHandler {
    private int count;

    @Override
    public void onSendComplete(Link link, long workId) {
      count++;
    }

    @Override
    public void onReceive(
        Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
      count++;
      link.release();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, SLOT_BYTES})
  void shouldAllocateNothingForAMessage(int bytes) {
    connect(2, false);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    Counter counter = new Counter();
    exchange(counter, bytes, 2000);
    long before = threads.getThreadAllocatedBytes(thread);
    int messages = 2000;
    exchange(counter, bytes, messages);
    long perMessage = (threads.getThreadAllocatedBytes(thread) - before) / messages;
    assertThat(perMessage).as("bytes allocated for a message").isZero();
  }

  private void exchange(Counter counter, int bytes, int messages) {
    for (int message = 0; message < messages; message++) {
      counter.count = 0;
      receiver.postReceive(message, SLOT_BYTES);
      sender.postSend(message, 0, bytes, message);
      while (counter.count < 2) {
        sender.poll(counter);
        receiver.poll(counter);
      }
    }
  }

  @Test
  void shouldRefuseAMessageLongerThanItsReceive() {
    connect(1, false);
    send(0, 200, 0);
    receiver.postReceive(1, 100);
    assertThatThrownBy(() -> receiveUntil(1))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isZero())
        .hasMessageContaining("message of 200 bytes for a receive of 100")
        .hasMessageContaining("rank 0 (test://host:9000) at 127.0.0.1:");
  }

  @Test
  void shouldRefuseMoreWorkThanItsDepth() {
    connect(1, false);
    for (int i = 0; i < TcpLink.DEPTH; i++) {
      sender.postSend(i, 0, 100, i);
      sender.postReceive(i, 4096);
    }
    assertThatThrownBy(() -> sender.postSend(9, 0, 100, 9)).hasMessage("more than 8 sends posted");
    assertThatThrownBy(() -> sender.postReceive(9, 4096)).hasMessage("more than 8 receives posted");
    assertThatThrownBy(() -> receiver.release())
        .hasMessage("released a message that was not delivered");
  }

  private void rawToReceiver(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channels.getFirst().write(buffer);
    }
  }

  private static byte[] header(int bytes, int immediate) {
    return ByteBuffer.allocate(8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes)
        .putInt(immediate)
        .array();
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, Integer.MIN_VALUE, Integer.MAX_VALUE, SLOT_BYTES + 1})
  void shouldRefuseALengthThatNobodySends(int length) throws IOException {
    connect(1, false);
    rawToReceiver(header(length, 0));
    receiver.postReceive(1, SLOT_BYTES);
    assertThatThrownBy(() -> receiveUntil(1))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("message of " + length + " bytes for a receive of " + SLOT_BYTES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | without a farewell before message 0;",
        "5 | without a farewell before message 0, within its header",
        "8 | in the middle of message 0, after 0 of 20000 bytes",
        "108 | in the middle of message 0, after 100 of 20000 bytes",
        "20007 | in the middle of message 0, after 19999 of 20000 bytes",
      })
  void shouldNamePeerAndPlaceWhenTheConnectionEnds(int bytesBefore, String where)
      throws IOException {
    connect(1, false);
    byte[] message = new byte[20_008];
    System.arraycopy(header(20_000, 3), 0, message, 0, 8);
    byte[] part = new byte[bytesBefore];
    System.arraycopy(message, 0, part, 0, bytesBefore);
    rawToReceiver(part);
    channels.getFirst().close();
    receiver.postReceive(1, SLOT_BYTES);
    assertThatThrownBy(() -> receiveUntil(1))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isZero())
        .hasMessageContaining("rank 0 (test://host:9000) at 127.0.0.1:")
        .hasMessageContaining(where);
  }

  @Test
  void shouldNameTheErrorWhenTheConnectionIsReset() throws IOException {
    connect(1, false);
    receiver.postReceive(1, SLOT_BYTES);
    reset(channels.getFirst());
    assertThatThrownBy(() -> receiveUntil(1))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isZero())
        .hasMessageContaining("rank 0 (test://host:9000) at 127.0.0.1:")
        .hasMessageContaining("reading failed: Connection reset (ECONNRESET)");
  }

  @Test
  void shouldNameTheErrorWhenNobodyReads() throws IOException {
    connect(1, false);
    channels.get(1).close();
    assertThatThrownBy(
            () -> {
              for (int message = 0; message < TcpLink.DEPTH; message++) {
                send(0, SLOT_BYTES, message);
                sender.poll(sent);
              }
            })
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("rank 1 (test://host:9001) at 127.0.0.1:")
        .hasMessageMatching(
            "(?s).*writing failed: (Broken pipe \\(EPIPE\\)|Connection reset.* \\(ECONNRESET\\)).*");
  }

  private static void reset(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  @Test
  void shouldNotMindTheEndOfAPeerOfWhichNothingIsAwaited() throws IOException {
    connect(1, false);
    String want = put(0, 1000, 5);
    send(0, 1000, 5);
    sender.poll(sent);
    channels.getFirst().close();
    receiver.postReceive(7, SLOT_BYTES);
    receiveUntil(1);
    assertThat(received.messages).containsExactly("7:" + want);
    for (int polls = 0; polls < 100; polls++) {
      assertThat(receiver.poll(received)).isZero();
    }
    assertThat(receiver.needsDeparted()).isFalse();
  }

  @Test
  void shouldLoseNothingOfAPeerThatPartsAheadOfItsReader() {
    connect(1, true);
    List<String> want = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      want.add(slot + ":" + put(slot, SLOT_BYTES, slot));
      send(slot, SLOT_BYTES, slot);
    }
    // Something unread at its end would make the kernel reset the connection.
    receiver.postSend(1, receiverMemory.slotOffset(0), 1000, 1);
    CompletableFuture<Void> parted =
        CompletableFuture.runAsync(
            () -> {
              new Parting(System::nanoTime).run(List.of(sender));
              sender.connection(0).close();
            });
    for (int receive = 0; receive < SLOTS; receive++) {
      receiver.postReceive(receive, SLOT_BYTES);
    }
    await()
        .pollDelay(0, TimeUnit.MILLISECONDS)
        .pollInterval(1, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              receiver.poll(received);
              return received.messages.size() == SLOTS;
            });
    assertThat(received.messages).containsExactlyElementsOf(want);
    for (int receive = 0; receive < SLOTS; receive++) {
      receiver.release();
    }
    receiver.postReceive(99, SLOT_BYTES);
    await()
        .until(
            () -> {
              receiver.poll(received);
              return receiver.needsDeparted();
            });
    assertThat(receiver.departed())
        .hasMessageContaining("rank 0 (test://host:9000) has closed its end of wire 0")
        .hasMessageContaining("awaits message 8");
    assertThat(parted).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldPartInBoundedTimeFromAPeerThatDoesNotRead() {
    connect(1, true);
    for (int slot = 0; slot < SLOTS; slot++) {
      send(slot, SLOT_BYTES, slot);
    }
    long startNanos = System.nanoTime();
    new Parting(System::nanoTime).run(List.of(sender));
    assertThat(System.nanoTime() - startNanos)
        .isBetween(TimeUnit.MILLISECONDS.toNanos(400), TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  void shouldTakeAFailureToSendForADepartureIfThePeerHasSaidFarewell() throws IOException {
    connect(1, false);
    // The receiver's end leaves in good order and is gone before the sender looks.
    new Parting(System::nanoTime).run(List.of(receiver));
    channels.get(1).close();
    for (int message = 0; message < 4; message++) {
      send(0, SLOT_BYTES, message);
      sender.poll(sent);
    }
    await()
        .until(
            () -> {
              sender.sendOn();
              sender.poll(sent);
              return sender.needsDeparted();
            });
  }
}
