package io.jaccl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.init.EnvironmentInitializer;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which group one gets who asks again. */
@Timeout(60)
class GroupCacheTest {
  private static final Optional<AllGather.Factory> NO_SIDE_CHANNEL = Optional.empty();

  private final Script script = new Script();
  private final GroupCache cache = new GroupCache(() -> script);
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @TempDir Path directory;

  @AfterEach
  void end() {
    callers.shutdownNow();
  }

  /** Forms what it is told is configured. */
  private static final class Script implements GroupInitializer {
    private final List<Backend> formed = new ArrayList<>();
    private final Map<Group, AtomicReference<GroupHealth>> healths = new HashMap<>();
    private Optional<Backend> any = Optional.empty();
    private boolean configured = true;
    private RuntimeException refusal;
    private CountDownLatch mayForm = new CountDownLatch(0);

    @Override
    public Optional<String> unavailableBecause(Backend backend) {
      return Optional.empty();
    }

    @Override
    public Optional<Backend> configured(Backend wanted, boolean hasSideChannel) {
      return !configured ? Optional.empty() : wanted == Backend.ANY ? any : Optional.of(wanted);
    }

    @Override
    public Group form(Backend backend, Optional<AllGather.Factory> sideChannel) {
      awaitPermission();
      formed.add(backend);
      if (refusal != null) {
        throw refusal;
      }
      return group();
    }

    private void awaitPermission() {
      try {
        assertThat(mayForm.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public ConfigurationException missing(Backend backend, boolean hasSideChannel) {
      return new ConfigurationException("missing for " + backend + ", " + hasSideChannel);
    }

    @Override
    public Group alone() {
      return group();
    }

    private Group group() {
      AtomicReference<GroupHealth> health = new AtomicReference<>(GroupHealth.READY);
      Group group =
          (Group)
              Proxy.newProxyInstance(
                  Group.class.getClassLoader(),
                  new Class<?>[] {Group.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "health" -> health.get();
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        case "toString" -> "group " + System.identityHashCode(proxy);
                        default -> throw new UnsupportedOperationException(method.getName());
                      });
      healths.put(group, health);
      return group;
    }

    void end(Group group, GroupHealth health) {
      healths.get(group).set(health);
    }
  }

  private Group get(Backend backend) {
    return cache.get(false, backend, NO_SIDE_CHANNEL);
  }

  @Test
  void shouldKeepOneGroupForEachBackend() {
    Group ring = get(Backend.RING);
    Group jaccl = get(Backend.JACCL);
    assertThat(get(Backend.RING)).isSameAs(ring);
    assertThat(get(Backend.JACCL)).isSameAs(jaccl).isNotSameAs(ring);
    assertThat(script.formed).containsExactly(Backend.RING, Backend.JACCL);
  }

  @Test
  void shouldTakeTheFirstGroupForAny() {
    Group jaccl = get(Backend.JACCL);
    get(Backend.RING);
    script.any = Optional.of(Backend.RING);
    assertThat(get(Backend.ANY)).isSameAs(jaccl);
  }

  /** Two rings of one process would listen at the same ports. */
  @Test
  void shouldKnowUnderItsOwnNameWhatAnyHasFormed() {
    script.any = Optional.of(Backend.RING);
    Group any = get(Backend.ANY);
    assertThat(get(Backend.RING)).isSameAs(any);
    assertThat(script.formed).containsExactly(Backend.RING);
  }

  @Test
  void shouldFormAnewWhereTheGroupHasFailedOrIsClosed() {
    script.any = Optional.of(Backend.JACCL);
    Group group = get(Backend.ANY);
    for (GroupHealth health : List.of(GroupHealth.FAILED, GroupHealth.CLOSED)) {
      script.end(group, health);
      Group next = get(Backend.JACCL);
      assertThat(next).as("after %s", health).isNotSameAs(group);
      assertThat(get(Backend.ANY)).isSameAs(next);
      group = next;
    }
    assertThat(script.formed).hasSize(3);
  }

  @Test
  void shouldMakeAnotherGroupTheDefaultWhereTheDefaultHasFailed() {
    script.end(get(Backend.JACCL), GroupHealth.FAILED);
    Group ring = get(Backend.RING);
    assertThat(get(Backend.ANY)).isSameAs(ring);
  }

  @Test
  void shouldRememberNothingOfAGroupThatDidNotForm() {
    script.refusal = new FormationException(FormationException.Reason.TIMEOUT, "rank 1 is missing");
    assertThatThrownBy(() -> get(Backend.RING)).isSameAs(script.refusal);
    script.refusal = null;
    assertThat(get(Backend.RING).health()).isEqualTo(GroupHealth.READY);
    assertThat(script.formed).hasSize(2);
  }

  @Test
  void shouldNeverGiveAGroupOfOneToTheStrict() {
    script.configured = false;
    Group alone = get(Backend.ANY);
    assertThat(get(Backend.ANY)).isSameAs(alone);
    assertThat(script.formed).isEmpty();
    assertThatThrownBy(() -> cache.get(true, Backend.ANY, NO_SIDE_CHANNEL))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("missing for ANY, false");
    assertThatThrownBy(() -> cache.get(true, Backend.JACCL, Optional.of((rank, size) -> null)))
        .hasMessage("missing for JACCL, true");
  }

  @Test
  void shouldNotTakeAGroupOfOneForTheDefault() {
    script.configured = false;
    Group alone = get(Backend.RING);
    script.configured = true;
    script.any = Optional.of(Backend.JACCL);
    assertThat(get(Backend.ANY)).isNotSameAs(alone);
    assertThat(script.formed).containsExactly(Backend.JACCL);
  }

  @Test
  void shouldFormOneGroupForManyWhoAskAtOnce() {
    script.mayForm = new CountDownLatch(1);
    List<CompletableFuture<Group>> asking = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      asking.add(CompletableFuture.supplyAsync(() -> get(Backend.RING), callers));
    }
    script.mayForm.countDown();
    assertThat(asking.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    assertThat(script.formed).hasSize(1);
  }

  /** Every set of rank, devices, coordinator and ring, strict or not. */
  @Test
  void shouldNeverBeSilentlyAloneWhereSomethingIsConfigured() throws IOException {
    Path devices =
        Files.writeString(
            directory.resolve("devices.json"), "[[null, \"no-device\"], [\"no-device\", null]]");
    for (int subset = 0; subset < 16; subset++) {
      Map<String, String> variables = new HashMap<>(Map.of("JACCL4J_TIMEOUT", "0.3"));
      List<String> missing = new ArrayList<>();
      put(subset, 1, variables, missing, "MLX_RANK", "0", "rank (JACCL_RANK or MLX_RANK)");
      put(
          subset,
          2,
          variables,
          missing,
          "MLX_IBV_DEVICES",
          devices.toString(),
          "device file (JACCL_IBV_DEVICES or MLX_IBV_DEVICES)");
      put(
          subset,
          4,
          variables,
          missing,
          "MLX_JACCL_COORDINATOR",
          "127.0.0.1:1",
          "coordinator (JACCL_COORDINATOR or MLX_JACCL_COORDINATOR)");
      put(subset, 8, variables, new ArrayList<>(), "MLX_JACCL_RING", "1", "");
      boolean nothing = (subset & 6) == 0;
      for (Backend backend : List.of(Backend.ANY, Backend.JACCL)) {
        for (boolean strict : new boolean[] {true, false}) {
          GroupCache of =
              new GroupCache(() -> new EnvironmentInitializer(MlxEnvironment.of(variables)));
          if (nothing && !strict) {
            try (Group alone = of.get(false, backend, NO_SIDE_CHANNEL)) {
              assertThat(alone.size()).isOne();
            }
            continue;
          }
          assertThatThrownBy(() -> of.get(strict, backend, NO_SIDE_CHANNEL))
              .as("%s, %s, strict %s", variables.keySet(), backend, strict)
              .isInstanceOf(
                  missing.isEmpty() ? FormationException.class : ConfigurationException.class)
              .satisfies(
                  e -> {
                    if (!missing.isEmpty()) {
                      assertThat(e)
                          .hasMessage(
                              (nothing && backend == Backend.ANY
                                      ? "the TCP ring is not configured: missing hostfile"
                                          + " (MLX_HOSTFILE); "
                                      : "")
                                  + "JACCL is not configured: missing "
                                  + String.join(", ", missing));
                    }
                  });
        }
      }
    }
  }

  private static void put(
      int subset,
      int bit,
      Map<String, String> variables,
      List<String> missing,
      String name,
      String value,
      String description) {
    if ((subset & bit) == 0) {
      missing.add(description);
    } else {
      variables.put(name, value);
    }
  }

  /** Two processes, each with its own cache, over MLX's TCP ring. */
  @Test
  void shouldFormANewRingAfterAPeerHasLeft() throws IOException {
    String hostfile =
        Files.writeString(
                directory.resolve("hosts.json"),
                "{\"hosts\": [\"127.0.0.1:%d\", \"127.0.0.1:%d\"]}"
                    .formatted(freePort(), freePort()))
            .toString();
    List<GroupCache> processes = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      MlxEnvironment environment =
          MlxEnvironment.of(
              Map.of(
                  "MLX_RANK",
                  Integer.toString(rank),
                  "MLX_HOSTFILE",
                  hostfile,
                  "JACCL4J_TIMEOUT",
                  "20"));
      processes.add(new GroupCache(() -> new EnvironmentInitializer(environment)));
    }
    List<Group> first = formed(processes);
    assertThat(processes.getFirst().get(true, Backend.RING, NO_SIDE_CHANNEL))
        .isSameAs(first.getFirst());
    first.getLast().close();
    assertThat(first.getFirst().terminated().toCompletableFuture())
        .failsWithin(Duration.ofSeconds(20));
    assertThat(first.getFirst().health()).isEqualTo(GroupHealth.FAILED);
    first.getFirst().close();

    List<Group> second = formed(processes);
    assertThat(second).doesNotContainAnyElementsOf(first);
    assertThat(second).extracting(Group::health).containsOnly(GroupHealth.READY);
    second.forEach(Group::close);
  }

  private List<Group> formed(List<GroupCache> processes) {
    List<CompletableFuture<Group>> forming =
        processes.stream()
            .map(
                cache ->
                    CompletableFuture.supplyAsync(
                        () -> cache.get(true, Backend.ANY, NO_SIDE_CHANNEL), callers))
            .toList();
    return forming.stream().map(CompletableFuture::join).toList();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
