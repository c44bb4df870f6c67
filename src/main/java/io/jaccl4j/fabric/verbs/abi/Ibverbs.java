package io.jaccl4j.fabric.verbs.abi;

import java.lang.foreign.MemorySegment;

/**
 * The functions of the verbs library, under their C names and in their C shape. A function that
 * returns a pointer returns {@link MemorySegment#NULL} on failure and {@link #errno()} says why;
 * one that returns an {@code int} returns 0 or an error number, unless said otherwise. They may
 * sleep in the kernel.
 */
public interface Ibverbs {

  /** The error number of this thread's last call that returned a pointer. */
  int errno();

  MemorySegment ibv_get_device_list(MemorySegment numDevices);

  void ibv_free_device_list(MemorySegment list);

  MemorySegment ibv_get_device_name(MemorySegment device);

  /** In network byte order. */
  long ibv_get_device_guid(MemorySegment device);

  MemorySegment ibv_open_device(MemorySegment device);

  int ibv_close_device(MemorySegment context);

  int ibv_query_device(MemorySegment context, MemorySegment deviceAttr);

  /** The exported function fills only the first 48 bytes: zero all 52 before. */
  int ibv_query_port(MemorySegment context, byte portNum, MemorySegment portAttr);

  /** 0, or -1 with {@link #errno()}. */
  int ibv_query_gid(MemorySegment context, byte portNum, int index, MemorySegment gid);

  MemorySegment ibv_alloc_pd(MemorySegment context);

  int ibv_dealloc_pd(MemorySegment pd);

  MemorySegment ibv_reg_mr(MemorySegment pd, MemorySegment addr, long length, int access);

  int ibv_dereg_mr(MemorySegment mr);

  MemorySegment ibv_create_comp_channel(MemorySegment context);

  int ibv_destroy_comp_channel(MemorySegment channel);

  MemorySegment ibv_create_cq(
      MemorySegment context, int cqe, MemorySegment cqContext, MemorySegment channel, int vector);

  int ibv_destroy_cq(MemorySegment cq);

  /** 0, or -1 with {@link #errno()}. Blocks until there is an event: poll the channel before. */
  int ibv_get_cq_event(MemorySegment channel, MemorySegment cq, MemorySegment cqContext);

  void ibv_ack_cq_events(MemorySegment cq, int count);

  MemorySegment ibv_create_qp(MemorySegment pd, MemorySegment qpInitAttr);

  int ibv_modify_qp(MemorySegment qp, MemorySegment attr, int attrMask);

  int ibv_query_qp(MemorySegment qp, MemorySegment attr, int attrMask, MemorySegment initAttr);

  int ibv_destroy_qp(MemorySegment qp);

  /** 0, or -1 with {@link #errno()}. Blocks until there is an event: poll the descriptor before. */
  int ibv_get_async_event(MemorySegment context, MemorySegment event);

  void ibv_ack_async_event(MemorySegment event);

  /** Whether the library has the calls for completion channels. */
  boolean hasCompletionChannels();

  /** Whether the library has the calls for asynchronous events. */
  boolean hasAsyncEvents();

  /**
   * Whether the library has a call that a group can do without: {@code ibv_get_device_guid}, {@code
   * ibv_query_device}, {@code ibv_query_qp}.
   */
  boolean has(String call);

  /** The functions of a context's table. */
  IbvContextOps ops(MemorySegment context);
}
