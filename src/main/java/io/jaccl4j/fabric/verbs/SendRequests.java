package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Prebuilt send requests of one queue pair, one scatter element each. */
final class SendRequests {
  private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long WR_BYTES = IbvStructs.IBV_SEND_WR.byteSize();
  private static final long SGE_BYTES = IbvStructs.IBV_SGE.byteSize();
  private static final long WR_ID = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "wr_id");
  private static final long SG_LIST = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "sg_list");
  private static final long NUM_SGE = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "num_sge");
  private static final long OPCODE = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "opcode");
  private static final long SEND_FLAGS = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "send_flags");
  private static final long IMM_DATA = IbvStructs.offset(IbvStructs.IBV_SEND_WR, "imm_data");
  private static final long ADDR = IbvStructs.offset(IbvStructs.IBV_SGE, "addr");
  private static final long LENGTH = IbvStructs.offset(IbvStructs.IBV_SGE, "length");
  private static final long LKEY = IbvStructs.offset(IbvStructs.IBV_SGE, "lkey");

  private final SlabRegions regions;
  private final MemorySegment[] requests;
  private final MemorySegment[] elements;

  SendRequests(Arena arena, int count, SlabRegions regions) {
    this.regions = regions;
    requests = new MemorySegment[count];
    elements = new MemorySegment[count];
    MemorySegment wrs = arena.allocate(WR_BYTES * count, 64);
    MemorySegment sges = arena.allocate(SGE_BYTES * count, 64);
    for (int i = 0; i < count; i++) {
      MemorySegment element = sges.asSlice(i * SGE_BYTES, SGE_BYTES);
      MemorySegment request = wrs.asSlice(i * WR_BYTES, WR_BYTES);
      request.set(ADDRESS, SG_LIST, element);
      request.set(JAVA_INT, SEND_FLAGS, IbvConstants.IBV_SEND_SIGNALED);
      requests[i] = request;
      elements[i] = element;
    }
  }

  /** The next request, as a message without immediate data, from an offset of the slab. */
  MemorySegment plain(int index, long workId, long offset, int bytes) {
    MemorySegment request = fill(index, workId, offset, bytes);
    request.set(JAVA_INT, OPCODE, IbvConstants.IBV_WR_SEND);
    return request;
  }

  /** The next request, as a message with immediate data, from an offset of the slab. */
  MemorySegment withImmediate(int index, long workId, long offset, int bytes, int immediate) {
    MemorySegment request = fill(index, workId, offset, bytes);
    request.set(JAVA_INT, OPCODE, IbvConstants.IBV_WR_SEND_WITH_IMM);
    request.set(NETWORK_INT, IMM_DATA, immediate);
    return request;
  }

  private MemorySegment fill(int index, long workId, long offset, int bytes) {
    MemorySegment element = elements[index];
    element.set(JAVA_LONG, ADDR, regions.address(offset));
    element.set(JAVA_INT, LKEY, regions.lkey(offset));
    element.set(JAVA_INT, LENGTH, bytes);
    MemorySegment request = requests[index];
    request.set(JAVA_LONG, WR_ID, workId);
    // To some hardware an element of length 0 is one of two gibibytes.
    request.set(JAVA_INT, NUM_SGE, bytes == 0 ? 0 : 1);
    return request;
  }
}
