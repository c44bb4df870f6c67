package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.rdma.RdmaDevices;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members of one cluster, each a process, over real RDMA devices {@code rxe0} and {@code rxe1} on
 * the interfaces {@code rdma0} and {@code rdma1}. The cluster carries the metadata.
 */
@Tag("rdma")
@EnabledIf(
    value = "hasDevices",
    disabledReason = "there is no RDMA device; on Linux: rdma link add rxe0 type rxe netdev eth0")
@Timeout(240)
class RdmaProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaProcessTest.class);
  private static final int SIZE = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LARGE_SUMS = "allsum 400000 1000000";

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(
          SIZE,
          ProcessConfig.patient()
              .with(
                  """
                  # Four JVMs share the one processor of a guest, some of which wait by polling.
                  pekko.cluster {
                    failure-detector.acceptable-heartbeat-pause = 20s
                    split-brain-resolver.stable-after = 60s
                  }
                  jaccl4j {
                    unreachable-timeout = 5s
                    fabric = verbs
                    verbs.devices = [rxe0, rxe1]
                    memory { slot-bytes = 64 KiB, registered-bytes = 4 MiB }
                    formation-timeout = 120s
                    operation-timeout = 60s
                  }
                  """));

  private final RankProcessGroup group = PROCESSES.group();

  /** One kind of group. */
  record Shape(String topology, int size, int wires, String wire, String queuePair) {
    String name() {
      return "%s-%d-%d-%s-%s".formatted(topology, size, wires, wire, queuePair);
    }

    String[] overrides(String... more) {
      List<String> all =
          new ArrayList<>(
              List.of(
                  "jaccl4j.topology=" + topology,
                  "jaccl4j.ring.wires=" + wires,
                  "jaccl4j.wire=" + wire,
                  "jaccl4j.verbs.queue-pair=" + queuePair));
      all.addAll(List.of(more));
      return all.toArray(String[]::new);
    }
  }

  static boolean hasDevices() {
    return RdmaDevices.arePresent();
  }

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (String wire : List.of("exact", "mlx")) {
      for (int size = 2; size <= SIZE; size++) {
        shapes.add(new Shape("mesh", size, 1, wire, "rc"));
        shapes.add(new Shape("ring", size, 1, wire, "rc"));
        shapes.add(new Shape("ring", size, 2, wire, "rc"));
      }
    }
    shapes.add(new Shape("mesh", 3, 1, "exact", "uc"));
    shapes.add(new Shape("ring", 3, 2, "exact", "uc"));
    return shapes;
  }

  @BeforeEach
  void revive() throws IOException {
    group.revive();
  }

  private List<ChildRank> join(Shape shape, String... more) {
    group.join(shape.name(), shape.size(), shape.overrides(more));
    return group.all().subList(0, shape.size());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldComputeRightValuesOnEveryRank(Shape shape) {
    List<ChildRank> ranks = join(shape);
    List<Answer> answers = RankProcessGroup.run(ranks, "workloads");
    RankProcessGroup.run(ranks, "close");
    assertThat(answers).allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
  }

  @Test
  void shouldComputeRightValuesWhileRanksSleepUntilTheyAreWoken() {
    Shape shape = new Shape("ring", 3, 2, "exact", "rc");
    List<ChildRank> ranks =
        join(shape, "jaccl4j.idle.events=on", "jaccl4j.idle.spin=0s", "jaccl4j.idle.yield=0s");
    List<Answer> answers = RankProcessGroup.run(ranks, "workloads");
    RankProcessGroup.run(ranks, "close");
    assertThat(answers).allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
  }

  @Test
  void shouldNameTheRankThatIsKilled() {
    List<ChildRank> ranks = join(new Shape("mesh", 3, 1, "exact", "rc"));
    ChildRank victim = ranks.get(2);
    List<CompletableFuture<Answer>> sums =
        ranks.subList(0, 2).stream().map(rank -> rank.ask(LARGE_SUMS)).toList();
    victim.ask(LARGE_SUMS);
    await().atMost(PATIENCE).until(() -> victim.state().number("completed") > 2);
    final long killedNanos = System.nanoTime();
    victim.kill();
    for (CompletableFuture<Answer> sum : sums) {
      Answer answer = sum.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("message")).contains("rank 2");
      assertThat(answer.text("health")).isEqualTo("FAILED");
    }
    LOG.info("killed: failed after {} ms", (System.nanoTime() - killedNanos) / 1_000_000);
  }

  @Test
  void shouldNameThePortThatGoesDown() {
    // On the port of rank 1 alone, so that rank 0 is told by its connection or by its peer.
    Shape shape = new Shape("mesh", 2, 1, "exact", "rc");
    group.join(shape.name() + "-down", 2, shape.overrides("jaccl4j.verbs.devices=[rxe1]"));
    List<ChildRank> ranks = group.all().subList(0, 2);
    List<CompletableFuture<Answer>> sums =
        ranks.stream().map(rank -> rank.ask(LARGE_SUMS)).toList();
    await().atMost(PATIENCE).until(() -> ranks.getFirst().state().number("completed") > 2);
    Shell.run("ip link set rdma1 down");
    try {
      for (CompletableFuture<Answer> sum : sums) {
        Answer answer = sum.join();
        assertThat(answer.ok()).isFalse();
        assertThat(answer.text("message")).contains("rxe1");
      }
    } finally {
      Shell.run("ip link set rdma1 up");
    }
  }

  @Test
  void shouldEndInBoundedTimeWhereAnUnreliableConnectionLosesPackets() {
    Shape shape = new Shape("mesh", 2, 1, "exact", "uc");
    List<ChildRank> ranks = group.all().subList(0, 2);
    List<CompletableFuture<Answer>> joins = new ArrayList<>();
    // On one device packets never leave the driver.
    for (int rank = 0; rank < 2; rank++) {
      String overrides =
          String.join(
              " ",
              shape.overrides(
                  "jaccl4j.verbs.devices=[rxe%d]".formatted(rank), "jaccl4j.operation-timeout=8s"));
      joins.add(ranks.get(rank).ask("join lossy 2 " + overrides));
    }
    for (int rank = 0; rank < 2; rank++) {
      ranks.get(rank).succeeded("join", joins.get(rank));
    }
    RankProcessGroup.run(ranks, "allsum 400000 1");
    Shell.run("tc qdisc add dev rdma0 root netem loss 3%");
    try {
      List<CompletableFuture<Answer>> sums =
          ranks.stream().map(rank -> rank.ask(LARGE_SUMS)).toList();
      for (CompletableFuture<Answer> sum : sums) {
        Answer answer = sum.join();
        assertThat(answer.ok()).isFalse();
        assertThat(answer.text("exception")).isNotEqualTo("AssertionError");
        assertThat(answer.text("message")).contains("allSum");
        LOG.info("lossy: {}", answer.text("message"));
      }
    } finally {
      Shell.run("tc qdisc del dev rdma0 root");
    }
  }

  @Test
  void shouldFindTheAddressAtAnotherIndex() {
    // Another subnet: with its primary address an interface loses the others of the subnet.
    Shell.run("ip addr add 10.98.0.1/24 dev rdma0");
    Shell.run("ip addr del 10.99.0.1/24 dev rdma0");
    try {
      Shape shape = new Shape("mesh", 2, 1, "exact", "rc");
      List<ChildRank> ranks = join(shape);
      List<Answer> answers = RankProcessGroup.run(ranks, "workloads");
      assertThat(answers).allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
      assertThat(ranks.getFirst().state().text("group")).contains("gid 2: 10.98.0.1");
      RankProcessGroup.run(ranks, "close");
    } finally {
      Shell.run("ip addr add 10.99.0.1/24 dev rdma0");
      Shell.run("ip addr del 10.98.0.1/24 dev rdma0");
    }
  }

  @Test
  void shouldNameADeviceThatIsNotThere() {
    String command =
        "join missing 2 jaccl4j.verbs.devices=[rdma_en99] jaccl4j.formation-timeout=20s";
    List<CompletableFuture<Answer>> joins =
        group.all().subList(0, 2).stream().map(rank -> rank.ask(command)).toList();
    for (CompletableFuture<Answer> join : joins) {
      Answer answer = join.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("message")).contains("there is no device rdma_en99, only [rxe0, rxe1");
    }
  }

  @Test
  void shouldUseTheSmallerMtuOfBothEnds() {
    Shell.run("ip link set rdma1 mtu 9000");
    try {
      List<ChildRank> ranks = group.all().subList(0, 2);
      List<CompletableFuture<Answer>> joins = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        joins.add(
            ranks
                .get(rank)
                .ask(
                    "join mtu 2 jaccl4j.topology=mesh jaccl4j.verbs.devices=[rxe%d]"
                        .formatted(rank)));
      }
      for (int rank = 0; rank < 2; rank++) {
        Answer joined = ranks.get(rank).succeeded("join", joins.get(rank));
        assertThat(joined.text("group")).contains(rank == 0 ? "mtu 1024" : "mtu 4096");
      }
      List<Answer> answers = RankProcessGroup.run(ranks, "workloads");
      assertThat(answers).allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
      RankProcessGroup.run(ranks, "close");
    } finally {
      Shell.run("ip link set rdma1 mtu 1500");
    }
  }
}
