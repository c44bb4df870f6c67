package io.jaccl4j.fabric.verbs.abi;

import java.lang.foreign.MemorySegment;

/**
 * The library as the owner thread of one fabric may use it: a call from another thread is refused
 * before it reaches the library, which does not check, and whose objects are not made for it.
 */
public final class ThreadBoundIbverbs implements Ibverbs {
  private final Ibverbs verbs;
  private final OwnerThread owner;

  public ThreadBoundIbverbs(Ibverbs verbs, OwnerThread owner) {
    this.verbs = verbs;
    this.owner = owner;
  }

  @Override
  public int errno() {
    return verbs.errno();
  }

  @Override
  public MemorySegment ibv_get_device_list(MemorySegment numDevices) {
    owner.check("ibv_get_device_list");
    return verbs.ibv_get_device_list(numDevices);
  }

  @Override
  public void ibv_free_device_list(MemorySegment list) {
    owner.check("ibv_free_device_list");
    verbs.ibv_free_device_list(list);
  }

  @Override
  public MemorySegment ibv_get_device_name(MemorySegment device) {
    owner.check("ibv_get_device_name");
    return verbs.ibv_get_device_name(device);
  }

  @Override
  public long ibv_get_device_guid(MemorySegment device) {
    owner.check("ibv_get_device_guid");
    return verbs.ibv_get_device_guid(device);
  }

  @Override
  public MemorySegment ibv_open_device(MemorySegment device) {
    owner.check("ibv_open_device");
    return verbs.ibv_open_device(device);
  }

  @Override
  public int ibv_close_device(MemorySegment context) {
    owner.check("ibv_close_device");
    return verbs.ibv_close_device(context);
  }

  @Override
  public int ibv_query_device(MemorySegment context, MemorySegment deviceAttr) {
    owner.check("ibv_query_device");
    return verbs.ibv_query_device(context, deviceAttr);
  }

  @Override
  public int ibv_query_port(MemorySegment context, byte portNum, MemorySegment portAttr) {
    owner.check("ibv_query_port");
    return verbs.ibv_query_port(context, portNum, portAttr);
  }

  @Override
  public int ibv_query_gid(MemorySegment context, byte portNum, int index, MemorySegment gid) {
    owner.check("ibv_query_gid");
    return verbs.ibv_query_gid(context, portNum, index, gid);
  }

  @Override
  public MemorySegment ibv_alloc_pd(MemorySegment context) {
    owner.check("ibv_alloc_pd");
    return verbs.ibv_alloc_pd(context);
  }

  @Override
  public int ibv_dealloc_pd(MemorySegment pd) {
    owner.check("ibv_dealloc_pd");
    return verbs.ibv_dealloc_pd(pd);
  }

  @Override
  public MemorySegment ibv_reg_mr(MemorySegment pd, MemorySegment addr, long length, int access) {
    owner.check("ibv_reg_mr");
    return verbs.ibv_reg_mr(pd, addr, length, access);
  }

  @Override
  public int ibv_dereg_mr(MemorySegment mr) {
    owner.check("ibv_dereg_mr");
    return verbs.ibv_dereg_mr(mr);
  }

  @Override
  public MemorySegment ibv_create_comp_channel(MemorySegment context) {
    owner.check("ibv_create_comp_channel");
    return verbs.ibv_create_comp_channel(context);
  }

  @Override
  public int ibv_destroy_comp_channel(MemorySegment channel) {
    owner.check("ibv_destroy_comp_channel");
    return verbs.ibv_destroy_comp_channel(channel);
  }

  @Override
  public MemorySegment ibv_create_cq(
      MemorySegment context, int cqe, MemorySegment cqContext, MemorySegment channel, int vector) {
    owner.check("ibv_create_cq");
    return verbs.ibv_create_cq(context, cqe, cqContext, channel, vector);
  }

  @Override
  public int ibv_destroy_cq(MemorySegment cq) {
    owner.check("ibv_destroy_cq");
    return verbs.ibv_destroy_cq(cq);
  }

  @Override
  public int ibv_get_cq_event(MemorySegment channel, MemorySegment cq, MemorySegment cqContext) {
    owner.check("ibv_get_cq_event");
    return verbs.ibv_get_cq_event(channel, cq, cqContext);
  }

  @Override
  public void ibv_ack_cq_events(MemorySegment cq, int count) {
    owner.check("ibv_ack_cq_events");
    verbs.ibv_ack_cq_events(cq, count);
  }

  @Override
  public MemorySegment ibv_create_qp(MemorySegment pd, MemorySegment qpInitAttr) {
    owner.check("ibv_create_qp");
    return verbs.ibv_create_qp(pd, qpInitAttr);
  }

  @Override
  public int ibv_modify_qp(MemorySegment qp, MemorySegment attr, int attrMask) {
    owner.check("ibv_modify_qp");
    return verbs.ibv_modify_qp(qp, attr, attrMask);
  }

  @Override
  public int ibv_query_qp(
      MemorySegment qp, MemorySegment attr, int attrMask, MemorySegment initAttr) {
    owner.check("ibv_query_qp");
    return verbs.ibv_query_qp(qp, attr, attrMask, initAttr);
  }

  @Override
  public int ibv_destroy_qp(MemorySegment qp) {
    owner.check("ibv_destroy_qp");
    return verbs.ibv_destroy_qp(qp);
  }

  @Override
  public int ibv_get_async_event(MemorySegment context, MemorySegment event) {
    owner.check("ibv_get_async_event");
    return verbs.ibv_get_async_event(context, event);
  }

  @Override
  public void ibv_ack_async_event(MemorySegment event) {
    owner.check("ibv_ack_async_event");
    verbs.ibv_ack_async_event(event);
  }

  @Override
  public boolean hasCompletionChannels() {
    return verbs.hasCompletionChannels();
  }

  @Override
  public boolean hasAsyncEvents() {
    return verbs.hasAsyncEvents();
  }

  @Override
  public boolean has(String call) {
    return verbs.has(call);
  }

  @Override
  public IbvContextOps ops(MemorySegment context) {
    return new ThreadBoundContextOps(verbs.ops(context), owner);
  }
}
