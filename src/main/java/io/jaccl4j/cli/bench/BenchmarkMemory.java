package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Buffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one rank measures with, allocated once for all modes. Used by one job at a time, each on its
 * own thread.
 */
public final class BenchmarkMemory {
  /** A cache line, and what the group's own memory is aligned to. */
  private static final long ALIGNMENT = 64;

  private final BenchmarkPlan plan;
  private Buffers buffers;
  private MemorySegment agreement;

  public BenchmarkMemory(BenchmarkPlan plan) {
    this.plan = plan;
  }

  Buffers buffers(Session session) {
    if (buffers == null) {
      buffers = new Buffers(allocate(session), allocate(session));
    }
    return buffers;
  }

  Agreement agreement(Session session) {
    if (agreement == null) {
      agreement = session.allocate(Agreement.BYTES);
    }
    return new Agreement(session, agreement);
  }

  private MemorySegment allocate(Session session) {
    long bytes = plan.operation().hasData() ? plan.maxBytes() : 0;
    return plan.plainMemory() ? Arena.ofAuto().allocate(bytes, ALIGNMENT) : session.allocate(bytes);
  }
}
