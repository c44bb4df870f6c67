package io.jaccl4j.interop;

import io.jaccl4j.Group;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** One rank's way through the sequence. */
final class JacclSequence {
  private static final int FAR_SIZE = 4;
  private static final long HASH_BASIS = 0xcbf29ce484222325L;
  private static final long HASH_PRIME = 0x100000001b3L;

  private final Group group;
  private final boolean ring;
  private final int wires;
  private final Expectation expectation;
  private final Consumer<String> lines;
  private int bad;
  private int executed;

  /**
   * @param expectation of this configuration
   * @param lines where the printed lines go
   */
  JacclSequence(
      Group group, boolean ring, int wires, Expectation expectation, Consumer<String> lines) {
    this.group = group;
    this.ring = ring;
    this.wires = wires;
    this.expectation = expectation;
    this.lines = lines;
  }

  static int burstCount(int k) {
    return 37 * k % 3000 + 1;
  }

  static int burstElements() {
    int elements = 0;
    for (int k = 0; k < 100; k++) {
      elements += burstCount(k);
    }
    return elements;
  }

  /** The steps that a group runs. */
  static List<Step> steps(boolean ring, int size) {
    boolean far = !ring && size >= FAR_SIZE;
    return Step.all().stream().filter(step -> far || step.kind() != Step.Kind.PASS_FAR).toList();
  }

  /** Runs a step and prints its line. */
  void run(Step step) {
    byte[] got;
    String problem = "";
    try (Arena arena = Arena.ofShared()) {
      got =
          switch (step.kind()) {
            case BURST -> burst(step, arena);
            case BARRIER -> {
              group.barrier();
              yield new byte[0];
            }
            default -> {
              byte[] input = Expectation.input(step, group.rank(), inputCount(step));
              MemorySegment out =
                  arena.allocate(Math.max(1, outputBytes(step)), 64).asSlice(0, outputBytes(step));
              MemorySegment in =
                  step.inPlace()
                      ? out.asSlice(ownOffset(step), input.length)
                      : arena.allocate(input.length, 64);
              MemorySegment.copy(input, 0, in, ValueLayout.JAVA_BYTE, 0, input.length);
              call(step, in, out);
              if (!step.inPlace() && !Arrays.equals(input, in.toArray(ValueLayout.JAVA_BYTE))) {
                problem = "input was changed";
              }
              yield out.toArray(ValueLayout.JAVA_BYTE);
            }
          };
    }
    if (problem.isEmpty() && expectation.dependsOnArrival(step)) {
      boolean possible = expectation.isPossible(step, group.rank(), got);
      problem = possible ? "" : "no order of the ranks has this result";
    } else if (problem.isEmpty()) {
      int at = Arrays.mismatch(got, expectation.output(step, group.rank()));
      problem = at < 0 ? "" : "byte " + at + " is not as expected";
    }
    executed++;
    bad += problem.isEmpty() ? 0 : 1;
    lines.accept(
        String.format(
            Locale.ROOT,
            "STEP %s hash=%016x check=%s",
            step.label(),
            hash(got),
            problem.isEmpty() ? "OK" : "BAD " + problem));
  }

  /** Prints the last line and says whether all was well. */
  boolean finish() {
    lines.accept(
        String.format(
            Locale.ROOT,
            "JACCL-INTEROP rank=%d n=%d topo=%s wires=%d steps=%d bad=%d %s",
            group.rank(),
            group.size(),
            ring ? "ring" : "mesh",
            wires,
            executed,
            bad,
            bad == 0 ? "PASS" : "FAIL"));
    return bad == 0;
  }

  private int inputCount(Step step) {
    return step.kind() == Step.Kind.SUM_SCATTER ? group.size() * step.count() : step.count();
  }

  private long outputBytes(Step step) {
    long bytes = (long) step.count() * step.dtype().bytes();
    return step.kind() == Step.Kind.ALL_GATHER ? group.size() * bytes : bytes;
  }

  private long ownOffset(Step step) {
    return step.kind() == Step.Kind.ALL_GATHER
        ? (long) group.rank() * step.count() * step.dtype().bytes()
        : 0;
  }

  private void call(Step step, MemorySegment in, MemorySegment out) {
    switch (step.kind()) {
      case ALL_SUM -> group.allSum(in, out, step.dtype());
      case ALL_MAX -> group.allMax(in, out, step.dtype());
      case ALL_MIN -> group.allMin(in, out, step.dtype());
      case ALL_GATHER -> group.allGather(in, out);
      case SUM_SCATTER -> group.sumScatter(in, out, step.dtype());
      default -> pass(step.kind().distance(), in, out);
    }
  }

  private void pass(int distance, MemorySegment in, MemorySegment out) {
    int to = Math.floorMod(group.rank() + distance, group.size());
    int from = Math.floorMod(group.rank() - distance, group.size());
    if (group.rank() < Math.abs(distance)) {
      group.send(in, to);
      group.recv(out, from);
    } else {
      group.recv(out, from);
      group.send(in, to);
    }
  }

  private byte[] burst(Step step, Arena arena) {
    byte[] all = new byte[burstElements() * step.dtype().bytes()];
    int offset = 0;
    for (int k = 0; k < step.count(); k++) {
      byte[] input = Expectation.input(step, group.rank(), burstCount(k));
      MemorySegment data = arena.allocate(input.length, 64);
      MemorySegment.copy(input, 0, data, ValueLayout.JAVA_BYTE, 0, input.length);
      group.allSum(data, data, step.dtype());
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, all, offset, input.length);
      offset += input.length;
    }
    return all;
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
