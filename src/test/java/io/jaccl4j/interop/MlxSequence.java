package io.jaccl4j.interop;

import io.jaccl4j.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/** One rank's way through MLX's sequence. */
final class MlxSequence {
  /** The basis that MLX's benchmark has: one digit short of FNV's own. */
  private static final long HASH_BASIS = 1_469_598_103_934_665_603L;

  private static final long HASH_PRIME = 0x100000001b3L;

  private final Session session;
  private final MlxExpectation expectation;
  private final Consumer<String> lines;
  private int executed;
  private int bad;

  /**
   * @param lines where the printed lines go
   */
  MlxSequence(Session session, MlxExpectation expectation, Consumer<String> lines) {
    this.session = session;
    this.expectation = expectation;
    this.lines = lines;
  }

  /** Runs a step and prints its line. */
  void run(Step step) {
    byte[] got;
    try (Arena arena = Arena.ofShared()) {
      byte[] input = Expectation.input(step, session.rank(), step.count());
      MemorySegment in = arena.allocate(input.length, 64);
      MemorySegment.copy(input, 0, in, ValueLayout.JAVA_BYTE, 0, input.length);
      boolean gathers = step.kind() == Step.Kind.ALL_GATHER;
      MemorySegment out = arena.allocate((gathers ? session.size() : 1) * (long) input.length, 64);
      switch (step.kind()) {
        case ALL_SUM -> session.allSum(in, out, step.dtype());
        case ALL_MAX -> session.allMax(in, out, step.dtype());
        case ALL_MIN -> session.allMin(in, out, step.dtype());
        case ALL_GATHER -> session.allGather(in, out);
        default -> pass(step.kind().distance(), in, out);
      }
      got = out.toArray(ValueLayout.JAVA_BYTE);
    }
    boolean right = Arrays.equals(got, expectation.output(step, session.rank()));
    executed++;
    bad += right ? 0 : 1;
    lines.accept(
        String.format(
            Locale.ROOT,
            "INTEROP rank=%d %s hash=%016x check=%s",
            session.rank(),
            MlxSteps.label(step),
            hash(got),
            right ? "OK" : "BAD"));
  }

  /** Prints the last line and says whether all was well. */
  boolean finish() {
    lines.accept(
        String.format(
            Locale.ROOT,
            "INTEROP rank=%d n=%d steps=%d bad=%d %s",
            session.rank(),
            session.size(),
            executed,
            bad,
            bad == 0 ? "PASS" : "FAIL"));
    return bad == 0;
  }

  private void pass(int distance, MemorySegment in, MemorySegment out) {
    int to = Math.floorMod(session.rank() + distance, session.size());
    int from = Math.floorMod(session.rank() - distance, session.size());
    if (session.rank() == 0) {
      session.send(in, to);
      session.recv(out, from);
    } else {
      session.recv(out, from);
      session.send(in, to);
    }
  }

  /** FNV-1a, 64 bits. */
  private static long hash(byte[] bytes) {
    long hash = HASH_BASIS;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * HASH_PRIME;
    }
    return hash;
  }
}
