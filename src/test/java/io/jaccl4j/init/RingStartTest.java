package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.jaccl4j.Backend;
import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.config.mlx.MlxEnvironment;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** MLX's TCP ring from MLX's environment. */
@Timeout(60)
class RingStartTest {
  private static final int SIZE = 3;

  @TempDir Path directory;

  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  private List<Group> form(Map<String, String> more) throws IOException {
    List<ServerSocket> taken = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      taken.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    String rows =
        taken.stream()
            .map(socket -> "[\"127.0.0.1:" + socket.getLocalPort() + "\"]")
            .collect(Collectors.joining(", ", "[", "]"));
    for (ServerSocket socket : taken) {
      socket.close();
    }
    Path hostfile = Files.writeString(directory.resolve("hosts.json"), rows);
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      Map<String, String> environment = new HashMap<>(more);
      environment.put("MLX_HOSTFILE", hostfile.toString());
      environment.put("MLX_RANK", Integer.toString(rank));
      environment.put("JACCL4J_TIMEOUT", "20");
      EnvironmentInitializer initializer =
          new EnvironmentInitializer(MlxEnvironment.of(environment));
      starting.add(
          CompletableFuture.supplyAsync(
              () -> initializer.form(Backend.RING, Optional.empty()), callers));
    }
    return starting.stream().map(CompletableFuture::join).toList();
  }

  private static List<Integer> sums(List<Group> groups) {
    try (Arena arena = Arena.ofShared()) {
      List<MemorySegment> cells = new ArrayList<>();
      List<CompletableFuture<Void>> sums = new ArrayList<>();
      for (Group group : groups) {
        MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_INT, group.rank() + 1);
        cells.add(cell);
        sums.add(group.allSumAsync(cell, cell, Dtype.INT32).toCompletableFuture());
      }
      sums.forEach(CompletableFuture::join);
      return cells.stream().map(cell -> cell.get(ValueLayout.JAVA_INT, 0)).toList();
    }
  }

  @Test
  void shouldSumAroundTheRing() throws IOException {
    List<Group> groups = form(Map.of());
    assertThat(sums(groups)).containsOnly(6);
    assertThat(groups).extracting(Group::health).containsOnly(GroupHealth.READY);
    assertThat(groups.getFirst().counters().operations()).isOne();
    assertThat(groups.getFirst().members()).hasSize(SIZE);
    groups.forEach(Group::close);
    assertThat(groups).extracting(Group::health).containsOnly(GroupHealth.CLOSED);
  }

  @Test
  void shouldHaveABarrierAmongRanksThatShareAKey() throws IOException {
    List<Group> groups = form(Map.of("JACCL4J_KEY", "a secret of sixteen bytes"));
    List<CompletableFuture<Void>> barriers =
        groups.stream().map(group -> group.barrierAsync().toCompletableFuture()).toList();
    barriers.forEach(CompletableFuture::join);
    groups.forEach(Group::close);
  }

  @ParameterizedTest
  @CsvSource({"true, INFO", "false, DEBUG"})
  void shouldLogHowItConnectsWhereMlxWould(boolean verbose, String level) throws IOException {
    Logger logger = (Logger) LoggerFactory.getLogger("io.jaccl4j.ring.RingSetup");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.DEBUG);
    try {
      form(verbose ? Map.of("MLX_RING_VERBOSE", "") : Map.of()).forEach(Group::close);
    } finally {
      logger.setLevel(null);
      logger.detachAppender(log);
    }
    List<ILoggingEvent> events = List.copyOf(log.list);
    assertThat(events).extracting(ILoggingEvent::getLevel).containsOnly(Level.valueOf(level));
    assertThat(events)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(message -> message.startsWith("[ring] rank 1 of 3 "))
        .hasSize(4)
        .anySatisfy(message -> assertThat(message).contains("accepts rank 0 at 127.0.0.1:"))
        .anySatisfy(message -> assertThat(message).contains("connects to rank 2"))
        .anySatisfy(message -> assertThat(message).contains("has been reached by rank 0"))
        .anySatisfy(message -> assertThat(message).contains("has reached rank 2"));
  }

  @Test
  void shouldTellTheOthersWhenARankLeaves() throws IOException {
    List<Group> groups = form(Map.of());
    groups.get(1).close();
    for (int rank : new int[] {0, 2}) {
      assertThat(groups.get(rank).terminated().toCompletableFuture())
          .failsWithin(Duration.ofSeconds(20));
      assertThat(groups.get(rank).health()).isEqualTo(GroupHealth.FAILED);
      groups.get(rank).close();
    }
  }
}
