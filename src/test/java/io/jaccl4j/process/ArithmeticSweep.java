package io.jaccl4j.process;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.testing.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Products and means, of numbers whose results are easily told. */
final class ArithmeticSweep {
  private static final long PERIOD = 3;

  private final Session session;
  private final int size;
  private long checks;

  ArithmeticSweep(Session session) {
    this.session = session;
    this.size = session.size();
  }

  /** In 1 .. 3, so that the product over all ranks is exact. */
  private static long value(long i, int rank) {
    return (i + rank) % PERIOD + 1;
  }

  long run() {
    for (long count : Sweep.counts(Long.BYTES)) {
      try (Arena arena = Arena.ofConfined()) {
        integers(arena, count);
        floats(arena, count);
      }
    }
    return checks;
  }

  private void integers(Arena arena, long count) {
    MemorySegment in = arena.allocate(count * Long.BYTES, 64);
    MemorySegment out = arena.allocate(count * Long.BYTES, 64);
    MemorySegment product = arena.allocate(count * Long.BYTES, 64);
    MemorySegment average = arena.allocate(count * Long.BYTES, 64);
    for (long i = 0; i < Math.min(count, PERIOD); i++) {
      in.setAtIndex(ValueLayout.JAVA_LONG, i, value(i, session.rank()));
      product.setAtIndex(ValueLayout.JAVA_LONG, i, product(i));
      average.setAtIndex(ValueLayout.JAVA_LONG, i, sum(i) / size);
    }
    for (MemorySegment data : List.of(in, product, average)) {
      Elements.repeat(data, PERIOD * Long.BYTES);
    }
    session.allProduct(in, out, Dtype.INT64);
    check("allProduct int64 x " + count, out, product);
    session.allAverage(in, out, Dtype.INT64);
    check("allAverage int64 x " + count, out, average);
  }

  private void floats(Arena arena, long count) {
    MemorySegment in = arena.allocate(count * Double.BYTES, 64);
    MemorySegment out = arena.allocate(count * Double.BYTES, 64);
    MemorySegment product = arena.allocate(count * Double.BYTES, 64);
    MemorySegment average = arena.allocate(count * Double.BYTES, 64);
    for (long i = 0; i < Math.min(count, PERIOD); i++) {
      in.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value(i, session.rank()));
      product.setAtIndex(ValueLayout.JAVA_DOUBLE, i, product(i));
      average.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (double) sum(i) / size);
    }
    for (MemorySegment data : List.of(in, product, average)) {
      Elements.repeat(data, PERIOD * Double.BYTES);
    }
    session.allProduct(in, out, Dtype.FLOAT64);
    check("allProduct float64 x " + count, out, product);
    session.allAverage(in, in, Dtype.FLOAT64);
    check("allAverage float64 in place x " + count, in, average);
  }

  private long product(long i) {
    long product = 1;
    for (int rank = 0; rank < size; rank++) {
      product *= value(i, rank);
    }
    return product;
  }

  private long sum(long i) {
    long sum = 0;
    for (int rank = 0; rank < size; rank++) {
      sum += value(i, rank);
    }
    return sum;
  }

  private void check(String what, MemorySegment got, MemorySegment want) {
    Checks.same(what, got, want);
    checks++;
  }
}
