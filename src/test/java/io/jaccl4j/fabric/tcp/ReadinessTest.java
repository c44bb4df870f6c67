package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a rank that sleeps on its sockets is woken. */
@Timeout(60)
class ReadinessTest {
  private static final int SLOT_BYTES = 64 * 1024;
  private static final int SLOTS = 8;

  /** A test that is not woken fails by its own time limit long before. */
  private static final long FOR_EVER_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final CompletionHandler IGNORE =
      new CompletionHandler() {
        @Override
        public void onSendComplete(Link link, long workId) {}

        @Override
        public void onReceive(
            Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
          link.release();
        }
      };

  private final Arena arena = Arena.ofShared();
  private final TcpMemory memory = new TcpMemory(SLOT_BYTES, SLOTS, 2, TcpLink.DEPTH, 1 << 16);
  private final SocketPair pair = SocketPair.open(true);
  private TcpLink here;
  private TcpLink there;
  private Readiness readiness;

  @BeforeEach
  void connect() throws IOException {
    here = link(0, new Connection(pair.first(), member(1), 0, 0, null, null));
    there = link(1, new Connection(pair.second(), member(0), 0, 0, null, null));
    readiness = new Readiness(new TcpLink[] {here});
  }

  private TcpLink link(int index, Connection connection) {
    return new TcpLink(
        index, new Wire(0, 0, 1), member(1 - index), new Connection[] {connection}, memory, arena);
  }

  private static GroupMember member(int rank) {
    return new GroupMember(rank, "test://host:" + (9000 + rank), 1, "host");
  }

  @AfterEach
  void close() throws IOException {
    readiness.close();
    pair.first().close();
    pair.second().close();
    memory.free();
    arena.close();
  }

  @Test
  void shouldWakeWhenAwaitedBytesCome() {
    here.postReceive(1, SLOT_BYTES);
    CompletableFuture<Void> asleep =
        CompletableFuture.runAsync(() -> readiness.await(FOR_EVER_MILLIS));
    there.postSend(1, memory.slotOffset(0), 4, 0);
    asleep.join();
    assertThat(here.poll(IGNORE)).isEqualTo(1);
  }

  @Test
  void shouldNotWakeAgainAndAgainForBytesThatNobodyAwaits() {
    here.postReceive(1, SLOT_BYTES);
    readiness.await(1);
    there.postSend(1, memory.slotOffset(0), 4, 0);
    readiness.await(FOR_EVER_MILLIS);
    assertThat(here.poll(IGNORE)).isEqualTo(1);
    // Ahead of this rank, which awaits nothing now: it may be woken once.
    there.postSend(2, memory.slotOffset(0), 4, 0);
    readiness.await(FOR_EVER_MILLIS);
    long startNanos = System.nanoTime();
    readiness.await(20);
    assertThat(System.nanoTime() - startNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(15));
    // And must not miss it afterwards.
    here.postReceive(2, SLOT_BYTES);
    readiness.await(FOR_EVER_MILLIS);
    assertThat(here.poll(IGNORE)).isEqualTo(1);
  }

  @Test
  void shouldWakeWhenTheKernelHasRoomForBytesThatAreLeft() {
    int sends = 0;
    while (!here.hasUnsentBytes(0)) {
      here.postSend(sends, memory.slotOffset(sends), SLOT_BYTES, 0);
      there.postReceive(sends++, SLOT_BYTES);
    }
    CompletableFuture<Void> asleep =
        CompletableFuture.runAsync(() -> readiness.await(FOR_EVER_MILLIS));
    while (!asleep.isDone()) {
      there.poll(IGNORE);
    }
    asleep.join();
  }

  @Test
  void shouldWakeWhenThePeerCloses() throws IOException {
    here.postReceive(1, SLOT_BYTES);
    CompletableFuture<Void> asleep =
        CompletableFuture.runAsync(() -> readiness.await(FOR_EVER_MILLIS));
    pair.second().close();
    asleep.join();
  }

  @Test
  void shouldSleepNoLongerThanItIsTold() {
    here.postReceive(1, SLOT_BYTES);
    readiness.await(1);
    assertThat(here.poll(IGNORE)).isZero();
  }
}
