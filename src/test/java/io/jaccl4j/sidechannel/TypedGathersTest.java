package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedGathersTest {
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

  @ParameterizedTest
  @CsvSource({"ffffffff, -1", "47455420, 542393671", "01000002, 33554433"})
  void shouldNotBelieveAVectorThatIsTooLong(String length, int said) {
    TypedGathers gathers = scripted(new ArrayList<>(), "01000000" + length);

    assertThatThrownBy(() -> gathers.vector(new byte[1], 1))
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PEER_FAILED))
        .hasMessage(
            ("rank 0: side channel: rank 1 says that its vector has %d elements of 1 bytes, want 0"
                    + " to 33554432; do all ranks run the same program?")
                .formatted(said));
  }

  @Test
  void shouldDropWhatPaddingHolds() {
    TypedGathers gathers = scripted(new ArrayList<>(), "0100000002000000", "aaeeee01020304eeeeee");

    // Rank 0 has one element of 2 bytes, rank 1 has two of them.
    assertThatThrownBy(() -> gathers.vector(new byte[3], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("3 bytes are no whole number of elements of 2 bytes");
    TypedGathers padded = scripted(new ArrayList<>(), "0100000002000000", "aabbeeee01020304");
    assertThat(padded.vector(new byte[] {1, 2}, 2))
        .extracting(HexFormat.of()::formatHex)
        .containsExactly("aabb", "01020304");
  }

  @Test
  void shouldShareOneDeadline() {
    AtomicLong nowNanos = new AtomicLong();
    List<Long> timeouts = new ArrayList<>();
    TypedGathers gathers =
        new TypedGathers(
            new Scripted(timeouts, () -> nowNanos.addAndGet(30), "0000000000000000"),
            100,
            nowNanos::get);

    gathers.barrier();
    gathers.barrier();

    // The fourth has 10 of 100 left; one that is late still gets 1, and ends at once.
    assertThat(timeouts).containsExactly(100L, 70L, 40L, 10L);
    gathers.int32(0);
    assertThat(timeouts).endsWith(1L);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void shouldRefuseTimeoutThatIsNotPositive(long nanos) {
    assertThatThrownBy(
            () -> new TypedGathers(new Scripted(List.of(), () -> 0L), nanos, System::nanoTime))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timeout is " + nanos + " ns, want it positive");
  }

  @Test
  void shouldCarryAnyLengthsOverEqualOnes() throws Exception {
    MemoryAllGather memory = new MemoryAllGather();
    try (ConcurrentRanks ranks = new ConcurrentRanks()) {
      List<List<String>> results =
          ranks.all(
              3,
              rank -> {
                try (AllGather sized =
                    new SizedAllGather(
                        UniformAllGather.over(memory.open(rank, 3), rank, 3), System::nanoTime)) {
                  List<String> seen = new ArrayList<>();
                  for (int round = 0; round < 3; round++) {
                    byte[] contribution =
                        "x".repeat(rank * round).getBytes(StandardCharsets.US_ASCII);
                    sized
                        .allGather(contribution, TIMEOUT_NANOS)
                        .forEach(one -> seen.add(new String(one, StandardCharsets.US_ASCII)));
                  }
                  return seen;
                }
              });
      assertThat(results).containsOnly(List.of("", "", "", "", "x", "xx", "", "xx", "xxxx"));
    }
  }

  @Test
  void shouldNameTheRankWhoseContributionHasAnotherLength() {
    AllGather uneven = (_, _) -> List.of(new byte[2], new byte[3]);
    UniformAllGather channel = UniformAllGather.over(uneven, 0, 2);

    assertThat(channel.rank()).isZero();
    assertThat(channel.loss()).isEmpty();
    assertThatThrownBy(() -> channel.gather(new byte[2], TIMEOUT_NANOS))
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTINGS_DIFFER))
        .hasMessageContaining("rank 1 contributes 3 bytes, this rank 2, want equally many");
    UniformAllGather wrongSize = UniformAllGather.over(uneven, 0, 3);
    assertThatThrownBy(() -> wrongSize.gather(new byte[2], TIMEOUT_NANOS))
        .hasMessageContaining("contributions of 2 ranks, want 3");
  }

  @Test
  void shouldCloseWhatItIsOver() {
    AtomicReference<String> closed = new AtomicReference<>();
    AllGather inner =
        new AllGather() {
          @Override
          public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
            return List.of(contribution);
          }

          @Override
          public void close() {
            closed.set("closed");
          }
        };
    new SizedAllGather(UniformAllGather.over(inner, 0, 1), System::nanoTime).close();

    assertThat(closed).hasValue("closed");
  }

  private static TypedGathers scripted(List<Long> timeouts, String... answers) {
    return new TypedGathers(
        new Scripted(timeouts, () -> 0L, answers), TIMEOUT_NANOS, System::nanoTime);
  }

  /** Rank 0 of 2, with recorded answers; the last one again and again. */
  private static final class Scripted implements UniformAllGather {
    private final List<Long> timeouts;
    private final Runnable eachRound;
    private final Deque<String> answers;

    Scripted(List<Long> timeouts, LongSupplier eachRound, String... answers) {
      this.timeouts = timeouts;
      this.eachRound = eachRound::getAsLong;
      this.answers = new ArrayDeque<>(List.of(answers));
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return 2;
    }

    @Override
    public byte[] gather(byte[] contribution, long timeoutNanos) {
      timeouts.add(timeoutNanos);
      eachRound.run();
      return HexFormat.of()
          .parseHex(answers.size() > 1 ? answers.removeFirst() : answers.getFirst());
    }

    @Override
    public void close() {}
  }
}
