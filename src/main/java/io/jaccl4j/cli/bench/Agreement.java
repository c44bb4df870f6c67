package io.jaccl4j.cli.bench;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One number for all ranks. Every rank has its own clock, but all must do as many operations. */
final class Agreement {
  /** Enough for what an agreement needs. */
  static final long BYTES = Long.BYTES;

  private static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final double PICOS = 1e3;

  private final Session session;
  private final MemorySegment memory;

  Agreement(Session session, MemorySegment memory) {
    this.session = session;
    this.memory = memory;
  }

  long max(long value) {
    memory.set(INT64, 0, value);
    session.allMax(memory, memory, Dtype.INT64);
    return memory.get(INT64, 0);
  }

  long sum(long value) {
    memory.set(INT64, 0, value);
    session.allSum(memory, memory, Dtype.INT64);
    return memory.get(INT64, 0);
  }

  /** The longest of the ranks' times, to the picosecond. */
  double maxNanos(double nanos) {
    return max((long) (nanos * PICOS)) / PICOS;
  }
}
