package io.jaccl4j.fabric.verbs.abi;

import java.lang.foreign.MemorySegment;

/** The functions of one context as the owner thread of a fabric may use them. */
final class ThreadBoundContextOps implements IbvContextOps {
  private final IbvContextOps ops;
  private final OwnerThread owner;

  ThreadBoundContextOps(IbvContextOps ops, OwnerThread owner) {
    this.ops = ops;
    this.owner = owner;
  }

  @Override
  public int ibv_poll_cq(MemorySegment cq, int numEntries, MemorySegment wc) {
    owner.check("ibv_poll_cq");
    return ops.ibv_poll_cq(cq, numEntries, wc);
  }

  @Override
  public int ibv_req_notify_cq(MemorySegment cq, int solicitedOnly) {
    owner.check("ibv_req_notify_cq");
    return ops.ibv_req_notify_cq(cq, solicitedOnly);
  }

  @Override
  public int ibv_post_send(MemorySegment qp, MemorySegment wr, MemorySegment badWr) {
    owner.check("ibv_post_send");
    return ops.ibv_post_send(qp, wr, badWr);
  }

  @Override
  public int ibv_post_recv(MemorySegment qp, MemorySegment wr, MemorySegment badWr) {
    owner.check("ibv_post_recv");
    return ops.ibv_post_recv(qp, wr, badWr);
  }
}
