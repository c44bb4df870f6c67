package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Ranks that meet over TCP, and leave no socket behind. */
abstract class RendezvousFixture {
  static final String GROUP = "rendezvous";
  static final Duration SHORT = Duration.ofSeconds(2);
  final List<AutoCloseable> resources = new ArrayList<>();
  long socketsBefore;

  /** The JDK keeps a socket of its own from its first use on. */
  @BeforeAll
  static void useSockets() throws IOException {
    SocketPair pair = SocketPair.open(false);
    pair.first().close();
    pair.second().close();
  }

  @BeforeEach
  void countSockets() throws IOException {
    socketsBefore = openSockets();
  }

  @AfterEach
  void leaveNothing() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
    await().untilAsserted(() -> assertThat(openSockets()).isLessThanOrEqualTo(socketsBefore));
  }

  static long openSockets() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(descriptors)) {
      return all.filter(RendezvousFixture::isSocket).count();
    }
  }

  static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      // Closed since it was listed.
      return false;
    }
  }

  static GroupSettings settings(int size, Duration timeout) {
    return TestSettings.of(GROUP, size)
        .withFormationTimeout(timeout)
        .withMemory(new GroupSettings.Memory(4096, 0, Path.of("/dev/shm")));
  }

  <T extends AutoCloseable> T kept(T resource) {
    resources.add(resource);
    return resource;
  }

  FabricThread rank(int rank, int size, Duration timeout) {
    return kept(FabricThread.open(settings(size, timeout), rank));
  }

  static Throwable causeOf(CompletableFuture<?> future) {
    Throwable thrown = catchThrowable(() -> future.orTimeout(40, TimeUnit.SECONDS).join());
    assertThat(thrown).isInstanceOf(CompletionException.class);
    return thrown.getCause();
  }

  static Hello changed(
      Hello h, int sockets, long group, long epoch, int from, int to, int wire, int socket) {
    return new Hello(sockets, group, epoch, from, to, wire, socket, h.token());
  }
}
