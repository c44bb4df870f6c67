package io.jaccl4j.engine;

import io.jaccl4j.GroupCounters;
import io.jaccl4j.collective.Traffic;
import java.util.concurrent.atomic.AtomicLong;

/** Counters that the engine thread writes without a fence and any thread reads, a little late. */
final class CounterCells {
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong messagesSent = new AtomicLong();
  private final AtomicLong bytesSent = new AtomicLong();
  private final AtomicLong messagesReceived = new AtomicLong();
  private final AtomicLong bytesReceived = new AtomicLong();

  /** One more operation is complete. Engine thread only. */
  void publish(Traffic traffic) {
    operations.lazySet(operations.getPlain() + 1);
    messagesSent.lazySet(traffic.messagesSent());
    bytesSent.lazySet(traffic.bytesSent());
    messagesReceived.lazySet(traffic.messagesReceived());
    bytesReceived.lazySet(traffic.bytesReceived());
  }

  GroupCounters read() {
    return new GroupCounters(
        operations.get(),
        messagesSent.get(),
        bytesSent.get(),
        messagesReceived.get(),
        bytesReceived.get());
  }
}
