package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvContextOps;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The completion queue of one device, and the completions of its last poll. */
final class CompletionQueue {
  private static final int BATCH = 16;

  private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long WC_BYTES = IbvStructs.IBV_WC.byteSize();
  private static final long WR_ID = IbvStructs.offset(IbvStructs.IBV_WC, "wr_id");
  private static final long STATUS = IbvStructs.offset(IbvStructs.IBV_WC, "status");
  private static final long VENDOR_ERR = IbvStructs.offset(IbvStructs.IBV_WC, "vendor_err");
  private static final long BYTE_LEN = IbvStructs.offset(IbvStructs.IBV_WC, "byte_len");
  private static final long IMM_DATA = IbvStructs.offset(IbvStructs.IBV_WC, "imm_data");
  private static final long QP_NUM = IbvStructs.offset(IbvStructs.IBV_WC, "qp_num");
  private static final long WC_FLAGS = IbvStructs.offset(IbvStructs.IBV_WC, "wc_flags");

  private final String device;
  private final IbvContextOps ops;
  private final NativeObject queue;
  private final MemorySegment completions;
  private final int entries;

  CompletionQueue(
      DeviceContext context, IbvContextOps ops, Arena arena, int entries, MemorySegment channel) {
    this.device = context.name();
    this.ops = ops;
    this.entries = entries;
    this.completions = arena.allocate(WC_BYTES * BATCH, 64);
    this.queue =
        NativeObject.make(
            context.verbs(),
            device,
            "ibv_create_cq",
            () ->
                context
                    .verbs()
                    .ibv_create_cq(context.pointer(), entries, MemorySegment.NULL, channel, 0),
            () -> " (" + entries + " entries)",
            "ibv_destroy_cq",
            context.verbs()::ibv_destroy_cq);
  }

  MemorySegment pointer() {
    return queue.pointer();
  }

  /** Most completions that can be waiting. */
  int entries() {
    return entries;
  }

  /** Takes completions; their number. */
  int poll() {
    int count = ops.ibv_poll_cq(queue.pointer(), BATCH, completions);
    if (count < 0 || count > BATCH) {
      throw new FabricException(
          "device " + device + ": ibv_poll_cq returned " + count + "; the device may have gone",
          null);
    }
    return count;
  }

  /** Asks for a notification of the next completion. */
  void arm() {
    int errno = ops.ibv_req_notify_cq(queue.pointer(), 0);
    if (errno != 0) {
      throw new FabricException(
          "device "
              + device
              + ": ibv_req_notify_cq failed with "
              + Errno.describe(Math.abs(errno))
              + "; set jaccl4j.idle.events = off",
          null);
    }
  }

  long workId(int i) {
    return completions.get(JAVA_LONG, i * WC_BYTES + WR_ID);
  }

  int status(int i) {
    return completions.get(JAVA_INT, i * WC_BYTES + STATUS);
  }

  int vendorError(int i) {
    return completions.get(JAVA_INT, i * WC_BYTES + VENDOR_ERR);
  }

  int bytes(int i) {
    return completions.get(JAVA_INT, i * WC_BYTES + BYTE_LEN);
  }

  int immediate(int i) {
    return completions.get(NETWORK_INT, i * WC_BYTES + IMM_DATA);
  }

  int queuePairNumber(int i) {
    return completions.get(JAVA_INT, i * WC_BYTES + QP_NUM);
  }

  boolean hasImmediate(int i) {
    return (completions.get(JAVA_INT, i * WC_BYTES + WC_FLAGS) & IbvConstants.IBV_WC_WITH_IMM) != 0;
  }

  void destroy() {
    queue.destroy();
  }
}
