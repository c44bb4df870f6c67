package io.jaccl4j.fabric.verbs.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The library's exported functions through downcalls. Every call captures {@code errno} within the
 * downcall itself: before it returns to Java the virtual machine may overwrite it.
 */
final class NativeIbverbs implements Ibverbs {
  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET = IbvStructs.offset(CAPTURE, "errno");

  private static final MethodHandle POINTER_OF_POINTER =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS));
  private static final MethodHandle VOID_OF_POINTER = handle(FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle LONG_OF_POINTER =
      handle(FunctionDescriptor.of(JAVA_LONG, ADDRESS));
  private static final MethodHandle INT_OF_POINTER =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle INT_OF_TWO_POINTERS =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle POINTER_OF_TWO_POINTERS =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle QUERY_PORT =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS));
  private static final MethodHandle QUERY_GID =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, JAVA_INT, ADDRESS));
  private static final MethodHandle REG_MR =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CREATE_CQ =
      handle(FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle GET_CQ_EVENT =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle ACK_CQ_EVENTS =
      handle(FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
  private static final MethodHandle MODIFY_QP =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle QUERY_QP =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS));

  private final ThreadLocal<MemorySegment> capture =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURE));
  private final List<String> missing = new ArrayList<>();
  private final MemorySegment getDeviceList;
  private final MemorySegment freeDeviceList;
  private final MemorySegment getDeviceName;
  private final MemorySegment getDeviceGuid;
  private final MemorySegment openDevice;
  private final MemorySegment closeDevice;
  private final MemorySegment queryDevice;
  private final MemorySegment queryPort;
  private final MemorySegment queryGid;
  private final MemorySegment allocPd;
  private final MemorySegment deallocPd;
  private final MemorySegment regMr;
  private final MemorySegment deregMr;
  private final MemorySegment createCompChannel;
  private final MemorySegment destroyCompChannel;
  private final MemorySegment createCq;
  private final MemorySegment destroyCq;
  private final MemorySegment getCqEvent;
  private final MemorySegment ackCqEvents;
  private final MemorySegment createQp;
  private final MemorySegment modifyQp;
  private final MemorySegment queryQp;
  private final MemorySegment destroyQp;
  private final MemorySegment getAsyncEvent;
  private final MemorySegment ackAsyncEvent;

  /** Looks all symbols up; {@link #missing()} says which are not there. */
  NativeIbverbs(SymbolLookup library) {
    getDeviceList = required(library, "ibv_get_device_list");
    freeDeviceList = required(library, "ibv_free_device_list");
    getDeviceName = required(library, "ibv_get_device_name");
    getDeviceGuid = optional(library, "ibv_get_device_guid");
    openDevice = required(library, "ibv_open_device");
    closeDevice = required(library, "ibv_close_device");
    queryDevice = optional(library, "ibv_query_device");
    queryPort = required(library, "ibv_query_port");
    queryGid = required(library, "ibv_query_gid");
    allocPd = required(library, "ibv_alloc_pd");
    deallocPd = required(library, "ibv_dealloc_pd");
    regMr = required(library, "ibv_reg_mr");
    deregMr = required(library, "ibv_dereg_mr");
    createCompChannel = optional(library, "ibv_create_comp_channel");
    destroyCompChannel = optional(library, "ibv_destroy_comp_channel");
    createCq = required(library, "ibv_create_cq");
    destroyCq = required(library, "ibv_destroy_cq");
    getCqEvent = optional(library, "ibv_get_cq_event");
    ackCqEvents = optional(library, "ibv_ack_cq_events");
    createQp = required(library, "ibv_create_qp");
    modifyQp = required(library, "ibv_modify_qp");
    queryQp = optional(library, "ibv_query_qp");
    destroyQp = required(library, "ibv_destroy_qp");
    getAsyncEvent = optional(library, "ibv_get_async_event");
    ackAsyncEvent = optional(library, "ibv_ack_async_event");
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(descriptor, Linker.Option.captureCallState("errno"));
  }

  private MemorySegment required(SymbolLookup library, String name) {
    MemorySegment symbol = optional(library, name);
    if (symbol.equals(MemorySegment.NULL)) {
      missing.add(name);
    }
    return symbol;
  }

  private static MemorySegment optional(SymbolLookup library, String name) {
    return library.find(name).orElse(MemorySegment.NULL);
  }

  /** Names of functions that the library must have and has not. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  @Override
  public int errno() {
    return capture.get().get(JAVA_INT, ERRNO_OFFSET);
  }

  @Override
  public boolean hasCompletionChannels() {
    return !createCompChannel.equals(MemorySegment.NULL)
        && !destroyCompChannel.equals(MemorySegment.NULL)
        && !getCqEvent.equals(MemorySegment.NULL)
        && !ackCqEvents.equals(MemorySegment.NULL);
  }

  @Override
  public boolean hasAsyncEvents() {
    return !getAsyncEvent.equals(MemorySegment.NULL) && !ackAsyncEvent.equals(MemorySegment.NULL);
  }

  @Override
  public boolean has(String call) {
    return switch (call) {
      case "ibv_get_device_guid" -> !getDeviceGuid.equals(MemorySegment.NULL);
      case "ibv_query_device" -> !queryDevice.equals(MemorySegment.NULL);
      case "ibv_query_qp" -> !queryQp.equals(MemorySegment.NULL);
      default -> throw new IllegalArgumentException(call + " is not optional");
    };
  }

  @Override
  public IbvContextOps ops(MemorySegment context) {
    return new NativeContextOps(context);
  }

  @Override
  public MemorySegment ibv_get_device_list(MemorySegment numDevices) {
    try {
      return (MemorySegment)
          POINTER_OF_POINTER.invokeExact(getDeviceList, capture.get(), numDevices);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void ibv_free_device_list(MemorySegment list) {
    try {
      VOID_OF_POINTER.invokeExact(freeDeviceList, capture.get(), list);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_get_device_name(MemorySegment device) {
    try {
      return (MemorySegment) POINTER_OF_POINTER.invokeExact(getDeviceName, capture.get(), device);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public long ibv_get_device_guid(MemorySegment device) {
    try {
      return (long) LONG_OF_POINTER.invokeExact(getDeviceGuid, capture.get(), device);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_open_device(MemorySegment device) {
    try {
      return (MemorySegment) POINTER_OF_POINTER.invokeExact(openDevice, capture.get(), device);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_close_device(MemorySegment context) {
    try {
      return (int) INT_OF_POINTER.invokeExact(closeDevice, capture.get(), context);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_query_device(MemorySegment context, MemorySegment deviceAttr) {
    try {
      return (int) INT_OF_TWO_POINTERS.invokeExact(queryDevice, capture.get(), context, deviceAttr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_query_port(MemorySegment context, byte portNum, MemorySegment portAttr) {
    try {
      return (int) QUERY_PORT.invokeExact(queryPort, capture.get(), context, portNum, portAttr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_query_gid(MemorySegment context, byte portNum, int index, MemorySegment gid) {
    try {
      return (int) QUERY_GID.invokeExact(queryGid, capture.get(), context, portNum, index, gid);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_alloc_pd(MemorySegment context) {
    try {
      return (MemorySegment) POINTER_OF_POINTER.invokeExact(allocPd, capture.get(), context);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_dealloc_pd(MemorySegment pd) {
    try {
      return (int) INT_OF_POINTER.invokeExact(deallocPd, capture.get(), pd);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_reg_mr(MemorySegment pd, MemorySegment addr, long length, int access) {
    try {
      return (MemorySegment) REG_MR.invokeExact(regMr, capture.get(), pd, addr, length, access);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_dereg_mr(MemorySegment mr) {
    try {
      return (int) INT_OF_POINTER.invokeExact(deregMr, capture.get(), mr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_create_comp_channel(MemorySegment context) {
    try {
      return (MemorySegment)
          POINTER_OF_POINTER.invokeExact(createCompChannel, capture.get(), context);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_destroy_comp_channel(MemorySegment channel) {
    try {
      return (int) INT_OF_POINTER.invokeExact(destroyCompChannel, capture.get(), channel);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_create_cq(
      MemorySegment context, int cqe, MemorySegment cqContext, MemorySegment channel, int vector) {
    try {
      return (MemorySegment)
          CREATE_CQ.invokeExact(createCq, capture.get(), context, cqe, cqContext, channel, vector);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_destroy_cq(MemorySegment cq) {
    try {
      return (int) INT_OF_POINTER.invokeExact(destroyCq, capture.get(), cq);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_get_cq_event(MemorySegment channel, MemorySegment cq, MemorySegment cqContext) {
    try {
      return (int) GET_CQ_EVENT.invokeExact(getCqEvent, capture.get(), channel, cq, cqContext);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void ibv_ack_cq_events(MemorySegment cq, int count) {
    try {
      ACK_CQ_EVENTS.invokeExact(ackCqEvents, capture.get(), cq, count);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public MemorySegment ibv_create_qp(MemorySegment pd, MemorySegment qpInitAttr) {
    try {
      return (MemorySegment)
          POINTER_OF_TWO_POINTERS.invokeExact(createQp, capture.get(), pd, qpInitAttr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_modify_qp(MemorySegment qp, MemorySegment attr, int attrMask) {
    try {
      return (int) MODIFY_QP.invokeExact(modifyQp, capture.get(), qp, attr, attrMask);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_query_qp(
      MemorySegment qp, MemorySegment attr, int attrMask, MemorySegment initAttr) {
    try {
      return (int) QUERY_QP.invokeExact(queryQp, capture.get(), qp, attr, attrMask, initAttr);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_destroy_qp(MemorySegment qp) {
    try {
      return (int) INT_OF_POINTER.invokeExact(destroyQp, capture.get(), qp);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int ibv_get_async_event(MemorySegment context, MemorySegment event) {
    try {
      return (int) INT_OF_TWO_POINTERS.invokeExact(getAsyncEvent, capture.get(), context, event);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void ibv_ack_async_event(MemorySegment event) {
    try {
      VOID_OF_POINTER.invokeExact(ackAsyncEvent, capture.get(), event);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
