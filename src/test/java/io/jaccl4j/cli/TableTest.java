package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void shouldAlignNumbersToTheRightAndWordsToTheLeft() {
    String text =
        new Table("Title", "name", "n", "time")
            .row("one", 1, "2.0 us")
            .row("eleven", 11, "10.0 ns")
            .render();
    assertThat(text)
        .isEqualTo(
            """
            Title
              name     n     time
              ------  --  -------
              one      1   2.0 us
              eleven  11  10.0 ns
            """);
  }

  @Test
  void shouldWrapTheWidestColumnToFitTheWidth() {
    String description = "shared memory in /dev/shm, ".repeat(8).strip();
    String text = new Table("Links", "rank", "text").row(0, description).row(1, "x").render();
    assertThat(text.lines()).allMatch(line -> line.length() <= Table.MAX_WIDTH);
    assertThat(text.replaceAll("\\s+", " ")).contains(description);
    assertThat(text.lines().filter(line -> line.contains("shared"))).hasSizeGreaterThan(1);
  }

  @Test
  void shouldWrapTheNoteBelowTheRows() {
    String note = "more ranks than processors ".repeat(9).strip();
    String text = new Table("T", "a").row(1).note(note).render();
    assertThat(text.lines()).allMatch(line -> line.length() <= Table.MAX_WIDTH);
    assertThat(text.replaceAll("\\s+", " ").strip()).isEqualTo("T a - 1 " + note);
  }

  @Test
  void shouldBreakAWordThatIsTooLong() {
    String word = "x".repeat(250);
    String text = new Table("T", "a", "b").row(1, word).render();
    assertThat(text.lines()).allMatch(line -> line.length() <= Table.MAX_WIDTH);
    assertThat(text.chars().filter(c -> c == 'x').count()).isEqualTo(250);
  }

  @Test
  void shouldRefuseARowOfAnotherLength() {
    assertThatThrownBy(() -> new Table("T", "a", "b").row(1))
        .hasMessage("T: row has 1 cells, want 2");
  }

  @Test
  void shouldRenderATableWithoutRows() {
    assertThat(new Table("T", "a").render()).isEqualTo("T\n  a\n  -\n");
  }
}
