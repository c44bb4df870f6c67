package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The one request of the Kubernetes API that discovery makes: the pods of a namespace with a label.
 * Over TLS with a certificate of its own, for the token of a service account, as in a cluster; a
 * directory has what Kubernetes mounts into a pod.
 */
final class StubKubernetesApi implements AutoCloseable {
  static final String NAMESPACE = "ranks";

  private static final String TOKEN = "a-service-account";
  private static final String PASSWORD = "changeit";
  private static final Path JAVA_BIN = Path.of(System.getProperty("java.home"), "bin");

  private final HttpsServer server;
  private final Path mounted;
  private final String selector;
  private final List<String> pods = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();

  /**
   * Starts to answer.
   *
   * @param directory an empty one
   * @param selector the label selector that the pods fit
   */
  StubKubernetesApi(Path directory, String selector)
      throws IOException, InterruptedException, GeneralSecurityException {
    this.mounted = directory;
    this.selector = selector;
    Path keyStore = directory.resolve("server.p12");
    keytool(
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=kubernetes",
        "-ext",
        "san=ip:127.0.0.1",
        "-ext",
        "bc:critical=ca:true",
        "-validity",
        "2",
        "-keystore",
        keyStore.toString(),
        "-storepass",
        PASSWORD);
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "server",
        "-keystore",
        keyStore.toString(),
        "-storepass",
        PASSWORD,
        "-file",
        directory.resolve("ca.crt").toString());
    Files.writeString(directory.resolve("token"), TOKEN);
    Files.writeString(directory.resolve("namespace"), NAMESPACE);

    this.server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(keyStore)));
    server.createContext("/", this::answer);
    server.start();
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(JAVA_BIN.resolve("keytool").toString());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }

  private static SSLContext context(Path keyStoreFile)
      throws IOException, GeneralSecurityException {
    KeyStore keyStore = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStoreFile)) {
      keyStore.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(keyStore, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** What Kubernetes puts into the environment of every container. */
  Map<String, String> environment() {
    return Map.of(
        "KUBERNETES_SERVICE_HOST",
        "127.0.0.1",
        "KUBERNETES_SERVICE_PORT",
        Integer.toString(server.getAddress().getPort()));
  }

  /** Where a process finds what Kubernetes mounts at a fixed place. */
  String mounts() {
    return """
        pekko.discovery.kubernetes-api {
          api-ca-path = "%1$s/ca.crt"
          api-token-path = "%1$s/token"
          pod-namespace-path = "%1$s/namespace"
        }
        """
        .formatted(mounted);
  }

  /** From now on there is a pod at 127.0.0.1. */
  void addRunning(String name, int managementPort) {
    add(name, managementPort, "Running", "\"running\": {}", "");
  }

  /** A pod that is there, and not to be counted. */
  void addPending(String name, int managementPort) {
    add(name, managementPort, "Pending", "\"waiting\": {\"reason\": \"ImagePullBackOff\"}", "");
  }

  /** One that is on its way out. */
  void addTerminating(String name, int managementPort) {
    String deleted = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";
    add(name, managementPort, "Running", "\"running\": {}", deleted);
  }

  private void add(String name, int managementPort, String phase, String state, String deleted) {
    pods.add(
        """
        {"metadata": {"name": "%s"%s},
         "spec": {"containers": [{"name": "rank", "ports": [
           {"name": "metrics", "containerPort": 9, "protocol": "TCP"},
           {"name": "management", "containerPort": %d, "protocol": "TCP"}]}]},
         "status": {"phase": "%s", "podIP": "127.0.0.1",
           "containerStatuses": [{"name": "rank", "ready": false, "state": {%s}}]}}
        """
            .formatted(name, deleted, managementPort, phase, state));
  }

  /** Requests that Kubernetes would have refused, and why. */
  List<String> refused() {
    return refused;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = exchange.getRequestURI().getQuery();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    boolean allowed =
        exchange.getRequestMethod().equals("GET")
            && path.equals("/api/v1/namespaces/" + NAMESPACE + "/pods")
            && query.equals("labelSelector=" + selector)
            && ("Bearer " + TOKEN).equals(authorization);
    if (!allowed) {
      refused.add(path + "?" + query + " by " + authorization);
    }
    byte[] body =
        (allowed
                ? "{\"kind\": \"PodList\", \"items\": [" + String.join(",", pods) + "]}"
                : "{\"kind\": \"Status\", \"code\": 403}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(allowed ? 200 : 403, body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
