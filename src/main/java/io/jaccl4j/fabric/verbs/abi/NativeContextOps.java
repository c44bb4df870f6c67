package io.jaccl4j.fabric.verbs.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls through the function pointers of one context. The handles take the pointer as their first
 * argument, so that they are constants of the class: the compiler then inlines the call.
 *
 * <p>Plain calls, not critical ones: a provider may take a lock or enter the kernel, and a critical
 * call that is held up there holds up every safepoint of the process.
 */
final class NativeContextOps implements IbvContextOps {
  private static final MethodHandle POLL_CQ =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  private static final MethodHandle REQ_NOTIFY_CQ =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle POST =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  private final MemorySegment pollCq;
  private final MemorySegment reqNotifyCq;
  private final MemorySegment postSend;
  private final MemorySegment postRecv;

  @SuppressWarnings("restricted") // The library's own structure, of known size.
  NativeContextOps(MemorySegment context) {
    MemorySegment head = context.reinterpret(IbvStructs.IBV_CONTEXT.byteSize());
    this.pollCq = pointer(head, "poll_cq");
    this.reqNotifyCq = pointer(head, "req_notify_cq");
    this.postSend = pointer(head, "post_send");
    this.postRecv = pointer(head, "post_recv");
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(descriptor);
  }

  private static MemorySegment pointer(MemorySegment context, String field) {
    return context.get(ADDRESS, IbvStructs.offset(IbvStructs.IBV_CONTEXT, "ops." + field));
  }

  /** Names of the functions that every provider must have and this one has not. */
  String missing() {
    StringBuilder names = new StringBuilder();
    if (pollCq.equals(MemorySegment.NULL)) {
      names.append(" poll_cq");
    }
    if (postSend.equals(MemorySegment.NULL)) {
      names.append(" post_send");
    }
    if (postRecv.equals(MemorySegment.NULL)) {
      names.append(" post_recv");
    }
    return names.toString().strip();
  }

  @Override
  public int ibv_poll_cq(MemorySegment cq, int numEntries, MemorySegment wc) {
    try {
      return (int) POLL_CQ.invokeExact(pollCq, cq, numEntries, wc);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_req_notify_cq(MemorySegment cq, int solicitedOnly) {
    try {
      return (int) REQ_NOTIFY_CQ.invokeExact(reqNotifyCq, cq, solicitedOnly);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_post_send(MemorySegment qp, MemorySegment wr, MemorySegment badWr) {
    try {
      return (int) POST.invokeExact(postSend, qp, wr, badWr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_post_recv(MemorySegment qp, MemorySegment wr, MemorySegment badWr) {
    try {
      return (int) POST.invokeExact(postRecv, qp, wr, badWr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
