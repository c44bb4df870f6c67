package io.jaccl4j.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetTest {

  @Test
  void shouldShipTheTableThatTheGeneratorMakes() throws IOException {
    try (InputStream file = Dataset.class.getResourceAsStream("consumption.csv")) {
      assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(SampleTable.text());
    }
  }

  @Test
  void shouldReadColumnsAndNumbers() {
    Dataset table = Dataset.readAll();
    assertThat(table.columns()).containsExactly("load", "speed", "intake", "age", "consumption");
    assertThat(table.rowCount()).isEqualTo(SampleTable.ROWS).isEqualTo(Dataset.countRows());
    assertThat(table.value(0, 0)).isEqualTo(114.79);
    assertThat(table.value(1, 4)).isEqualTo(14.149);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 16})
  void shouldGiveEveryRowToOneRankInOrder(int size) {
    Dataset table = Dataset.readAll();
    int next = 0;
    for (int rank = 0; rank < size; rank++) {
      Dataset shard = Dataset.readShard(rank, size);
      assertThat(shard.columns()).isEqualTo(table.columns());
      assertThat(shard.rowCount()).isBetween(table.rowCount() / size, table.rowCount() / size + 1);
      for (int row = 0; row < shard.rowCount(); row++, next++) {
        for (int column = 0; column < table.columns().size(); column++) {
          assertThat(shard.value(row, column)).isEqualTo(table.value(next, column));
        }
      }
    }
    assertThat(next).isEqualTo(table.rowCount());
  }

  @Test
  void shouldSplitFewerRowsThanRanks() {
    assertThat(RowRange.ofRank(0, 4, 2)).isEqualTo(new RowRange(0, 1));
    assertThat(RowRange.ofRank(1, 4, 2)).isEqualTo(new RowRange(1, 1));
    assertThat(RowRange.ofRank(2, 4, 2)).isEqualTo(new RowRange(2, 0));
    assertThat(RowRange.ofRank(3, 4, 2)).isEqualTo(new RowRange(2, 0));
  }
}
