package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HostsTest {
  @TempDir private Path directory;

  @Test
  void shouldAskTheKernelAndNobodyElse() throws IOException {
    Path file = Files.writeString(directory.resolve("hostname"), "studio\n");
    assertThat(
            Hosts.localName(
                file,
                () -> {
                  throw new AssertionError("asked");
                },
                "10.0.0.1"))
        .isEqualTo("studio");
    assertThat(Hosts.localName(Files.writeString(file, "\n"), () -> "asked", "10.0.0.1"))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void shouldAskTheResolverWhereTheKernelTellsNothing() {
    Path missing = directory.resolve("missing");
    assertThat(Hosts.localName(missing, () -> "mini", "10.0.0.1")).isEqualTo("mini");
    assertThat(
            Hosts.localName(
                missing,
                () -> {
                  throw new UnknownHostException("mini");
                },
                "10.0.0.1"))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void shouldNotWaitForAResolverThatIsSilent() {
    CountDownLatch never = new CountDownLatch(1);
    assertThat(
            Hosts.localName(
                directory.resolve("missing"),
                () -> {
                  never.await();
                  return "late";
                },
                "10.0.0.1"))
        .isEqualTo("10.0.0.1");
    never.countDown();
  }
}
