package io.jaccl4j.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.ConfigurationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused before anything is started. */
@Timeout(60)
class GroupBootstrapTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private interface Body {
    void with(ActorSystem<Void> system) throws Exception;
  }

  private static void onSystem(String lines, Body body) throws Exception {
    Config config =
        ConfigFactory.load(
            ConfigFactory.parseString(
                """
                include classpath("io/jaccl4j/management/bootstrap.conf")
                jaccl4j.group.size = 3
                pekko {
                  loglevel = WARNING
                  loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                  remote.artery.canonical.hostname = "127.0.0.1"
                  management.http { hostname = "127.0.0.1", port = 1 }
                  discovery.method = config
                  cluster.jmx.multi-mbeans-in-same-jvm = on
                }
                """
                    + lines));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "bootstrap", config);
    try {
      body.with(system);
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldRefuseToBeginAClusterWithoutAllRanks() throws Exception {
    onSystem(
        "pekko.management.cluster.bootstrap.contact-point-discovery.required-contact-point-nr = 2",
        system ->
            assertThatThrownBy(() -> GroupBootstrap.of(system, 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(
                    "required-contact-point-nr is 2", "want at least 3", "jaccl4j.group.size"));
  }

  @Test
  void shouldRefuseSeedNodes() throws Exception {
    onSystem(
        "pekko.cluster.seed-nodes = [\"pekko://bootstrap@127.0.0.1:1\"]",
        system ->
            assertThatThrownBy(() -> GroupBootstrap.of(system, 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(
                    "pekko.cluster.seed-nodes", "pekko://bootstrap@127.0.0.1:1", "want none"));
  }

  @Test
  void shouldAskForADiscoveryMethod() throws Exception {
    onSystem(
        "pekko.discovery.method = \"<method>\"",
        system ->
            assertThatThrownBy(() -> GroupBootstrap.of(system, 3))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("pekko.discovery.method", "pekko-dns", "kubernetes-api"));
  }

  @Test
  void shouldNameTheEndpointThatIsTakenAndJoinNothing() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      onSystem(
          "pekko.management.http.port = " + taken.getLocalPort(),
          system -> {
            assertThat(GroupBootstrap.of(system, 3).start().toCompletableFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(ConfigurationException.class)
                .withMessageContainingAll(
                    "127.0.0.1 port " + taken.getLocalPort(), "pekko.management.http");
            assertThat(Cluster.get(system).state().getMembers()).isEmpty();
          });
    }
  }

  @Test
  void shouldSayWhoOfTheContactPointsAnswers() throws Exception {
    int own = freePort();
    int nobody = freePort();
    onSystem(
        """
        pekko.management.http.port = %d
        pekko.discovery.config.services.jaccl4j.endpoints = [
          { host = "127.0.0.1", port = %d }, { host = "127.0.0.1", port = %d }]
        """
            .formatted(own, own, nobody),
        system -> {
          GroupBootstrap bootstrap = GroupBootstrap.of(system, 3);
          assertThat(bootstrap.start().toCompletableFuture())
              .succeedsWithin(PATIENCE)
              .asString()
              .startsWith("http://127.0.0.1:" + own);
          assertThat(bootstrap.contactPoints().toCompletableFuture())
              .succeedsWithin(PATIENCE)
              .asString()
              .contains(
                  "[jaccl4j]",
                  "names 2 of the 3 ranks",
                  "127.0.0.1:" + own + " answers",
                  "127.0.0.1:" + nobody + " does not answer");
        });
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
