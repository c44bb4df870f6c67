package io.jaccl4j.testing.emulated;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** A posted receive and, later, its message. Guarded by the network. */
final class ReceiveRequest {
  private final long workId;
  private final long number;
  private final int capacityBytes;
  private final ReceiveSlots slots;
  private final MemorySegment slot;
  private WorkStatus status;
  private SendRequest message;

  /**
   * A receive into a free slot.
   *
   * @param number among the receives of its rank
   * @param status what it will end with
   */
  ReceiveRequest(
      long workId, long number, int capacityBytes, ReceiveSlots slots, WorkStatus status) {
    this.workId = workId;
    this.number = number;
    this.capacityBytes = capacityBytes;
    this.slots = slots;
    this.slot = slots.take();
    this.status = status;
  }

  long workId() {
    return workId;
  }

  long number() {
    return number;
  }

  MemorySegment slot() {
    return slot;
  }

  WorkStatus status() {
    return status;
  }

  int bytes() {
    return message.bytes().length;
  }

  int immediate() {
    return message.immediate();
  }

  void checkUntouched(Consumer<String> violations) {
    if (!slots.isUntouched(slot)) {
      violations.accept("the slot of receive " + number + " was written before its message came");
    }
  }

  /** Puts the message into the slot, or fails. */
  void take(SendRequest arrived) {
    message = arrived;
    if (status == WorkStatus.SUCCESS && bytes() > capacityBytes) {
      status = WorkStatus.LOC_LEN;
    }
    if (status == WorkStatus.SUCCESS) {
      slots.fill(slot, message.bytes());
    }
  }

  /** Gives the slot back, which must still hold the message as it came. */
  void release(Consumer<String> violations) {
    if (!slots.holds(slot, message.bytes())) {
      violations.accept("the message of receive " + number + " was overwritten in its slot");
    }
    slots.giveBack(slot, bytes());
  }
}
