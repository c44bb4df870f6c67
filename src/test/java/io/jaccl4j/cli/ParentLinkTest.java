package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParentLinkTest {
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final CountDownLatch parentGone = new CountDownLatch(1);

  @Test
  void shouldTakeTheSeedFromTheParentAndNoticeItsEnd() throws Exception {
    PipedOutputStream parent = new PipedOutputStream();
    ParentLink link = open(new PipedInputStream(parent));
    parent.write((RankProtocol.encodeJoin("a") + "\n").getBytes(StandardCharsets.UTF_8));
    parent.flush();
    assertThat(link.awaitSeed(WAIT)).isEqualTo("a");
    assertThat(parentGone.getCount()).isEqualTo(1);

    parent.close();
    assertThat(parentGone.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldFailWhenTheParentIsGoneBeforeTheJoin() throws Exception {
    ParentLink link = open(new ByteArrayInputStream(new byte[0]));
    assertThatThrownBy(() -> link.awaitSeed(WAIT)).hasMessageContaining("the parent is gone");
    assertThat(parentGone.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldFailOnALineThatIsNoJoin() {
    ParentLink link = open(new ByteArrayInputStream("hello\n".getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> link.awaitSeed(WAIT)).hasMessageContaining("hello");
  }

  @Test
  void shouldNotWaitForEver() throws IOException {
    try (PipedOutputStream parent = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(parent)) {
      ParentLink link = open(in);
      assertThatThrownBy(() -> link.awaitSeed(Duration.ofMillis(20)))
          .isInstanceOfSatisfying(
              RunFailedException.class,
              e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NOT_FORMED));
    }
  }

  @Test
  void shouldSendOneLinePerMessage() {
    ParentLink link = open(InputStream.nullInputStream());
    link.send(new RankMessage.MemberUp());
    link.send(new RankMessage.Finished(0));
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("@jaccl4j\tmember-up", "@jaccl4j\tfinished\t0");
  }

  private ParentLink open(InputStream in) {
    return ParentLink.open(
        in, new PrintStream(out, true, StandardCharsets.UTF_8), parentGone::countDown);
  }
}
