package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter text = new StringWriter();
  private long nowNanos;

  @Test
  void shouldRewriteOneLineOnATerminalOnceASecond() {
    Progress progress = progress(true);
    progress.update("too early");
    advanceMillis(1000);
    progress.update("two of four");
    advanceMillis(400);
    progress.update("too early");
    advanceMillis(600);
    progress.update("four");
    assertThat(text.toString()).isEqualTo("\rtwo of four\rfour       ");
  }

  @Test
  void shouldRemoveTheLineBeforeAnotherIsPrinted() {
    Progress progress = progress(true);
    advanceMillis(1000);
    progress.update("abc");
    progress.println("log line");
    progress.println("another");
    assertThat(text.toString())
        .isEqualTo("\rabc\r   \r" + "log line%n".formatted() + "another%n".formatted());
  }

  @Test
  void shouldPrintPlainLinesElsewhere() {
    Progress progress = progress(false);
    for (int i = 0; i < 6; i++) {
      advanceMillis(1000);
      progress.update("waiting " + i);
    }
    progress.clear();
    assertThat(text.toString()).isEqualTo("waiting 2%nwaiting 5%n".formatted());
  }

  @Test
  void shouldKeepTheLineWithinTheWidthOfATable() {
    Progress progress = progress(true);
    advanceMillis(1000);
    progress.update("x".repeat(300));
    assertThat(text.toString()).hasSizeLessThanOrEqualTo(Table.MAX_WIDTH).endsWith("x...");
  }

  private Progress progress(boolean terminal) {
    return new Progress(new PrintWriter(text), terminal, () -> nowNanos);
  }

  private void advanceMillis(long millis) {
    nowNanos += millis * 1_000_000;
  }
}
