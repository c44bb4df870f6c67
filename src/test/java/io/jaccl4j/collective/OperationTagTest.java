package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperationTagTest {

  @Test
  void shouldTellOperationsApart() {
    Set<Integer> tags = new HashSet<>();
    int combinations = 0;
    for (OperationTag.Kind kind : OperationTag.Kind.values()) {
      for (ReduceOp op : ReduceOp.values()) {
        for (Dtype dtype : Dtype.values()) {
          for (long sequence = 0; sequence < 5; sequence++) {
            for (long bytes : new long[] {0, 4, 8, 4000, 4004}) {
              tags.add(OperationTag.of(kind, op, dtype, sequence, bytes));
              combinations++;
            }
          }
        }
      }
    }
    assertThat(tags).hasSize(combinations);
  }

  @Test
  void shouldTellNeighbouringLengthsApart() {
    for (long bytes = 0; bytes < 100_000; bytes += 4) {
      assertThat(OperationTag.of(OperationTag.Kind.ALL_GATHER, 0, bytes))
          .isNotEqualTo(OperationTag.of(OperationTag.Kind.ALL_GATHER, 0, bytes + 4));
    }
  }

  @Test
  void shouldSayWhatItStandsFor() {
    int tag = OperationTag.of(OperationTag.Kind.ALL_REDUCE, ReduceOp.MIN, Dtype.BFLOAT16, 1025, 4);
    assertThat(OperationTag.describe(tag)).startsWith("allMin bfloat16 #1 of length class ");
    assertThat(OperationTag.describe(-1)).isEqualTo("an unknown operation (tag 0xffffffff)");
  }
}
