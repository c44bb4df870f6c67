package io.jaccl4j.cli.bench.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangeTest {
  /** More than one period of the test data in every type. */
  private static final long BYTES = 8 * 6 * 9001L;

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void shouldFindRightResultsRight(Dtype dtype) {
    for (int ranks : new int[] {2, 3}) {
      LocalRanks.run(
          ranks,
          session -> {
            for (Operation operation : Operation.values()) {
              for (boolean inPlace : new boolean[] {false, true}) {
                Exchange exchange = exchange(session, operation, dtype, inPlace).exchange();
                exchange.fill();
                session.barrier();
                exchange.run();
                assertThat(exchange.countWrong())
                    .as("%s %s on rank %d", operation, dtype, session.rank())
                    .isZero();
                session.barrier();
              }
            }
            return null;
          });
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BARRIER"})
  void shouldCountWrongElements(Operation operation) {
    LocalRanks.run(
        2,
        session -> {
          Prepared prepared = exchange(session, operation, Dtype.FLOAT32, false);
          Exchange exchange = prepared.exchange();
          exchange.fill();
          session.barrier();
          exchange.run();
          MemorySegment out = prepared.buffers().out();
          long blockBegin = operation == Operation.SUM_SCATTER ? session.rank() * (BYTES / 2) : 0;
          for (long byteInFirstHalf : List.of(0L, 3L, 40L, BYTES / 2 - 1)) {
            long offset = blockBegin + byteInFirstHalf;
            byte right = out.get(ValueLayout.JAVA_BYTE, offset);
            out.set(ValueLayout.JAVA_BYTE, offset, (byte) (right ^ 1));
          }
          // Two of the four bytes are in the first element.
          assertThat(exchange.countWrong()).isEqualTo(3);
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BARRIER"})
  void shouldFindAnOutputThatNobodyWroteWrong(Operation operation) {
    List<Long> wrong =
        LocalRanks.run(
            2,
            session -> {
              Exchange exchange = exchange(session, operation, Dtype.INT32, false).exchange();
              exchange.fill();
              return exchange.countWrong();
            });
    boolean half = operation == Operation.SUM_SCATTER;
    long all = BYTES / Integer.BYTES / (half ? 2 : 1);
    // The root of a broadcast has what it sends.
    assertThat(wrong).containsExactly(operation == Operation.BROADCAST ? 0L : all, all);
  }

  @Test
  void shouldNoticeABlockInAWrongPlace() {
    TestPattern pattern = new TestPattern(Dtype.UINT8, 2);
    MemorySegment moved = MemorySegment.ofArray(new byte[1 << 14]);
    for (int shift = 1; shift < 1 << 13; shift <<= 1) {
      pattern.fill(moved, shift, 0);
      assertThat(pattern.countWrong(moved, 0, 0)).as("moved by %d", shift).isGreaterThan(10_000);
    }
  }

  private record Prepared(Exchange exchange, Buffers buffers) {}

  private static Prepared exchange(
      Session session, Operation operation, Dtype dtype, boolean inPlace) {
    Buffers buffers = new Buffers(session.allocate(BYTES), session.allocate(BYTES));
    return new Prepared(Exchange.of(session, operation, dtype, buffers, BYTES, inPlace), buffers);
  }
}
