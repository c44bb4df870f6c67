package io.jaccl4j.process;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.testing.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/**
 * Every operation at the borders of its messages, on one rank of a group whose other ranks do the
 * same. The reductions are here, the rest in {@link BlockSweep} and {@link ArithmeticSweep}.
 */
final class Sweep {
  static final long LARGE = 1_000_003;

  private static final Dtype[] DTYPES = {
    Dtype.INT32, Dtype.INT64, Dtype.FLOAT32, Dtype.FLOAT64, Dtype.BFLOAT16
  };

  private static final long FRAME_BYTES = 4096;
  private static final long SMALL_BYTES = 32768;
  private static final long SLOT_BYTES = 512 << 10;

  private final Session session;
  private final int size;
  private final MemorySegment registeredIn;
  private final MemorySegment registeredOut;
  private long checks;

  Sweep(Session session) {
    this.session = session;
    this.size = session.size();
    this.registeredIn = session.allocate(LARGE * Dtype.FLOAT64.bytes());
    this.registeredOut = session.allocate(LARGE * Dtype.FLOAT64.bytes());
  }

  /** What a type must be tried with that shares its schedule with another of the same size. */
  private static long[] fewCounts(int elementBytes) {
    return new long[] {
      0, 1, 3, 1000, SMALL_BYTES / elementBytes + 1, SLOT_BYTES / elementBytes + 1, LARGE
    };
  }

  /** Around one frame, the small-buffer limit, one slot and two; and far beyond. */
  static long[] counts(int elementBytes) {
    return LongStream.concat(
            LongStream.of(0, 1, 3, 1000, LARGE),
            LongStream.of(FRAME_BYTES, SMALL_BYTES, SLOT_BYTES, 2 * SLOT_BYTES)
                .map(border -> border / elementBytes)
                .flatMap(border -> LongStream.of(border - 1, border, border + 1)))
        .toArray();
  }

  /** Returns how many results were compared; throws at the first that is wrong. */
  long run() {
    for (Dtype dtype : DTYPES) {
      long[] counts = dtype == Dtype.FLOAT32 ? counts(dtype.bytes()) : fewCounts(dtype.bytes());
      for (long count : counts) {
        try (Arena arena = Arena.ofConfined()) {
          sum(arena, dtype, count);
          if (hasOwnSchedule(dtype, count)) {
            others(arena, dtype, count);
          }
        }
      }
    }
    checks += new ArithmeticSweep(session).run();
    checks += new BlockSweep(session).run();
    return checks;
  }

  /** Whether there is more to see than the kernel, which sees a long array in short pieces. */
  private static boolean hasOwnSchedule(Dtype dtype, long count) {
    return count != LARGE || dtype == Dtype.FLOAT32;
  }

  private void sum(Arena arena, Dtype dtype, long count) {
    String what = "allSum %s x %d".formatted(dtype, count);
    MemorySegment data = Elements.fill(arena, dtype, 0, count, session.rank());
    MemorySegment want = Elements.reduced(arena, ReduceOp.SUM, dtype, 0, count, size);
    MemorySegment in = arena.allocate(data.byteSize(), 64).copyFrom(data);
    MemorySegment out = arena.allocate(data.byteSize(), 64);

    session.allSum(in, out, dtype);
    check(what, out, want);
    check(what + " leaves its input alone", in, data);
    MemorySegment own = registeredIn.asSlice(0, data.byteSize()).copyFrom(data);
    session.allSum(own, own, dtype);
    check(what + " registered, in place", own, want);

    if (hasOwnSchedule(dtype, count)) {
      session.allSum(in, in, dtype);
      check(what + " in place", in, want);
      own.copyFrom(data);
      MemorySegment ownOut = registeredOut.asSlice(0, data.byteSize());
      session.allSum(own, ownOut, dtype);
      check(what + " registered", ownOut, want);
      check(what + " registered leaves its input alone", own, data);
    }
  }

  private void others(Arena arena, Dtype dtype, long count) {
    MemorySegment in = Elements.fill(arena, dtype, 0, count, session.rank());
    MemorySegment out = arena.allocate(in.byteSize(), 64);

    session.allMax(in, out, dtype);
    MemorySegment maximum = Elements.reduced(arena, ReduceOp.MAX, dtype, 0, count, size);
    check("allMax %s x %d".formatted(dtype, count), out, maximum);

    session.allMin(in, out, dtype);
    MemorySegment minimum = Elements.reduced(arena, ReduceOp.MIN, dtype, 0, count, size);
    check("allMin %s x %d".formatted(dtype, count), out, minimum);

    int root = (int) (count % size);
    boolean isRoot = session.rank() == root;
    session.reduce(ReduceOp.MAX, in, isRoot ? out : MemorySegment.NULL, dtype, root);
    if (isRoot) {
      check("reduce to %d of %s x %d".formatted(root, dtype, count), out, maximum);
    }
    sumScatter(arena, dtype, blockCount(count, size));
  }

  /** A large count is that of all blocks together. */
  static long blockCount(long count, int size) {
    return count == LARGE ? count / size : count;
  }

  private void sumScatter(Arena arena, Dtype dtype, long count) {
    String what = "sumScatter %s x %d".formatted(dtype, count);
    MemorySegment in = Elements.fill(arena, dtype, 0, count * size, session.rank());
    MemorySegment out = arena.allocate(count * dtype.bytes(), 64);
    MemorySegment want =
        Elements.reduced(arena, ReduceOp.SUM, dtype, count * session.rank(), count, size);
    session.sumScatter(in, out, dtype);
    check(what, out, want);
    MemorySegment own = in.asSlice(session.rank() * out.byteSize(), out.byteSize());
    session.sumScatter(in, own, dtype);
    check(what + " in place", own, want);
  }

  private void check(String what, MemorySegment got, MemorySegment want) {
    Checks.same(what, got, want);
    checks++;
  }
}
