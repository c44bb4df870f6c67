package io.jaccl4j.javadoc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.LocalCluster;
import io.jaccl4j.Topology;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import io.jaccl4j.testkit.JacclTest;
import io.jaccl4j.testkit.TestGroup;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every worked example of the Javadoc does what it says. */
@Timeout(60)
class JavadocExamplesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void shouldSumRunAndTellWhoIsLost() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(2)) {
      List<CompletableFuture<float[]>> sums =
          Stream.of(0, 1)
              .map(
                  rank ->
                      CompletableFuture.supplyAsync(
                          () ->
                              GroupExample.allSum(
                                  cluster.group(rank), new float[] {rank + 1, 10 * rank})))
              .toList();
      for (CompletableFuture<float[]> sum : sums) {
        assertThat(sum.get(30, TimeUnit.SECONDS)).containsExactly(3f, 10f);
      }
      List<CompletableFuture<Integer>> highest =
          Stream.of(0, 1)
              .map(rank -> GroupExample.run(cluster.group(rank)).toCompletableFuture())
              .toList();
      assertThat(highest).allSatisfy(value -> assertThat(value).succeedsWithin(PATIENCE));
      assertThat(highest.getFirst().join()).isEqualTo(1999);
      CompletableFuture<String> left =
          CompletableFuture.supplyAsync(() -> GroupExample.failure(cluster.group(0)));
      cluster.group(1).close();
      assertThat(left.get(30, TimeUnit.SECONDS)).contains("rank 1").contains("is gone");
    }
  }

  @Test
  void shouldSumOverTheLocalCluster() {
    assertThat(LocalClusterExample.run()).containsExactly(6, 6, 6, 6);
  }

  @Test
  void shouldBeAloneWithoutAnEnvironment() {
    assertThat(JacclExample.mean(2.5)).isEqualTo(2.5);
  }

  @Test
  void shouldAdaptTheSettings() {
    GroupSettings settings = GroupSettingsExample.settings();
    assertThat(settings.name()).isEqualTo("training");
    assertThat(settings.size()).isEqualTo(4);
    assertThat(settings.topology()).isEqualTo(Topology.RING);
    assertThat(settings.operationTimeout()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void shouldBecomeARankAndSumAsAnActor() {
    ActorTestKit kit =
        ActorTestKit.create(
            "examples",
            ConfigFactory.parseString(
                    """
                    pekko.actor { provider = cluster, allow-java-serialization = off }
                    pekko.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
                    pekko.cluster.jmx.multi-mbeans-in-same-jvm = on
                    """)
                .withFallback(ConfigFactory.load()));
    try {
      TestProbe<String> listener = kit.createTestProbe();
      kit.spawn(RankActor.create("alone", 1, 41, listener.ref()));
      listener.expectMessage(PATIENCE, "sum 41");
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void shouldCarryMetadataThroughAStore() {
    try (LocalRanks ranks = start(new MapStore(), 3).await()) {
      assertThat(ranks.onAll(session -> session.rank() * session.size())).containsExactly(0, 3, 6);
    }
  }

  @Test
  void shouldNameTheRankWhoseMetadataIsMissing() {
    AllGatherExample.StoreAllGather alone =
        new AllGatherExample.StoreAllGather(new MapStore(), "run", 0, 2, new int[1]);
    assertThatThrownBy(() -> alone.allGather(new byte[3], 1_000_000))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("nothing from rank 1");
  }

  private static LocalRanks start(AllGatherExample.Store store, int size) {
    return LocalRanks.start(
        TestSettings.of("store", size),
        new ShmFabricProvider(),
        NanoClock.SYSTEM,
        AllGatherExample.StoreAllGather.factory(store, "run"),
        LinkExchange.OWN);
  }

  private static final class MapStore implements AllGatherExample.Store {
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    public synchronized void put(String key, byte[] value) {
      values.put(key, value);
      notifyAll();
    }

    @Override
    public synchronized byte[] await(String key, long timeoutNanos) {
      long untilNanos = System.nanoTime() + timeoutNanos;
      try {
        while (!values.containsKey(key) && untilNanos - System.nanoTime() > 0) {
          TimeUnit.NANOSECONDS.timedWait(this, untilNanos - System.nanoTime());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return values.get(key);
    }
  }

  @JacclTest(ranks = 4)
  void shouldStopAtTheLastCheckpoint(TestGroup ranks) {
    new JacclTestExample().shouldStopAtTheLastCheckpointWhenAWorkerDies(ranks);
  }

  @JacclTest(ranks = 2)
  void shouldNameTheRankThatHangs(TestGroup ranks) {
    new JacclTestExample().shouldNameTheRankThatHangsWithoutWaitingForTheDeadline(ranks);
  }

  @Test
  void shouldBootstrapAndJoin() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = socket.getLocalPort();
    }
    ActorTestKit kit =
        ActorTestKit.create(
            "examples",
            ConfigFactory.parseString(
                    """
                    jaccl4j.group { name = example, size = 1 }
                    pekko.remote.artery.canonical.hostname = "127.0.0.1"
                    pekko.cluster.jmx.multi-mbeans-in-same-jvm = on
                    pekko.management.http { hostname = "127.0.0.1", port = %1$d }
                    pekko.management.cluster.bootstrap.contact-point-discovery.stable-margin = 100ms
                    pekko.discovery {
                      method = config
                      config.services.jaccl4j.endpoints = [{ host = "127.0.0.1", port = %1$d }]
                    }
                    """
                        .formatted(port))
                .withFallback(ConfigFactory.parseResources("io/jaccl4j/management/bootstrap.conf"))
                .withFallback(ConfigFactory.load())
                .resolve());
    try {
      Group group =
          GroupBootstrapExample.join(kit.system()).toCompletableFuture().get(30, TimeUnit.SECONDS);
      assertThat(group.name()).isEqualTo("example");
      group.close();
    } finally {
      kit.shutdownTestKit();
    }
  }
}
