package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Prebuilt receive requests of one queue pair, each for one slot. */
final class ReceiveRequests {
  private static final long WR_BYTES = IbvStructs.IBV_RECV_WR.byteSize();
  private static final long SGE_BYTES = IbvStructs.IBV_SGE.byteSize();
  private static final long WR_ID = IbvStructs.offset(IbvStructs.IBV_RECV_WR, "wr_id");
  private static final long SG_LIST = IbvStructs.offset(IbvStructs.IBV_RECV_WR, "sg_list");
  private static final long NUM_SGE = IbvStructs.offset(IbvStructs.IBV_RECV_WR, "num_sge");
  private static final long ADDR = IbvStructs.offset(IbvStructs.IBV_SGE, "addr");
  private static final long LENGTH = IbvStructs.offset(IbvStructs.IBV_SGE, "length");
  private static final long LKEY = IbvStructs.offset(IbvStructs.IBV_SGE, "lkey");

  private final MemorySegment[] requests;
  private final MemorySegment[] elements;

  /**
   * Builds them.
   *
   * @param firstOffset of the first slot in the slab; the others follow it
   */
  ReceiveRequests(Arena arena, int count, SlabRegions regions, long firstOffset, int slotBytes) {
    requests = new MemorySegment[count];
    elements = new MemorySegment[count];
    MemorySegment wrs = arena.allocate(WR_BYTES * count, 64);
    MemorySegment sges = arena.allocate(SGE_BYTES * count, 64);
    for (int i = 0; i < count; i++) {
      MemorySegment element = sges.asSlice(i * SGE_BYTES, SGE_BYTES);
      long offset = firstOffset + (long) i * slotBytes;
      element.set(JAVA_LONG, ADDR, regions.address(offset));
      element.set(JAVA_INT, LENGTH, slotBytes);
      element.set(JAVA_INT, LKEY, regions.lkey(offset));
      MemorySegment request = wrs.asSlice(i * WR_BYTES, WR_BYTES);
      request.set(ADDRESS, SG_LIST, element);
      request.set(JAVA_INT, NUM_SGE, 1);
      requests[i] = request;
      elements[i] = element;
    }
  }

  MemorySegment whole(int slot, long workId) {
    MemorySegment request = requests[slot];
    request.set(JAVA_LONG, WR_ID, workId);
    return request;
  }

  MemorySegment of(int slot, long workId, int bytes) {
    elements[slot].set(JAVA_INT, LENGTH, bytes);
    return whole(slot, workId);
  }
}
