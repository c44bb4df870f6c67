package io.jaccl4j.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example as a user runs it. */
@Timeout(170)
class TrainingExampleTest {
  @TempDir Path directory;

  @Test
  void shouldLearnAlthoughARankIsKilledAndReplaced() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Path picture = directory.resolve("loss.svg");
    List<LossChart.Loss> losses =
        TrainingExample.train(600, picture, new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(losses.getFirst().step()).isZero();
    assertThat(losses.getLast().step()).isEqualTo(599);
    assertThat(losses.getLast().value())
        .as("%s", printed)
        .isLessThan(losses.getFirst().value() / 3);
    assertThat(losses.stream().map(LossChart.Loss::epoch).distinct()).hasSizeGreaterThan(1);
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("killing process", "failed ");
    assertThat(Files.readString(picture)).contains("<polyline", "epoch 1");
  }
}
