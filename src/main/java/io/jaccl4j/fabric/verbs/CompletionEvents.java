package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jaccl4j.fabric.verbs.abi.Descriptors;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sleeps on the completion channels of a rank's devices. A queue that is asked to notify tells only
 * of completions that come after that, so it must be polled once more between the asking and the
 * sleep.
 */
final class CompletionEvents {
  /** The engine thread looks at what other threads want in between. */
  private static final int SLEEP_MILLIS = 1;

  private final Ibverbs verbs;
  private final VerbsDevice[] devices;
  private final MemorySegment descriptors;
  private final MemorySegment queue;
  private final MemorySegment queueContext;
  private boolean armed;

  CompletionEvents(Ibverbs verbs, VerbsDevice[] devices, Arena arena) {
    this.verbs = verbs;
    this.devices = devices;
    int[] numbers = new int[devices.length];
    for (int i = 0; i < devices.length; i++) {
      numbers[i] = descriptorOf(devices[i].completionChannel());
    }
    this.descriptors = Descriptors.request(arena, numbers);
    this.queue = arena.allocate(ADDRESS);
    this.queueContext = arena.allocate(ADDRESS);
  }

  @SuppressWarnings("restricted") // The head of the library's own structure.
  private static int descriptorOf(MemorySegment channel) {
    return channel
        .reinterpret(IbvStructs.IBV_COMP_CHANNEL.byteSize())
        .get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_COMP_CHANNEL, "fd"));
  }

  /** Asks for notification the first time, sleeps the second. */
  void await() {
    if (!armed) {
      for (VerbsDevice device : devices) {
        device.completions().arm();
      }
      armed = true;
      return;
    }
    if (Descriptors.anyReadable(descriptors, SLEEP_MILLIS)) {
      take();
    }
  }

  private void take() {
    for (int i = 0; i < devices.length; i++) {
      if (Descriptors.wasReadable(descriptors, i)) {
        MemorySegment channel = devices[i].completionChannel();
        if (verbs.ibv_get_cq_event(channel, queue, queueContext) == 0) {
          // An event that is not acknowledged holds the destruction of its queue for ever.
          verbs.ibv_ack_cq_events(queue.get(ADDRESS, 0), 1);
        }
      }
    }
    armed = false;
  }
}
