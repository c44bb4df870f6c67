package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members of one cluster, each a process in a network of its own, linked by sockets over a bridge:
 * addresses, slow and lossy ways, cables cut in one direction.
 */
@EnabledIf(
    value = "hasNetworks",
    disabledReason = "needs root, ip (iproute2) and a kernel with namespaces, bridges and veth")
@Timeout(240)
class TcpNetworkTest {
  private static final Logger LOG = LoggerFactory.getLogger(TcpNetworkTest.class);
  private static final int SIZE = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LARGE_SUMS = "allsum 400000 1000000";

  private static NetworkNamespaces networks;

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(
          SIZE,
          ProcessConfig.vigilant()
              .with(
                  """
                  jaccl4j {
                    fabric = tcp
                    memory { slot-bytes = 64 KiB, registered-bytes = 4 MiB }
                  }
                  """),
          TcpNetworkTest::makeNetworks);

  private final RankProcessGroup group = PROCESSES.group();

  static boolean hasNetworks() {
    return NetworkNamespaces.obstacle().isEmpty();
  }

  private static NetworkNamespaces makeNetworks() {
    networks = NetworkNamespaces.of(SIZE);
    return networks;
  }

  @BeforeEach
  void revive() throws IOException {
    group.revive();
  }

  /** What a test has done to the network is undone before the next one begins. */
  @AfterEach
  void awaitReachable() {
    for (ChildRank rank : group.all()) {
      if (rank.isAlive()) {
        await("nobody unreachable, as seen by " + rank)
            .atMost(PATIENCE)
            .until(() -> rank.state().number("unreachable") == 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mesh, 2, 1, exact, 1",
    "mesh, 3, 1, exact, 2",
    "mesh, 3, 1, mlx, 1",
    "ring, 3, 1, exact, 1",
    "ring, 3, 2, mlx, 2",
  })
  void shouldComputeRightValuesAcrossNetworks(
      String topology, int size, int wires, String wire, int sockets) {
    group.join(
        "%s-%d-%d-%s-%d".formatted(topology, size, wires, wire, sockets),
        size,
        "jaccl4j.topology=" + topology,
        "jaccl4j.ring.wires=" + wires,
        "jaccl4j.wire=" + wire,
        "jaccl4j.tcp.sockets-per-wire=" + sockets);
    List<ChildRank> ranks = group.all().subList(0, size);
    assertRightWorkloads(ranks);
    for (ChildRank rank : ranks) {
      assertThat(rank.state().text("group"))
          .as("the address by which the cluster knows it comes first")
          .contains(" at " + NetworkNamespaces.address(rank.number()) + ":");
    }
    RankProcessGroup.run(ranks, "close");
  }

  private static void assertRightWorkloads(List<ChildRank> ranks) {
    assertThat(RankProcessGroup.run(ranks, "workloads"))
        .allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
  }

  /** Each rank joins with settings of its own. */
  private List<CompletableFuture<Answer>> joinEach(String name, String... overrides) {
    List<CompletableFuture<Answer>> joins = new ArrayList<>();
    for (int rank = 0; rank < overrides.length; rank++) {
      String command = "join %s %d %s".formatted(name, overrides.length, overrides[rank]).strip();
      joins.add(group.rank(rank).ask(command));
    }
    return joins;
  }

  @Test
  void shouldGiveRightSumsOverASlowWayThatLosesPackets() {
    group.join("slow", SIZE);
    String queue = "tc qdisc %s dev plug1 root";
    networks.runInHub(queue.formatted("add") + " tbf rate 100mbit burst 20kb limit 30kb");
    try {
      assertRightWorkloads(group.all());
      List<String> statistics = networks.runInHub("tc -s qdisc show dev plug1");
      LOG.info("slow way: {}", statistics);
      assertThat(String.join(" ", statistics)).containsPattern("dropped [1-9]");
    } finally {
      networks.runInHub(queue.formatted("del"));
    }
    group.run("close");
  }

  @Test
  void shouldGiveRightSumsOverALongWayThatLosesPackets() {
    String queue = "tc qdisc add dev plug1 root netem delay 10ms 2ms loss 1%";
    assumeThat(networks.succeedsInHub(queue)).as("this kernel has netem").isTrue();
    try {
      group.join("long", SIZE, "jaccl4j.operation-timeout=60s");
      assertRightWorkloads(group.all());
    } finally {
      networks.runInHub("tc qdisc del dev plug1 root");
    }
    group.run("close");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0"})
  void shouldNameTheRankBehindACableThatIsCutInOneDirection(int from, int to) {
    group.join("cut-%d-%d".formatted(from, to), 2);
    List<ChildRank> ranks = group.all().subList(0, 2);
    List<CompletableFuture<Answer>> sums =
        ranks.stream().map(rank -> rank.ask(LARGE_SUMS)).toList();
    await().atMost(PATIENCE).until(() -> ranks.getFirst().state().number("completed") > 2);
    final long cutNanos = System.nanoTime();
    networks.cut(from, to);
    try {
      for (int rank = 0; rank < 2; rank++) {
        Answer answer = sums.get(rank).join();
        assertThat(answer.ok()).isFalse();
        assertThat(answer.text("health")).isEqualTo("FAILED");
        assertThat(answer.text("message"))
            .contains("allSum")
            .containsAnyOf(
                "rank 0 (" + ranks.get(0).address(), "rank 1 (" + ranks.get(1).address());
      }
      Duration took = Duration.ofNanos(System.nanoTime() - cutNanos);
      LOG.info("cut from {} to {}: failed after {}", from, to, took);
      assertThat(took).isLessThan(group.config().lossBound());
    } finally {
      networks.mend(from, to);
    }
  }

  @Test
  void shouldNameTheRankThatIsKilled() {
    group.join("killed", SIZE);
    ChildRank victim = group.rank(2);
    List<CompletableFuture<Answer>> sums =
        group.without(victim).stream().map(rank -> rank.ask(LARGE_SUMS)).toList();
    victim.ask(LARGE_SUMS);
    await().atMost(PATIENCE).until(() -> victim.state().number("completed") > 2);
    final long killedNanos = System.nanoTime();
    victim.kill();
    for (CompletableFuture<Answer> sum : sums) {
      Answer answer = sum.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("rank")).isEqualTo("2");
      assertThat(answer.text("address")).isEqualTo(victim.address());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - killedNanos);
    LOG.info("killed: failed after {}", took);
    assertThat(took).as("the kernel tells, sooner than the cluster").isLessThan(PATIENCE);
    victim.awaitExit(PATIENCE);
  }

  @Test
  void shouldNameAnInterfaceThatIsNotThere() {
    for (CompletableFuture<Answer> join :
        joinEach("no-interface", "", "jaccl4j.tcp.interface=eth77")) {
      Answer answer = join.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("exception")).isEqualTo("FormationException");
      assertThat(answer.text("message"))
          .contains("rank 1 (" + group.rank(1).address())
          .contains("jaccl4j.tcp.interface is \"eth77\"")
          .contains("rank1 " + NetworkNamespaces.address(1));
    }
  }

  @Test
  void shouldSayAtTheDeadlineWhichAddressNobodyCouldReach() {
    String brief = " jaccl4j.formation-timeout=6s";
    for (CompletableFuture<Answer> join :
        joinEach("wrong-interface", brief, "jaccl4j.tcp.interface=lo" + brief)) {
      Answer answer = join.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("message"))
          .contains("could not connect links")
          .contains("no connection with rank 1 (" + group.rank(1).address())
          .contains("to 127.0.0.1:")
          .contains("Connection refused (ECONNREFUSED)")
          .contains("jaccl4j.tcp.interface");
    }
  }

  @Test
  void shouldConnectAsSoonAsThereIsARoute() {
    networks.run(1, "ip addr add 10.55.0.1/32 dev lo");
    try {
      List<CompletableFuture<Answer>> joins =
          joinEach("late-route", "", "jaccl4j.tcp.interface=10.55.0.1");
      assertThat(joins.getFirst().copy().completeOnTimeout(null, 2, TimeUnit.SECONDS).join())
          .as("unreachable so far")
          .isNull();
      networks.run(0, "ip route add 10.55.0.1/32 via " + NetworkNamespaces.address(1));
      for (int rank = 0; rank < 2; rank++) {
        group.rank(rank).succeeded("join", joins.get(rank));
      }
      assertRightWorkloads(group.all().subList(0, 2));
      RankProcessGroup.run(group.all().subList(0, 2), "close");
    } finally {
      networks.succeeds(0, "ip route del 10.55.0.1/32");
      networks.run(1, "ip addr del 10.55.0.1/32 dev lo");
    }
  }
}
