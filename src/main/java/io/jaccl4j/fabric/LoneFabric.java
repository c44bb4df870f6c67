package io.jaccl4j.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The fabric of a group of one: memory, and no links. */
public final class LoneFabric implements Fabric {
  /** Name, as in the configuration. */
  public static final String NAME = "none";

  private final Arena arena = Arena.ofShared();
  private final LoneMemory memory;
  private boolean closed;

  public LoneFabric(long heapBytes) {
    this.memory = new LoneMemory(arena, new HeapBudget(heapBytes));
  }

  @Override
  public String name() {
    return NAME;
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
    throw new FabricException("a group of one has no links, not even " + wire, null);
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public int poll(CompletionHandler handler) {
    return 0;
  }

  @Override
  public String describe() {
    return "no links, one rank";
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      arena.close();
    }
  }

  private record LoneMemory(Arena arena, HeapBudget heap) implements RegisteredMemory {
    private static final long ALIGNMENT_BYTES = 64;

    @Override
    public MemorySegment segment() {
      return MemorySegment.NULL;
    }

    @Override
    public int slotBytes() {
      return 0;
    }

    @Override
    public int slots() {
      return 0;
    }

    @Override
    public long slotOffset(int slot) {
      throw new IndexOutOfBoundsException(slot);
    }

    @Override
    public long offsetOf(MemorySegment buffer) {
      return -1;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      heap.take(bytes);
      return arena.allocate(bytes, ALIGNMENT_BYTES);
    }
  }
}
