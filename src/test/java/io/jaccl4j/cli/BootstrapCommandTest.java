package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code rank --bootstrap} with the sample configuration, as processes. */
@Timeout(60)
class BootstrapCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /** The tests' application.conf and logback-test.xml would hide what a user sees. */
  private static final Pattern NOT_A_USERS = Pattern.compile("test-classes");

  private static final Pattern NOT_CORE =
      Pattern.compile(NOT_A_USERS + "|pekko-management|pekko-discovery|pekko-http|pekko-parsing");

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    processes.forEach(Process::destroyForcibly);
    for (Process process : processes) {
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  /** The sample on ports of this test. */
  private Path config(List<Integer> ports, String lines) throws IOException {
    List<String> endpoints =
        ports.stream().map(port -> "{ host = \"127.0.0.1\", port = " + port + " }").toList();
    return Files.writeString(
        directory.resolve("rank.conf"),
        """
        include file("%s")
        jaccl4j.group.size = %d
        pekko.discovery.config.services.jaccl4j.endpoints = [%s]
        pekko.management.cluster.bootstrap.contact-point-discovery.interval = 200ms
        pekko.management.cluster.bootstrap.contact-point.probe-interval = 200ms
        pekko.cluster { gossip-interval = 200ms, leader-actions-interval = 200ms }
        %s
        """
            .formatted(
                Path.of("conf/bootstrap-rank.conf").toAbsolutePath(),
                ports.size(),
                String.join(", ", endpoints),
                lines));
  }

  private Process start(Path config, int port) throws IOException {
    return start(config, port, NOT_A_USERS);
  }

  private Process start(Path config, int port, Pattern withoutLibraries) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-classpath",
            classPathWithout(withoutLibraries),
            Main.class.getName(),
            "rank",
            "--bootstrap",
            "--config",
            config.toString());
    builder.environment().put("MANAGEMENT_PORT", Integer.toString(port));
    builder.redirectOutput(out(port).toFile()).redirectError(err(port).toFile());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static String classPathWithout(Pattern libraries) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !libraries.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Path out(int port) {
    return directory.resolve(port + ".out");
  }

  private Path err(int port) {
    return directory.resolve(port + ".err");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void shouldNameInTheSampleAsManyPortsAsRanks() {
    Config sample =
        ConfigFactory.load(
            ConfigFactory.parseFile(new File("conf/bootstrap-rank.conf"))
                .withFallback(
                    ConfigFactory.parseResources("io/jaccl4j/management/bootstrap.conf")));
    assertThat(sample.getConfigList("pekko.discovery.config.services.jaccl4j.endpoints"))
        .hasSize(sample.getInt("jaccl4j.group.size"))
        .extracting(endpoint -> endpoint.getInt("port"))
        .contains(sample.getInt("pekko.management.http.port"))
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldFormFromEqualProcessesOfWhichOneIsLate() throws Exception {
    List<Integer> ports = new ArrayList<>(freePorts(3));
    long seed = System.nanoTime();
    Collections.shuffle(ports, new Random(seed));
    Path config = config(List.copyOf(ports), "");
    start(config, ports.get(0));
    start(config, ports.get(1));
    await("the first ones wait")
        .atMost(PATIENCE)
        .until(() -> text(out(ports.get(1))).contains("waiting for ranks: 0 of 3"));
    start(config, ports.get(2));
    for (int i = 0; i < ports.size(); i++) {
      int exitCode = exitCode(processes.get(i));
      String err = text(err(ports.get(i)));
      assertThat(exitCode)
          .as("seed %d, process %d: %s%s", seed, i, text(out(ports.get(i))), err)
          .isZero();
      assertThat(text(out(ports.get(i))))
          .contains("Ranks of epoch 1", "group is ready", "OK: all checks passed");
      assertThat(text(err(ports.get(i))).lines())
          .as("nothing to warn of")
          .allMatch(line -> line.equals("WARNING: Using incubator modules: jdk.incubator.vector"));
    }
  }

  @Test
  void shouldNameWhoDoesNotAnswerAtTheDeadline() throws Exception {
    List<Integer> ports = freePorts(2);
    Process lone = start(config(ports, "jaccl4j.formation-timeout = 5s"), ports.get(0));
    assertThat(exitCode(lone)).isEqualTo(ExitCode.NOT_FORMED);
    assertThat(text(err(ports.get(0))))
        .contains("no group (TIMEOUT)", "present: 0 of 2")
        .contains("127.0.0.1:" + ports.get(0) + " answers")
        .contains("127.0.0.1:" + ports.get(1) + " does not answer");
    assertThat(text(out(ports.get(0)))).doesNotContain("member of the cluster is up");
  }

  @Test
  void shouldRefuseAConfigurationThatLetsFewerRanksBegin() throws Exception {
    List<Integer> ports = freePorts(2);
    Process rank =
        start(
            config(
                ports,
                "pekko.management.cluster.bootstrap.contact-point-discovery"
                    + ".required-contact-point-nr = 1"),
            ports.get(0));
    assertThat(exitCode(rank)).isEqualTo(ExitCode.USAGE);
    assertThat(text(err(ports.get(0)))).contains("required-contact-point-nr is 1");
  }

  @Test
  void shouldNameTheLibraryThatIsMissing() throws Exception {
    List<Integer> ports = freePorts(2);
    assertThat(exitCode(start(config(ports, ""), ports.get(0), NOT_CORE)))
        .isEqualTo(ExitCode.USAGE);
    assertThat(text(err(ports.get(0))))
        .contains("--bootstrap: pekko-management-cluster-bootstrap is not on the class path");
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
}
