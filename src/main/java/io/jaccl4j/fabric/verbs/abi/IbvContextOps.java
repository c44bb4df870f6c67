package io.jaccl4j.fabric.verbs.abi;

import java.lang.foreign.MemorySegment;

/**
 * The header's inline functions, which call through the table of one context. They neither sleep
 * nor allocate.
 */
public interface IbvContextOps {

  /** Number of completions written to {@code wc}; negative on an error. */
  int ibv_poll_cq(MemorySegment cq, int numEntries, MemorySegment wc);

  int ibv_req_notify_cq(MemorySegment cq, int solicitedOnly);

  int ibv_post_send(MemorySegment qp, MemorySegment wr, MemorySegment badWr);

  int ibv_post_recv(MemorySegment qp, MemorySegment wr, MemorySegment badWr);
}
