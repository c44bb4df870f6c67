package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.Descriptors;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a device reports of its own accord: a port that goes down, a device that fails. */
final class AsyncEvents {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncEvents.class);

  private final DeviceContext context;
  private final MemorySegment descriptor;
  private final MemorySegment event;

  AsyncEvents(DeviceContext context) {
    this.context = context;
    Arena arena = Arena.ofAuto();
    this.descriptor = Descriptors.request(arena, descriptorOf(context));
    this.event = arena.allocate(IbvStructs.IBV_ASYNC_EVENT);
  }

  @SuppressWarnings("restricted") // The head of the library's own structure.
  private static int descriptorOf(DeviceContext context) {
    return context
        .pointer()
        .reinterpret(IbvStructs.IBV_CONTEXT.byteSize())
        .get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_CONTEXT, "async_fd"));
  }

  /** Takes the events that are there; throws for one that ends the links. */
  void check() {
    while (context.verbs().hasAsyncEvents() && Descriptors.anyReadable(descriptor, 0)) {
      if (context.verbs().ibv_get_async_event(context.pointer(), event) != 0) {
        return;
      }
      int type = event.get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_ASYNC_EVENT, "event_type"));
      // Unacknowledged events would hold the destruction of what they are about.
      context.verbs().ibv_ack_async_event(event);
      react(type);
    }
  }

  private void react(int type) {
    switch (type) {
      case IbvConstants.IBV_EVENT_DEVICE_FATAL ->
          throw failed(type, "the device has failed; is it still plugged in?");
      case IbvConstants.IBV_EVENT_PORT_ERR ->
          throw failed(
              type,
              "port " + DeviceContext.PORT + " has gone down; check the cable and the interface");
      case IbvConstants.IBV_EVENT_QP_FATAL -> throw failed(type, "a queue pair has failed");
      default -> LOG.debug("Device [{}] reports [{}]", context.name(), IbvNames.event(type));
    }
  }

  private FabricException failed(int type, String what) {
    return new FabricException(
        "device " + context.name() + " reports " + IbvNames.event(type) + ": " + what, null);
  }
}
