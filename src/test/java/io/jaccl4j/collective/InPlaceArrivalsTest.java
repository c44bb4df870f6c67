package io.jaccl4j.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.LinkCounters;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rank 0 of 2 over a link that receives in place: where its receives are posted for. */
class InPlaceArrivalsTest {
  private static final int SLOT_BYTES = 8192;
  private static final int SLOTS = 8;
  private static final long HEAP = (long) SLOTS * SLOT_BYTES;
  private static final int HEAP_BYTES = 64 * 1024;

  private final MemorySegment slab = Arena.ofAuto().allocate(HEAP + HEAP_BYTES, 64);
  private final List<String> posts = new ArrayList<>();
  private final List<Long> receiveIds = new ArrayList<>();
  private final FakeLink link = new FakeLink();

  private final class FakeLink implements Link {
    @Override
    public int peer() {
      return 1;
    }

    @Override
    public int wire() {
      return 0;
    }

    @Override
    public int depth() {
      return 8;
    }

    @Override
    public void postReceive(long workId, int capacityBytes) {
      receiveIds.add(workId);
      posts.add("anywhere");
    }

    @Override
    public void postReceive(long workId, int capacityBytes, long offset, int bytes, int immediate) {
      receiveIds.add(workId);
      posts.add(bytes + " bytes to heap + " + (offset - HEAP));
    }

    @Override
    public void postSend(long workId, long offset, int bytes, int immediate) {}

    @Override
    public void release() {}

    @Override
    public LinkCounters counters() {
      return new LinkCounters(0, 0, 0, 0, 0, 0);
    }
  }

  private final class FakeFabric implements Fabric, RegisteredMemory {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    public byte[] destination() {
      return new byte[0];
    }

    @Override
    public void connect(List<byte[]> destinations) {}

    @Override
    public void established() {}

    @Override
    public Link link(int wire) {
      return link;
    }

    @Override
    public RegisteredMemory memory() {
      return this;
    }

    @Override
    public int poll(CompletionHandler handler) {
      return 0;
    }

    @Override
    public String describe() {
      return "";
    }

    @Override
    public void close() {}

    @Override
    public MemorySegment segment() {
      return slab;
    }

    @Override
    public int slotBytes() {
      return SLOT_BYTES;
    }

    @Override
    public int slots() {
      return SLOTS;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      throw new UnsupportedOperationException();
    }
  }

  private MeshAlgorithms mesh(WireMode wire) {
    return new MeshAlgorithms(0, 2, new FakeFabric(), TestSettings.of("in-place", 2).mesh(), wire);
  }

  private MemorySegment heap(long offset, long bytes) {
    return slab.asSlice(HEAP + offset, bytes);
  }

  @Test
  void shouldSayWhereEachMessageOfAGatherGoes() {
    MemorySegment out = heap(128, 2 * 9000);
    mesh(WireMode.EXACT).allGather(heap(40_000, 9000), out, 0).start();
    assertThat(posts)
        .containsExactly(
            "8192 bytes to heap + " + (128 + 9000), "808 bytes to heap + " + (128 + 17_192));
  }

  @Test
  void shouldSayWhereATransferGoes() {
    mesh(WireMode.EXACT).receive(heap(64, 100), 1, 0).start();
    assertThat(posts).containsExactly("100 bytes to heap + 64");
  }

  @Test
  void shouldLeaveMemoryThatIsNotRegisteredToTheLink() {
    mesh(WireMode.EXACT).receive(Arena.ofAuto().allocate(100), 1, 0).start();
    assertThat(posts).containsExactly("anywhere");
  }

  /** Its messages are longer than what they carry. */
  @Test
  void shouldNotReceiveInPlaceOnTheWireOfJaccl() {
    mesh(WireMode.MLX).receive(heap(64, 100), 1, 0).start();
    assertThat(posts).containsExactly("anywhere");
  }

  @Test
  void shouldCopyWhatCameElsewhereAndLeaveWhatIsInItsPlace() {
    MemorySegment data = heap(0, SLOT_BYTES + 10);
    Collective receive = mesh(WireMode.EXACT).receive(data, 1, 7);
    receive.start();
    data.fill((byte) 3);
    receive.onReceive(link, receiveIds.get(0), slab, HEAP, SLOT_BYTES, 7);
    MemorySegment elsewhere = Arena.ofAuto().allocate(10).fill((byte) 4);
    receive.onReceive(link, receiveIds.get(1), elsewhere, 0, 10, 7);
    assertThat(receive.isDone()).isTrue();
    assertThat(data.get(JAVA_BYTE, SLOT_BYTES - 1)).isEqualTo((byte) 3);
    assertThat(data.asSlice(SLOT_BYTES, 10).mismatch(elsewhere)).isEqualTo(-1);
  }
}
