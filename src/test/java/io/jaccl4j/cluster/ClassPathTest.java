package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application that embeds the library gets on its class path, and what it does not. */
class ClassPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.pekko.discovery.ServiceDiscovery",
        "org.apache.pekko.management.scaladsl.PekkoManagement",
        "org.apache.pekko.http.scaladsl.Http"
      })
  void shouldNotBringBootstrapLibraries(String className) {
    assertThatThrownBy(() -> Class.forName(className)).isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void shouldStartWithDefaultMixedVersionCheck() {
    try (Node node = TestCluster.start(Options.none())) {
      assertThat(node.system().settings().config().getBoolean("pekko.fail-mixed-versions"))
          .isTrue();
      assertThat(node.join("starts", 1).group().size()).isOne();
    }
  }

  @Test
  void shouldStartWithSystemIfConfigured() {
    Options configured =
        Options.none()
            .config("pekko.actor.typed.extensions = [\"io.jaccl4j.cluster.JacclExtension$Id\"]");
    try (Node node = TestCluster.start(configured)) {
      assertThat(node.join("configured", 1).group().size()).isOne();
    }
  }

  @Test
  void shouldRunActorsOnTheirOwnDispatcher() {
    try (Node node = TestCluster.start(Options.none())) {
      Thread[] heardOn = new Thread[1];
      node.jaccl()
          .join(node.settings("threads", 1), event -> heardOn[0] = Thread.currentThread())
          .toCompletableFuture()
          .join();

      assertThat(heardOn[0].getName()).contains("jaccl4j.dispatcher");
    }
  }
}
