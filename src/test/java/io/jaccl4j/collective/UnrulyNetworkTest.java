package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.testing.Elements;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.RoughFloats;
import io.jaccl4j.testing.Workload;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.NetworkScript;
import io.jaccl4j.testing.emulated.SendTiming;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Results do not depend on when messages arrive or sends complete; nothing is left over. */
class UnrulyNetworkTest {
  private static final int SEEDS = 4;
  private static final int RUNS = 200;
  private static final int SOAK_OPERATIONS = 10_000;
  private static final long LONGEST_SOAK_BYTES = 512 * 1024;

  static List<Arguments> shapes() {
    List<Arguments> shapes = new ArrayList<>();
    for (EmulatedShape shape : EmulatedShape.values()) {
      for (int size = 2; size <= (shape == EmulatedShape.MESH ? 4 : 5); size++) {
        for (boolean registered : new boolean[] {false, true}) {
          for (boolean inPlace : new boolean[] {false, true}) {
            shapes.add(Arguments.of(shape, size, registered, inPlace));
          }
        }
      }
    }
    return shapes;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldGiveRightResultsOnAllRanks(
      EmulatedShape shape, int size, boolean registered, boolean inPlace) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      NetworkScript script = NetworkScript.unruly(seed);
      try (EmulatedRanks ranks = shape.form(size, script);
          Arena arena = Arena.ofShared()) {
        for (Workload workload : Workload.values()) {
          List<Boolean> right =
              ranks.onAll(
                  session -> {
                    GuardedBuffers buffers = new GuardedBuffers(session, arena, registered);
                    return workload.isRight(session, arena, buffers, inPlace)
                        && buffers.areIntact();
                  });
          assertThat(right).as("%s, %s", workload, script).containsOnly(true);
        }
      }
    }
  }

  /** A send out of the application's memory may complete long after the peer's answer to it. */
  @ParameterizedTest
  @EnumSource
  void shouldNotWriteWhereASendIsUnderWay(EmulatedShape shape) {
    int size = 2;
    int count = 20_000;
    NetworkScript script = NetworkScript.seeded(16).sends(SendTiming.LATE);
    try (EmulatedRanks ranks = shape.form(size, script);
        Arena arena = Arena.ofShared()) {
      MemorySegment want = RoughFloats.fillSums(arena.allocate(4L * count, 64), size);
      List<Long> mismatches =
          ranks.onAll(
              session -> {
                MemorySegment data = RoughFloats.fill(session.allocate(4L * count), session.rank());
                session.allSum(data, data, Dtype.FLOAT32);
                return data.mismatch(want);
              });
      assertThat(mismatches).containsOnly(-1L);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MESH, 3, 3000",
    "MESH, 3, 70001",
    "MESH_OF_FEW_MESSAGES, 5, 300",
    "MESH_OF_FEW_MESSAGES, 5, 70001"
  })
  void shouldGiveTheSameBitsInEveryRunAndOnEveryRank(EmulatedShape shape, int size, int count) {
    try (EmulatedRanks ranks = shape.form(size, NetworkScript.unruly(count));
        Arena arena = Arena.ofShared()) {
      MemorySegment want = RoughFloats.fillSums(arena.allocate(4L * count, 64), size);
      List<Integer> wrong =
          ranks.onAll(
              session -> {
                MemorySegment in = RoughFloats.fill(session.allocate(4L * count), session.rank());
                MemorySegment out = session.allocate(4L * count);
                int different = 0;
                for (int run = 0; run < RUNS; run++) {
                  session.allSum(in, out, Dtype.FLOAT32);
                  different += out.mismatch(want) == -1 ? 0 : 1;
                  out.fill((byte) 0);
                }
                return different;
              });
      assertThat(wrong).as("runs that differ from the sum in rank order").containsOnly(0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RING", "RING_OF_TWO_WIRES"})
  void shouldGiveTheSameBitsAroundTheRingHoweverMessagesAreDelayed(EmulatedShape shape) {
    int size = 4;
    int count = 9001;
    List<Integer> hashes = new ArrayList<>();
    for (long seed = 1; seed <= RUNS; seed++) {
      NetworkScript script = NetworkScript.unruly(seed);
      try (EmulatedRanks ranks = shape.form(size, script)) {
        hashes.addAll(
            ranks.onAll(
                session -> {
                  MemorySegment data =
                      RoughFloats.fill(session.allocate(4L * count), session.rank());
                  session.allSum(data, data, Dtype.FLOAT32);
                  return Arrays.hashCode(data.toArray(ValueLayout.JAVA_INT));
                }));
      }
    }
    assertThat(hashes).hasSize(RUNS * size).containsOnly(hashes.getFirst());
  }

  /** More operations than a deadlock of a few in a hundred could hide in. */
  @Test
  void shouldNeverHangHoweverManyOperationsAreDelayed() {
    long seed = 37;
    try (EmulatedRanks ranks =
        EmulatedShape.RING_OF_TWO_WIRES.form(4, NetworkScript.unruly(seed))) {
      List<Long> wrong =
          ranks.onAll(
              session -> {
                SplittableRandom random = new SplittableRandom(seed);
                MemorySegment data = session.allocate(LONGEST_SOAK_BYTES);
                long different = 0;
                for (int operation = 0; operation < SOAK_OPERATIONS; operation++) {
                  // Mostly short ones, and a few that are many messages on every wire.
                  long bound = operation % 200 == 0 ? LONGEST_SOAK_BYTES : 16_384;
                  MemorySegment part = data.asSlice(0, random.nextLong(1, bound / 4) * 4);
                  int value = random.nextInt(1000);
                  for (long at = 0; at < part.byteSize(); at += 4) {
                    part.set(ValueLayout.JAVA_INT, at, value + session.rank());
                  }
                  session.allSum(part, part, Dtype.INT32);
                  int want = 4 * value + 6;
                  different += part.get(ValueLayout.JAVA_INT, 0) == want ? 0 : 1;
                  different += part.get(ValueLayout.JAVA_INT, part.byteSize() - 4) == want ? 0 : 1;
                }
                return different;
              });
      assertThat(wrong).as("seed " + seed).containsOnly(0L);
    }
  }

  /** Around chunk borders a receive too many would take the message of the sum that follows. */
  @Test
  void shouldLeaveBothQueuesEmptyAfterEveryTransfer() {
    long[] sizes = {0, 1, 4095, 4096, 4097, 8192, 8193, 16384, 524287, 524288, 524289, 1048577};
    try (EmulatedRanks ranks = EmulatedRanks.form(2, NetworkScript.unruly(22))) {
      for (long bytes : sizes) {
        try (Arena arena = Arena.ofShared()) {
          MemorySegment data = Elements.fill(arena, Dtype.INT8, 0, bytes, 0);
          MemorySegment got = arena.allocate(bytes);
          ranks.runOnAll(
              session -> {
                if (session.rank() == 0) {
                  session.send(data, 1);
                } else {
                  session.recv(got, 0);
                }
              });
          assertThat(got.mismatch(data)).as("%d bytes", bytes).isEqualTo(-1);
          List<Boolean> right =
              ranks.onAll(
                  session ->
                      Workload.ALL_SUM_SMALL.isRight(
                          session, arena, new GuardedBuffers(session, arena, false), false));
          assertThat(right).as("sum after %d bytes", bytes).containsOnly(true);
        }
      }
    }
  }
}
