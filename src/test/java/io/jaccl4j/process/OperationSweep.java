package io.jaccl4j.process;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.testing.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Every operation once at every border, checked against values computed without the kernels. */
final class OperationSweep {
  private static final Dtype[] DTYPES = {
    Dtype.INT32, Dtype.INT64, Dtype.FLOAT32, Dtype.FLOAT64, Dtype.BFLOAT16
  };

  private final Session session;
  private final Arena arena;
  private int checks;

  private OperationSweep(Session session, Arena arena) {
    this.session = session;
    this.arena = arena;
  }

  /** Returns how many results were checked; throws at the first wrong one. */
  static int run(Session session) {
    int checks = 0;
    for (Dtype dtype : DTYPES) {
      int slot = (512 << 10) / dtype.bytes();
      int small = 32768 / dtype.bytes();
      // Every border with one type; the kernels of the others are tested without processes.
      long[] counts =
          dtype == Dtype.FLOAT32
              ? new long[] {0, 1, 3, 1000, small - 1, small, small + 1, slot - 1, slot, slot + 1}
              : new long[] {3, small + 1};
      for (long count : counts) {
        checks += at(session, dtype, count);
      }
    }
    return checks + at(session, Dtype.FLOAT32, 1_000_003);
  }

  private static int at(Session session, Dtype dtype, long count) {
    try (Arena arena = Arena.ofConfined()) {
      OperationSweep sweep = new OperationSweep(session, arena);
      sweep.reductions(dtype, count);
      // All blocks together are as long as the other operations' buffers where these are long.
      sweep.blocks(dtype, count <= 1000 ? count : count / session.size() + 1);
      sweep.transfers(dtype, count);
      return sweep.checks;
    }
  }

  private void reductions(Dtype dtype, long count) {
    MemorySegment in = Elements.fill(arena, dtype, 0, count, session.rank());
    MemorySegment out = arena.allocate(in.byteSize(), 64);
    for (ReduceOp op : new ReduceOp[] {ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN}) {
      MemorySegment want = Elements.reduced(arena, op, dtype, 0, count, session.size());
      switch (op) {
        case SUM -> session.allSum(in, out, dtype);
        case MAX -> session.allMax(in, out, dtype);
        default -> session.allMin(in, out, dtype);
      }
      check(op.allReduceName(), dtype, count, out, want);
      if (op == ReduceOp.SUM) {
        MemorySegment inPlace = arena.allocate(in.byteSize(), 64).copyFrom(in);
        session.allSum(inPlace, inPlace, dtype);
        check("allSum in place", dtype, count, inPlace, want);
        session.reduce(op, in, out.fill((byte) 0), dtype, 0);
        if (session.rank() == 0) {
          check("reduce", dtype, count, out, want);
        }
      }
    }
  }

  private void blocks(Dtype dtype, long count) {
    int size = session.size();
    long bytes = count * dtype.bytes();
    MemorySegment in = Elements.fill(arena, dtype, 0, count, session.rank());
    MemorySegment wantAll = arena.allocate(size * bytes, 64);
    for (int rank = 0; rank < size; rank++) {
      wantAll.asSlice(rank * bytes, bytes).copyFrom(Elements.fill(arena, dtype, 0, count, rank));
    }
    MemorySegment all = arena.allocate(size * bytes, 64);
    session.allGather(in, all);
    check("allGather", dtype, count, all, wantAll);
    session.gather(in, all.fill((byte) 0), size - 1);
    if (session.rank() == size - 1) {
      check("gather", dtype, count, all, wantAll);
    }
    MemorySegment out = arena.allocate(bytes, 64);
    session.scatter(wantAll, out, size - 1);
    check("scatter", dtype, count, out, in);
    session.allToAll(wantAll, all);
    for (int rank = 0; rank < size; rank++) {
      check("allToAll", dtype, count, all.asSlice(rank * bytes, bytes), in);
    }
    MemorySegment whole = Elements.fill(arena, dtype, 0, size * count, session.rank());
    session.sumScatter(whole, out, dtype);
    check(
        "sumScatter",
        dtype,
        count,
        out,
        Elements.reduced(arena, ReduceOp.SUM, dtype, session.rank() * count, count, size));
  }

  private void transfers(Dtype dtype, long count) {
    int size = session.size();
    int right = (session.rank() + 1) % size;
    int left = (session.rank() + size - 1) % size;
    MemorySegment mine = Elements.fill(arena, dtype, 0, count, session.rank());
    MemorySegment got = arena.allocate(mine.byteSize(), 64);
    if (session.rank() == 0) {
      session.send(mine, right);
      session.recv(got, left);
    } else {
      session.recv(got, left);
      session.send(mine, right);
    }
    check("send and recv", dtype, count, got, Elements.fill(arena, dtype, 0, count, left));
    session.broadcast(got.copyFrom(mine), 1);
    check("broadcast", dtype, count, got, Elements.fill(arena, dtype, 0, count, 1));
    session.barrier();
  }

  private void check(
      String operation, Dtype dtype, long count, MemorySegment got, MemorySegment want) {
    long at = got.mismatch(want);
    if (at >= 0) {
      throw new AssertionError(
          operation + " " + dtype + " x" + count + " on rank " + session.rank() + ": byte " + at);
    }
    checks++;
  }
}
