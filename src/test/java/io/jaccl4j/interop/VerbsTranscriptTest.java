package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.testing.emulated.MessageRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsTranscriptTest {
  @TempDir Path directory;

  private VerbsTranscript transcript(String text) throws IOException {
    return new VerbsTranscript(Files.writeString(directory.resolve("transcript"), text));
  }

  @Test
  void shouldHandOutTheMessagesOfEachQueuePairAndDirectionInOrder() throws IOException {
    VerbsTranscript transcript =
        transcript(
            """
            q0 emu1 1025 -> 1030
            q1 emu0 1026 -> 1031
            q0 > 3x4096
            q1 < 1x8192
            q0 > 2x65536
            """);
    assertThat(transcript.pairs()).isEqualTo(2);
    assertThat(transcript.pair(0)).isEqualTo(new VerbsTranscript.Pair(0, "emu1", 1025, 1030));
    assertThat(transcript.take(0, true, 2)).isEqualTo(MessageRuns.parse("2x4096"));
    assertThat(transcript.take(0, true, 2)).isEqualTo(MessageRuns.parse("1x4096+1x65536"));
    assertThat(transcript.take(0, false, 1)).as("none was received").isEqualTo(MessageRuns.NONE);
    assertThat(transcript.untaken()).isEqualTo(2);
    assertThat(transcript.take(0, true, 9))
        .as("all there is")
        .isEqualTo(MessageRuns.parse("1x64K"));
    assertThat(transcript.take(1, false, 1)).isEqualTo(MessageRuns.parse("1x8192"));
    assertThat(transcript.untaken()).isZero();
  }

  @Test
  void shouldRefuseALineThatItDoesNotKnow() {
    assertThatThrownBy(() -> transcript("q0 > many"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("q0 > many");
  }
}
