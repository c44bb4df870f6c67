package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What an application that embeds the library gets on its class path, and what it does not. */
class ClassPathTest {
  private static final Pattern NOT_CORE =
      Pattern.compile(
          "pekko-multi-node-testkit|jeromq|jnacl|pekko-discovery|pekko-management|pekko-http"
              + "|pekko-parsing|pekko-pki|spray-json|parboiled|asn-one");

  private static final List<String> OPTIONAL =
      List.of(
          "org.zeromq:jeromq",
          "org.apache.pekko:pekko-discovery_${scala.binary.version}",
          "org.apache.pekko:pekko-http_${scala.binary.version}",
          "org.apache.pekko:pekko-management_${scala.binary.version}",
          "org.apache.pekko:pekko-management-cluster-bootstrap_${scala.binary.version}",
          "org.apache.pekko:pekko-discovery-kubernetes-api_${scala.binary.version}",
          "ch.qos.logback:logback-classic");

  private static List<String> coreClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !NOT_CORE.matcher(entry).find())
        .toList();
  }

  @Test
  void shouldBringBootstrapLibrariesToNobodyWhoDoesNotAsk() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("pom.xml").toFile());
    NodeList optional =
        (NodeList)
            XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                    "/project/dependencies/dependency[optional='true']",
                    pom,
                    XPathConstants.NODESET);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < optional.getLength(); i++) {
      Element dependency = (Element) optional.item(i);
      names.add(
          dependency.getElementsByTagName("groupId").item(0).getTextContent()
              + ":"
              + dependency.getElementsByTagName("artifactId").item(0).getTextContent());
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(OPTIONAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.pekko.discovery.ServiceDiscovery",
        "org.apache.pekko.management.scaladsl.PekkoManagement",
        "org.apache.pekko.http.scaladsl.Http"
      })
  void shouldKnowWhatIsNotCore(String className) throws Exception {
    List<URL> core = new ArrayList<>();
    for (String entry : coreClassPath()) {
      core.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(core.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> loader.loadClass(className))
          .isInstanceOf(ClassNotFoundException.class);
      assertThat(loader.loadClass("org.apache.pekko.cluster.Cluster")).isNotNull();
    }
  }

  /** In a JVM of its own: the tests' class path has libraries of other versions. */
  @Test
  void shouldStartWithDefaultMixedVersionCheck() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dpekko.fail-mixed-versions=on",
                "-classpath",
                String.join(File.pathSeparator, coreClassPath()),
                CoreStart.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(output)
          .isTrue();
      assertThat(process.exitValue()).as(output).isZero();
      assertThat(output).contains(CoreStart.FORMED);
    } finally {
      process.destroyForcibly();
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
