package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that find each other by a service which knows of the second one later. */
@Timeout(60)
class DiscoveryMethodsTest {
  private static final int SIZE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private interface Registry {
    void add(int number, int managementPort);
  }

  /** The first process waits alone, whatever it is told; then comes the second. */
  private static void formGroup(
      DiscoveringRanks ranks,
      String including,
      String discovery,
      Map<String, String> environment,
      Registry registry)
      throws Exception {
    try {
      registry.add(0, ranks.ports().get(0));
      ChildRank first = ranks.start(0, including, discovery, environment);
      ChildRank second = ranks.start(1, including, discovery, environment);
      first.run("discover " + SIZE);
      String join = "join " + DiscoveringRanks.GROUP + " " + SIZE;
      List<CompletableFuture<Answer>> joins = new ArrayList<>();
      joins.add(first.ask(join));
      await("it waits for the other one")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(ranks.group(0).at("/formationNanos").asLong())
                      .isGreaterThan(2_000_000_000L));
      assertThat(first.state().number("up")).as("a world of its own").isZero();

      second.run("discover " + SIZE);
      registry.add(1, ranks.ports().get(1));
      joins.add(second.ask(join));
      assertThat(List.of(first.succeeded(join, joins.get(0)), second.succeeded(join, joins.get(1))))
          .extracting(answer -> answer.number("rank"))
          .containsExactlyInAnyOrder(0L, 1L);
      assertThat(ranks.status(0, "/ready")).isEqualTo(200);
      assertThat(ranks.status(1, "/ready")).isEqualTo(200);
    } catch (Exception | Error e) {
      ranks.attachLogs(e);
      throw e;
    }
  }

  @Test
  void shouldFormByServiceRecords() throws Exception {
    String service = "_management._tcp.jaccl4j.example.test";
    try (LoopbackDns dns = new LoopbackDns(service);
        DiscoveringRanks ranks = new DiscoveringRanks(SIZE)) {
      String discovery =
          """
          pekko.discovery.method = pekko-dns
          pekko.io.dns {
            # The names of the ranks, which only this server knows, too.
            resolver = async-dns
            async-dns { nameservers = ["127.0.0.1:%d"], search-domains = [], ndots = 1 }
          }
          pekko.management.cluster.bootstrap.contact-point-discovery {
            service-name = jaccl4j
            service-namespace = example.test
            port-name = management
          }
          """
              .formatted(dns.port());
      formGroup(
          ranks,
          DiscoveringRanks.bootstrap(),
          discovery,
          Map.of(),
          (number, port) -> dns.add("rank-" + number + ".jaccl4j.example.test", port));
      assertThat(dns.asked()).contains("33 " + service);
    }
  }

  @Test
  void shouldFormByTheKubernetesApi() throws Exception {
    try (StubKubernetesApi api = new StubKubernetesApi(directory, "app=jaccl4j");
        DiscoveringRanks ranks = new DiscoveringRanks(SIZE)) {
      api.addPending("jaccl4j-starting", 1);
      api.addTerminating("jaccl4j-leaving", 1);
      String including =
          DiscoveringRanks.bootstrap()
              + "\nPOD_IP = \"127.0.0.1\"\ninclude file(\"%s\")"
                  .formatted(Path.of("conf/kubernetes/rank.conf").toAbsolutePath());
      formGroup(
          ranks,
          including,
          api.mounts(),
          api.environment(),
          (number, port) -> api.addRunning("jaccl4j-" + number, port));
      assertThat(api.refused()).isEmpty();
    }
  }
}
