package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Processes that are told how to find each other and nothing else. Each has a management port,
 * which is free when the object is made; the cluster's ports are any.
 */
final class DiscoveringRanks implements AutoCloseable {
  static final String GROUP = "discovered";

  private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(5);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String COMMON =
      """
      pekko.management {
        http.hostname = "127.0.0.1"
        cluster.bootstrap {
          contact-point-discovery { stable-margin = 500ms, interval = 200ms }
          contact-point { probe-interval = 200ms, probing-failure-timeout = 1s }
        }
      }
      """;

  private final int size;
  private final List<Integer> ports;
  private final Path shmDirectory;
  private final Path logDirectory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ChildRank> ever = new ArrayList<>();

  DiscoveringRanks(int size) throws IOException {
    this.size = size;
    this.ports = freePorts(size);
    this.shmDirectory = Files.createTempDirectory(Path.of("/dev/shm"), "jaccl4j-discovering-");
    this.logDirectory = Files.createTempDirectory("jaccl4j-discovering-");
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** The management ports, by number of the process. */
  List<Integer> ports() {
    return ports;
  }

  /**
   * Starts a process and lets it look for others.
   *
   * @param including first line of its configuration
   * @param discovery how it finds the others
   */
  ChildRank start(int number, String including, String discovery, Map<String, String> environment)
      throws IOException {
    String config =
        including
            + "\n"
            + ProcessConfig.vigilant().text()
            + COMMON
            + """
              jaccl4j.group.size = %d
              jaccl4j.memory.shm-directory = "%s"
              pekko.management.http.port = %d
              """
                .formatted(size, shmDirectory, ports.get(number))
            + discovery;
    Path log = logDirectory.resolve("rank-%d-%d.log".formatted(number, ever.size()));
    ChildRank child = ChildRank.start(number, config, log, environment);
    ever.add(child);
    return child;
  }

  /** The settings that an application includes. */
  static String bootstrap() {
    return "include classpath(\"io/jaccl4j/management/bootstrap.conf\")";
  }

  /** The management ports as a list in the configuration. */
  String configDiscovery() {
    List<String> endpoints =
        ports.stream().map(port -> "{ host = \"127.0.0.1\", port = %d }".formatted(port)).toList();
    return """
        pekko.discovery { method = config, config.services.jaccl4j.endpoints = [%s] }
        pekko.management.cluster.bootstrap.contact-point.filter-on-fallback-port = false
        """
        .formatted(String.join(", ", endpoints));
  }

  int status(int number, String path) {
    return get(number, path).statusCode();
  }

  /** The only group of a process, as its endpoint has it. */
  JsonNode group(int number) {
    HttpResponse<String> response = get(number, "/jaccl/group");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    JsonNode groups = read(response.body()).at("/groups");
    assertThat(groups).hasSize(1);
    return groups.get(0);
  }

  private static JsonNode read(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
  }

  private HttpResponse<String> get(int number, String path) {
    URI uri = URI.create("http://127.0.0.1:" + ports.get(number) + path);
    try {
      return http.send(
          HttpRequest.newBuilder(uri).timeout(HTTP_TIMEOUT).build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("GET " + uri, e);
    }
  }

  /** Adds the logs of all processes to a failure. */
  void attachLogs(Throwable failure) {
    for (ChildRank child : ever) {
      failure.addSuppressed(
          new AssertionError(child + " logged:\n" + String.join("\n", child.log())));
    }
  }

  @Override
  public void close() throws IOException {
    ever.forEach(ChildRank::kill);
    ever.forEach(child -> child.awaitExit(Duration.ofSeconds(10)));
    http.close();
    for (Path directory : List.of(shmDirectory, logDirectory)) {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
