package io.jaccl4j.benchmark;

import io.jaccl4j.Dtype;
import io.jaccl4j.reduce.DivisionKernel;
import io.jaccl4j.reduce.Kernels;
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

/** The division that turns a sum into a mean, beside a plain copy. Time per buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class DivisionBenchmark {
  private static final long ALIGNMENT = 64;

  @Param({"INT32", "INT64", "FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "COMPLEX64"})
  public Dtype dtype;

  /** Not a power of two. */
  @Param("3")
  public int divisor;

  @Param("524288")
  public long bytes;

  private Arena arena;
  private MemorySegment source;
  private MemorySegment data;
  private DivisionKernel inUse;
  private DivisionKernel scalar;
  private long elements;

  @Setup(Level.Trial)
  public void allocate() {
    arena = Arena.ofShared();
    source = arena.allocate(bytes, ALIGNMENT);
    data = arena.allocate(bytes, ALIGNMENT);
    elements = bytes / dtype.bytes();
    Operands.fill(source, dtype, 1);
    inUse = Kernels.division(dtype);
    scalar = new ScalarKernels().division(dtype);
  }

  @TearDown(Level.Trial)
  public void free() {
    arena.close();
  }

  /** With a copy before it, or the numbers would become denormal, which are slow by themselves. */
  @Benchmark
  public void copyAndDivide() {
    MemorySegment.copy(source, 0, data, 0, bytes);
    inUse.divide(data, 0, elements, divisor);
  }

  @Benchmark
  public void copyAndDivideScalar() {
    MemorySegment.copy(source, 0, data, 0, bytes);
    scalar.divide(data, 0, elements, divisor);
  }

  @Benchmark
  public void copy() {
    MemorySegment.copy(source, 0, data, 0, bytes);
  }
}
