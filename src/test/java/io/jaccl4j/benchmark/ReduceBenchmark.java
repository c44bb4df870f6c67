package io.jaccl4j.benchmark;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.Kernels;
import io.jaccl4j.reduce.ReduceKernel;
import io.jaccl4j.reduce.ScalarKernels;
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

/**
 * One reduction {@code dst = op(a, b)} by the kernels in use and by the scalar reference, to be
 * compared with {@link CopyBenchmark}. Time per buffer.
 *
 * <p>Until C2 has compiled a vector kernel, every vector is an object and the kernel takes a
 * thousand times as long: on a busy machine that lasts more than a second, hence the long warm-up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class ReduceBenchmark {
  @Param({
    "BOOL",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "FLOAT16",
    "BFLOAT16",
    "FLOAT32",
    "FLOAT64",
    "COMPLEX64"
  })
  public Dtype dtype;

  @Param("SUM")
  public ReduceOp op;

  @Param("REPRODUCIBLE")
  public ElementRules rules;

  @Param({"16384", "524288", "67108864"})
  public long bytes;

  private Arena arena;
  private MemorySegment a;
  private MemorySegment b;
  private MemorySegment dst;
  private ReduceKernel inUse;
  private ReduceKernel scalar;
  private long elements;

  /** Allocates and fills the operands with ordinary numbers of the type. */
  @Setup(Level.Trial)
  public void allocate() {
    arena = Arena.ofShared();
    a = Operands.allocate(arena, bytes);
    b = Operands.allocate(arena, bytes);
    dst = Operands.allocate(arena, bytes);
    elements = bytes / dtype.bytes();
    Operands.fill(a, dtype, 1);
    Operands.fill(b, dtype, 2);
    inUse = Kernels.of(op, dtype, rules);
    scalar = new ScalarKernels().kernel(op, dtype, rules);
  }

  @TearDown(Level.Trial)
  public void free() {
    arena.close();
  }

  @Benchmark
  public void vector() {
    inUse.reduce(dst, 0, a, 0, b, 0, elements);
  }

  /**
   * Two buffers instead of three, so more of them stays in a cache. Sums grow without bound, which
   * takes no longer: infinities and wrapped integers are as fast as other numbers.
   */
  @Benchmark
  public void vectorInPlace() {
    inUse.reduce(a, 0, a, 0, b, 0, elements);
  }

  @Benchmark
  public void scalar() {
    scalar.reduce(dst, 0, a, 0, b, 0, elements);
  }
}
