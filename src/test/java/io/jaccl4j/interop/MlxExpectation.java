package io.jaccl4j.interop;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a step's outputs have to be in MLX's ring of one size. Results that are the same on all
 * ranks are computed once and kept until {@link #forget}; ranks of one JVM share an instance.
 */
final class MlxExpectation {
  private static final long PART_BYTES = 262_144;

  private final int size;
  private final int connections;
  private final Map<Integer, byte[]> outputs = new ConcurrentHashMap<>();

  MlxExpectation(int size, int connections) {
    this.size = size;
    this.connections = connections;
  }

  byte[] output(Step step, int rank) {
    return switch (step.kind()) {
      case ALL_SUM, ALL_MAX, ALL_MIN ->
          outputs.computeIfAbsent(step.number(), number -> reduced(step));
      case ALL_GATHER -> outputs.computeIfAbsent(step.number(), number -> gathered(step));
      default ->
          Expectation.input(step, Math.floorMod(rank - step.kind().distance(), size), step.count());
    };
  }

  void forget(Step step) {
    outputs.remove(step.number());
  }

  private byte[] gathered(Step step) {
    int bytes = step.count() * step.dtype().bytes();
    byte[] all = new byte[size * bytes];
    for (int rank = 0; rank < size; rank++) {
      System.arraycopy(Expectation.input(step, rank, step.count()), 0, all, rank * bytes, bytes);
    }
    return all;
  }

  private byte[] reduced(Step step) {
    Arithmetic arithmetic = Arithmetic.of(step.dtype());
    int count = step.count();
    ByteBuffer out =
        ByteBuffer.allocate(count * step.dtype().bytes()).order(ByteOrder.LITTLE_ENDIAN);
    long bytes = (long) count * step.dtype().bytes();
    long parts = Math.max(1, Math.min(2L * connections, bytes / (size * PART_BYTES)));
    int part = count < size ? size : (int) ((count + parts - 1) / parts);
    for (int i = 0; i < count; i++) {
      int number = i / part;
      int length = count < size ? size : Math.min(part, count - number * part);
      int segment = (length + size - 1) / size;
      int first = i % part / segment;
      boolean upwards = count >= size && number % 2 == 0;
      arithmetic.put(out, i, reduce(step, arithmetic, i, first, upwards ? 1 : -1));
    }
    return out.array();
  }

  /** Begins with one rank's value; each of the others has its own as the first operand. */
  private long reduce(Step step, Arithmetic arithmetic, int i, int first, int direction) {
    long result = element(step, i, first);
    for (int j = 1; j < size; j++) {
      long own = element(step, i, first - direction * j);
      result =
          switch (step.kind()) {
            case ALL_MAX -> arithmetic.max(result, own);
            case ALL_MIN -> arithmetic.min(result, own);
            default -> arithmetic.add(own, result);
          };
    }
    return result;
  }

  private long element(Step step, int i, int rank) {
    return step.inputs().element(step.dtype(), i, Math.floorMod(rank, size));
  }
}
