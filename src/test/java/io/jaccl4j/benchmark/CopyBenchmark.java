package io.jaccl4j.benchmark;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A plain copy of as many bytes as {@link ReduceBenchmark} reduces. Time per buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class CopyBenchmark {

  @Param({"16384", "524288", "67108864"})
  public long bytes;

  private Arena arena;
  private MemorySegment source;
  private MemorySegment dst;

  /** Touches every page: pages that nobody has written share one of zeros. */
  @Setup(Level.Trial)
  public void allocate() {
    arena = Arena.ofShared();
    source = Operands.allocate(arena, bytes).fill((byte) 1);
    dst = Operands.allocate(arena, bytes).fill((byte) 2);
  }

  @TearDown(Level.Trial)
  public void free() {
    arena.close();
  }

  @Benchmark
  public void copy() {
    MemorySegment.copy(source, 0, dst, 0, bytes);
  }
}
