package io.jaccl4j.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample for Kubernetes agrees with itself and with what the library answers. */
class KubernetesManifestsTest {
  private static final Path DIRECTORY = Path.of("conf/kubernetes");

  private final JsonNode statefulSet = only("statefulset.yaml");
  private final JsonNode service = only("service.yaml");
  private final JsonNode pod = statefulSet.at("/spec/template");
  private final JsonNode container = pod.at("/spec/containers/0");
  private final JsonNode kustomization = only("kustomization.yaml");
  private final List<JsonNode> rbac = documents("rbac.yaml");
  private final Config config =
      ConfigFactory.parseFile(DIRECTORY.resolve("rank.conf").toFile())
          .withFallback(ConfigFactory.parseResources("io/jaccl4j/management/bootstrap.conf"))
          .withFallback(ConfigFactory.parseMap(Map.of("POD_IP", "10.1.2.3")))
          .withFallback(ConfigFactory.defaultReferenceUnresolved())
          .resolve();

  private static List<JsonNode> documents(String file) {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper().readerFor(JsonNode.class).readValues(DIRECTORY.resolve(file).toFile())) {
      return documents.readAll();
    } catch (IOException e) {
      throw new AssertionError(file, e);
    }
  }

  private static JsonNode only(String file) {
    List<JsonNode> documents = documents(file);
    assertThat(documents).as(file).hasSize(1);
    return documents.getFirst();
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private JsonNode ofKind(String kind) {
    return rbac.stream().filter(node -> node.at("/kind").asText().equals(kind)).findFirst().get();
  }

  @Test
  void shouldApplyEveryFile() throws IOException {
    List<String> named = new ArrayList<>(texts(kustomization.at("/resources")));
    named.addAll(texts(kustomization.at("/configMapGenerator/0/files")));
    named.add("kustomization.yaml");
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  void shouldStartAsManyRanksAsTheGroupHas() {
    int size = config.getInt("jaccl4j.group.size");
    assertThat(statefulSet.at("/spec/replicas").asInt()).isEqualTo(size);
    assertThat(kustomization.at("/replicas/0/count").asInt()).isEqualTo(size);
    assertThat(kustomization.at("/replicas/0/name")).isEqualTo(statefulSet.at("/metadata/name"));
    assertThat(
            config.getInt(
                "pekko.management.cluster.bootstrap.contact-point-discovery"
                    + ".required-contact-point-nr"))
        .isEqualTo(size);
  }

  @Test
  void shouldStartAllRanksAtOnceAndPublishThemBeforeTheyAreReady() {
    assertThat(statefulSet.at("/kind").asText()).isEqualTo("StatefulSet");
    assertThat(statefulSet.at("/spec/podManagementPolicy").asText()).isEqualTo("Parallel");
    assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
    assertThat(statefulSet.at("/spec/serviceName")).isEqualTo(service.at("/metadata/name"));
  }

  @Test
  void shouldFindThePodsThatItStarts() {
    String app = pod.at("/metadata/labels/app").asText();
    assertThat(statefulSet.at("/spec/selector/matchLabels/app").asText()).isEqualTo(app);
    assertThat(service.at("/spec/selector/app").asText()).isEqualTo(app);
    Config discovery =
        config.getConfig("pekko.management.cluster.bootstrap.contact-point-discovery");
    assertThat(
            config
                .getString("pekko.discovery.kubernetes-api.pod-label-selector")
                .formatted(discovery.getString("service-name")))
        .isEqualTo("app=" + app);
    assertThat(config.getString("pekko.discovery.kubernetes-api.container-name"))
        .isEqualTo(container.at("/name").asText());
    assertThat(discovery.getString("port-name"))
        .isEqualTo(container.at("/ports/0/name").asText())
        .isEqualTo(service.at("/spec/ports/0/name").asText());
    assertThat(config.getInt("pekko.management.http.port"))
        .isEqualTo(container.at("/ports/0/containerPort").asInt())
        .isEqualTo(service.at("/spec/ports/0/port").asInt());
    assertThat(config.getString("pekko.discovery.method")).isEqualTo("kubernetes-api");
  }

  @Test
  void shouldNeedNoFixedPortBesidesManagement() {
    assertThat(config.getInt("pekko.remote.artery.canonical.port")).isZero();
    assertThat(config.getStringList("pekko.cluster.seed-nodes")).isEmpty();
    assertThat(config.getString("pekko.remote.artery.canonical.hostname")).isEqualTo("10.1.2.3");
    assertThat(container.at("/env/0/name").asText()).isEqualTo("POD_IP");
    assertThat(container.at("/env/0/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("status.podIP");
  }

  @ParameterizedTest
  @CsvSource({
    "livenessProbe, liveness-path",
    "readinessProbe, readiness-path",
    "startupProbe, liveness-path",
  })
  void shouldProbeWhatIsAnswered(String probe, String path) {
    JsonNode get = container.at("/" + probe + "/httpGet");
    assertThat(get.at("/path").asText())
        .isEqualTo("/" + config.getString("pekko.management.health-checks." + path));
    assertThat(get.at("/port").asText()).isEqualTo(container.at("/ports/0/name").asText());
  }

  @Test
  void shouldMayReadPodsAndNothingElse() {
    JsonNode role = ofKind("Role");
    assertThat(role.at("/rules")).hasSize(1);
    assertThat(texts(role.at("/rules/0/apiGroups"))).containsExactly("");
    assertThat(texts(role.at("/rules/0/resources"))).containsExactly("pods");
    assertThat(texts(role.at("/rules/0/verbs"))).containsExactly("get", "list", "watch");
    JsonNode binding = ofKind("RoleBinding");
    assertThat(binding.at("/roleRef/name")).isEqualTo(role.at("/metadata/name"));
    assertThat(binding.at("/roleRef/kind").asText()).isEqualTo("Role");
    assertThat(binding.at("/subjects/0/name"))
        .isEqualTo(ofKind("ServiceAccount").at("/metadata/name"))
        .isEqualTo(pod.at("/spec/serviceAccountName"));
  }

  @Test
  void shouldStartTheRankCommandOnTheMountedConfiguration() {
    List<String> command = texts(container.at("/command"));
    assertThat(command).containsSubsequence("rank", "--bootstrap", "--config", "--job", "none");
    String file = command.get(command.indexOf("--config") + 1);
    String directory = container.at("/volumeMounts/0/mountPath").asText();
    assertThat(file).isEqualTo(directory + "/rank.conf");
    assertThat(container.at("/volumeMounts/0/name")).isEqualTo(pod.at("/spec/volumes/0/name"));
    assertThat(pod.at("/spec/volumes/0/configMap/name"))
        .isEqualTo(kustomization.at("/configMapGenerator/0/name"));
    assertThat(command)
        .contains(
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "--sun-misc-unsafe-memory-access=allow",
            "io.jaccl4j.cli.Main");
  }

  @Test
  void shouldRunTheImageThatIsChosenInOnePlace() {
    assertThat(container.at("/image")).isEqualTo(kustomization.at("/images/0/name"));
  }
}
