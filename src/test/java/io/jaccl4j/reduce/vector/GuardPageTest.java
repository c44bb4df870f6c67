package io.jaccl4j.reduce.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.DivisionKernel;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.KernelProvider;
import io.jaccl4j.reduce.ReduceKernel;
import io.jaccl4j.reduce.ScalarKernels;
import io.jaccl4j.testing.GuardedMemory;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels on buffers beside pages that nobody may touch. The segments that they get reach into
 * those pages, so that no bounds check is in the way: an access too far ends this JVM.
 */
class GuardPageTest {
  private static final int MAX_COUNT = 257;
  private static final int MAX_BYTES = MAX_COUNT * 8;
  private static final int DIVISOR = 3;

  private static GuardedMemory dst;
  private static GuardedMemory a;
  private static GuardedMemory b;

  @BeforeAll
  static void map() {
    assumeTrue(GuardedMemory.isSupported(), "pages are protected on Linux and macOS alone");
    dst = GuardedMemory.map(MAX_BYTES);
    a = GuardedMemory.map(MAX_BYTES);
    b = GuardedMemory.map(MAX_BYTES);
  }

  @AfterAll
  static void unmap() {
    for (GuardedMemory memory : new GuardedMemory[] {dst, a, b}) {
      if (memory != null) {
        memory.close();
      }
    }
  }

  static Stream<Arguments> everyKernel() {
    return Stream.of(new ScalarKernels(), new VectorKernels())
        .flatMap(
            provider ->
                Stream.of(Dtype.values())
                    .map(
                        dtype ->
                            Arguments.argumentSet(provider.name() + " " + dtype, provider, dtype)));
  }

  /** What the other tests rely on. */
  @Test
  void shouldHaveGuardPagesThatNobodyMayTouch() {
    assertThat(a.isWritable(a.startOffset())).isTrue();
    assertThat(a.isWritable(0)).isFalse();
    assertThat(a.isWritable(a.endOffset())).isFalse();
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldStayWithinBuffersThatEndAtTheGuardPage(KernelProvider provider, Dtype dtype) {
    for (ReduceOp op : ReduceOp.values()) {
      for (ElementRules rules : ElementRules.values()) {
        ReduceKernel kernel = provider.kernel(op, dtype, rules);
        for (int count = 0; count <= MAX_COUNT; count++) {
          long bytes = (long) count * dtype.bytes();
          reduce(
              kernel, dst.endOffset() - bytes, a.endOffset() - bytes, b.endOffset() - bytes, count);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldStayWithinBuffersThatStartAtTheGuardPage(KernelProvider provider, Dtype dtype) {
    for (ReduceOp op : ReduceOp.values()) {
      for (ElementRules rules : ElementRules.values()) {
        ReduceKernel kernel = provider.kernel(op, dtype, rules);
        for (int count = 0; count <= MAX_COUNT; count++) {
          reduce(kernel, dst.startOffset(), a.startOffset(), b.startOffset(), count);
        }
      }
    }
  }

  /** The same on segments as long as the data, where a bounds check names the culprit. */
  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldStayWithinSegmentsAsLongAsTheData(KernelProvider provider, Dtype dtype) {
    for (ReduceOp op : ReduceOp.values()) {
      for (ElementRules rules : ElementRules.values()) {
        ReduceKernel kernel = provider.kernel(op, dtype, rules);
        for (int count = 0; count <= MAX_COUNT; count++) {
          long bytes = (long) count * dtype.bytes();
          kernel.reduce(exact(dst, bytes), 0, exact(a, bytes), 0, exact(b, bytes), 0, count);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldDivideWithinBuffersAtTheGuardPages(KernelProvider provider, Dtype dtype) {
    assumeTrue(dtype != Dtype.BOOL, "booleans have no mean");
    DivisionKernel kernel = provider.division(dtype);
    for (int count = 0; count <= MAX_COUNT; count++) {
      long bytes = (long) count * dtype.bytes();
      kernel.divide(dst.withGuards(), dst.startOffset(), count, DIVISOR);
      kernel.divide(dst.withGuards(), dst.endOffset() - bytes, count, DIVISOR);
      kernel.divide(exact(dst, bytes), 0, count, DIVISOR);
    }
  }

  private static void reduce(
      ReduceKernel kernel, long dstOffset, long aOffset, long bOffset, int count) {
    kernel.reduce(
        dst.withGuards(), dstOffset, a.withGuards(), aOffset, b.withGuards(), bOffset, count);
  }

  private static MemorySegment exact(GuardedMemory memory, long bytes) {
    return memory.withGuards().asSlice(memory.endOffset() - bytes, bytes);
  }
}
