package io.jaccl4j.interop;

import io.jaccl4j.Dtype;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a step's outputs have to be in one configuration. The outputs of all ranks together are
 * computed once, and kept until {@link #forget}; ranks of one JVM share an instance.
 */
final class Expectation {
  /** A mesh of more than two ranks reduces larger buffers in the order of arrival. */
  private static final long SMALL_MESH_BYTES = 32_768;

  private static final long SMALL_RING_BYTES = 32_768;
  private static final long SMALL_SCATTER_BYTES = 65_536;

  private final boolean ring;
  private final int size;
  private final int wires;
  private final Map<Integer, byte[]> outputs = new ConcurrentHashMap<>();

  Expectation(boolean ring, int size, int wires) {
    this.ring = ring;
    this.size = size;
    this.wires = wires;
  }

  /** Whether any order of some ranks is right, so that the bits cannot be foretold. */
  boolean dependsOnArrival(Step step) {
    if (ring || size == 2 || step.inputs() != Inputs.ROUGH) {
      return false;
    }
    return step.kind() == Step.Kind.SUM_SCATTER
        || (long) step.count() * step.dtype().bytes() > SMALL_MESH_BYTES;
  }

  /** The output of one rank. */
  byte[] output(Step step, int rank) {
    return switch (step.kind()) {
      case ALL_SUM, ALL_MAX, ALL_MIN, ALL_GATHER, BURST -> whole(step);
      case SUM_SCATTER -> {
        int bytes = step.count() * step.dtype().bytes();
        yield Arrays.copyOfRange(whole(step), rank * bytes, (rank + 1) * bytes);
      }
      case PASS_RIGHT, PASS_LEFT, PASS_FAR ->
          input(step, Math.floorMod(rank - step.kind().distance(), size), step.count());
      case BARRIER -> new byte[0];
    };
  }

  /** Whether these bits result from one of the orders that a step allows, element by element. */
  boolean isPossible(Step step, int rank, byte[] got) {
    Arithmetic arithmetic = Arithmetic.of(step.dtype());
    int count = got.length / step.dtype().bytes();
    int block = step.kind() == Step.Kind.SUM_SCATTER ? 0 : step.count() / size;
    ByteBuffer out = allocate(count, step.dtype());
    for (int i = 0; i < count; i++) {
      int index = step.kind() == Step.Kind.SUM_SCATTER ? rank * step.count() + i : i;
      int first = step.kind() == Step.Kind.SUM_SCATTER ? rank : block == 0 ? 0 : i / block;
      boolean anyOrder = step.kind() == Step.Kind.SUM_SCATTER || i < block * size;
      int position = i;
      boolean possible =
          Orders.of(size, anyOrder ? first : 0, anyOrder).stream()
              .anyMatch(
                  order -> {
                    long sum = element(step, index, order[0]);
                    for (int next = 1; next < size; next++) {
                      sum = arithmetic.add(sum, element(step, index, order[next]));
                    }
                    arithmetic.put(out, position, sum);
                    int bytes = step.dtype().bytes();
                    int from = position * bytes;
                    return Arrays.equals(out.array(), from, from + bytes, got, from, from + bytes);
                  });
      if (!possible) {
        return false;
      }
    }
    return true;
  }

  void forget(Step step) {
    outputs.remove(step.number());
  }

  /** The first elements of a rank's input. */
  static byte[] input(Step step, int rank, int count) {
    Arithmetic arithmetic = Arithmetic.of(step.dtype());
    ByteBuffer buffer = allocate(count, step.dtype());
    for (int i = 0; i < count; i++) {
      arithmetic.put(buffer, i, step.inputs().element(step.dtype(), i, rank));
    }
    return buffer.array();
  }

  private byte[] whole(Step step) {
    return outputs.computeIfAbsent(step.number(), number -> compute(step));
  }

  private byte[] compute(Step step) {
    return switch (step.kind()) {
      case ALL_GATHER -> gathered(step);
      case BURST -> burst(step);
      case SUM_SCATTER -> scattered(step);
      default -> reduced(step, step.count());
    };
  }

  private byte[] gathered(Step step) {
    int bytes = step.count() * step.dtype().bytes();
    byte[] all = new byte[size * bytes];
    for (int rank = 0; rank < size; rank++) {
      System.arraycopy(input(step, rank, step.count()), 0, all, rank * bytes, bytes);
    }
    return all;
  }

  private byte[] burst(Step step) {
    ByteBuffer all = allocate(JacclSequence.burstElements(), step.dtype());
    for (int k = 0; k < step.count(); k++) {
      all.put(reduced(step, JacclSequence.burstCount(k)));
    }
    return all.array();
  }

  private byte[] reduced(Step step, int count) {
    Arithmetic arithmetic = Arithmetic.of(step.dtype());
    ByteBuffer out = allocate(count, step.dtype());
    long bytes = (long) count * step.dtype().bytes();
    boolean oneDirection = bytes <= SMALL_RING_BYTES || count < 2L * size * wires;
    int usedWires = oneDirection ? 1 : wires;
    int directions = oneDirection ? 1 : 2;
    int chunk = Math.ceilDiv(count, size);
    int part = Math.ceilDiv(chunk, directions * usedWires);
    for (int i = 0; i < count; i++) {
      int first = ring ? i / chunk : 0;
      boolean upwards = !ring || i % chunk < usedWires * part;
      arithmetic.put(out, i, reduce(step, arithmetic, i, first, upwards));
    }
    return out.array();
  }

  private byte[] scattered(Step step) {
    Arithmetic arithmetic = Arithmetic.of(step.dtype());
    int count = step.count();
    ByteBuffer out = allocate(size * count, step.dtype());
    long bytes = (long) count * step.dtype().bytes();
    boolean oneWire = (long) size * count < 2L * size * wires || bytes <= SMALL_SCATTER_BYTES;
    int usedWires = oneWire ? 1 : wires;
    int part = Math.ceilDiv(count, 2 * usedWires);
    for (int i = 0; i < size * count; i++) {
      int rank = i / count;
      boolean upwards = !ring || i % count < usedWires * part;
      int first = ring ? upwards ? rank + 1 : rank - 1 : rank;
      arithmetic.put(out, i, reduce(step, arithmetic, i, first, upwards));
    }
    return out.array();
  }

  /** In a ring the next rank's value is the first operand, in a mesh the second. */
  private long reduce(Step step, Arithmetic arithmetic, int i, int first, boolean upwards) {
    long result = element(step, i, first);
    for (int next = 1; next < size; next++) {
      long value = element(step, i, upwards ? first + next : first - next);
      long a = ring ? value : result;
      long b = ring ? result : value;
      result =
          switch (step.kind()) {
            case ALL_MAX -> arithmetic.max(a, b);
            case ALL_MIN -> arithmetic.min(a, b);
            default -> arithmetic.add(a, b);
          };
    }
    return result;
  }

  private long element(Step step, int i, int rank) {
    return step.inputs().element(step.dtype(), i, Math.floorMod(rank, size));
  }

  private static ByteBuffer allocate(int count, Dtype dtype) {
    return ByteBuffer.allocate(count * dtype.bytes()).order(ByteOrder.LITTLE_ENDIAN);
  }
}
