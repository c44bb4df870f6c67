package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;

/** What a poll found. It is handed out after the network's lock was given up. */
sealed interface Completion {

  void deliver(CompletionHandler handler);

  /** That of a request that succeeded. */
  sealed interface Success extends Completion {
    long workId();

    /** The same for another link or with another work id. */
    Completion as(EmulatedLink link, long workId);
  }

  /** A send's memory is free. */
  record Sent(EmulatedLink link, long workId) implements Success {
    @Override
    public void deliver(CompletionHandler handler) {
      handler.onSendComplete(link, workId);
    }

    @Override
    public Completion as(EmulatedLink other, long otherId) {
      return new Sent(other, otherId);
    }
  }

  /** A message is there. */
  record Received(EmulatedLink link, long workId, ReceiveRequest receive) implements Success {
    @Override
    public void deliver(CompletionHandler handler) {
      link.handOut(receive);
      handler.onReceive(
          link,
          workId,
          receive.slot(),
          ReceiveSlots.MESSAGE_OFFSET,
          receive.bytes(),
          receive.immediate());
    }

    @Override
    public Completion as(EmulatedLink other, long otherId) {
      return new Received(other, otherId, receive);
    }
  }

  /** A request ended with an error. */
  record Failed(EmulatedLink link, WorkKind kind, long number, long workId, WorkStatus status)
      implements Completion {
    @Override
    public void deliver(CompletionHandler handler) {
      throw new FabricException(
          link.peer(),
          kind
              + " "
              + number
              + " with rank "
              + link.peer()
              + " on wire "
              + link.wire()
              + " (work id 0x"
              + Long.toHexString(workId)
              + ") ended with "
              + status
              + " ("
              + status.number()
              + ")",
          null);
    }
  }
}
