package io.jaccl4j.multinode;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a {@link NodeSpec} on several nodes, each a JVM of its own on this machine, and fails with
 * the tail of every node's log if one of them does. Whatever happens, no node outlives the test,
 * nor the JVM that started it.
 *
 * <pre>{@code
 * class PartitionMultiNodeTest {
 *   @RegisterExtension final ForkedNodes nodes = ForkedNodes.of(3);
 *
 *   @Test
 *   void shouldFailBothSidesOfAPartition() {
 *     nodes.run(PartitionSpec.class);
 *   }
 * }
 * }</pre>
 */
public final class ForkedNodes implements AfterEachCallback {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(120);
  private static final int TAIL_LINES = 60;

  private final int count;
  private final Duration timeout;
  private final Map<Integer, Integer> exitCodes;
  private final List<Process> processes = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private ForkedNodes(int count, Duration timeout, Map<Integer, Integer> exitCodes) {
    this.count = count;
    this.timeout = timeout;
    this.exitCodes = Map.copyOf(exitCodes);
  }

  /** So many nodes; node 0 conducts. */
  public static ForkedNodes of(int count) {
    return new ForkedNodes(count, DEFAULT_TIMEOUT, Map.of());
  }

  /** The same, but all have to be done within this time. */
  public ForkedNodes within(Duration newTimeout) {
    return new ForkedNodes(count, newTimeout, exitCodes);
  }

  /** The same, but this node is expected to end with this code: the spec kills it. */
  public ForkedNodes expectingExit(int node, int code) {
    Map<Integer, Integer> codes = new HashMap<>(exitCodes);
    codes.put(node, code);
    return new ForkedNodes(count, timeout, codes);
  }

  /** Runs the spec on all nodes and waits for them. */
  public void run(Class<? extends NodeSpec> spec) {
    int conductorPort = freePort();
    long untilNanos = System.nanoTime() + timeout.toNanos();
    for (int node = 0; node < count; node++) {
      start(spec, node, conductorPort);
    }
    List<String> problems = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      String problem = awaitEnd(node, untilNanos);
      if (!problem.isEmpty()) {
        problems.add("node " + node + " " + problem);
      }
    }
    if (!problems.isEmpty()) {
      afterEach(null);
      throw new AssertionError(
          spec.getSimpleName() + ": " + String.join("; ", problems) + "\n" + tails());
    }
  }

  private void start(Class<? extends NodeSpec> spec, int node, int conductorPort) {
    try {
      Path directory = Files.createDirectories(Path.of("target", "multi-node"));
      Path log = directory.resolve(spec.getSimpleName() + "-" + node + ".log");
      logs.add(log);
      processes.add(
          new ProcessBuilder(command(spec, node, conductorPort))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(log.toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start node " + node + " of " + spec, e);
    }
  }

  private List<String> command(Class<? extends NodeSpec> spec, int node, int conductorPort) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-Dmultinode.max-nodes=" + count,
            "-Dmultinode.host=127.0.0.1",
            "-Dmultinode.port=0",
            "-Dmultinode.server-host=127.0.0.1",
            "-Dmultinode.server-port=" + conductorPort,
            "-Dmultinode.index=" + node,
            "-classpath",
            classPath(),
            NodeMain.class.getName(),
            spec.getName()));
    return command;
  }

  /** Surefire may hide the class path in a manifest, and says where it is. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator);
  }

  private String awaitEnd(int node, long untilNanos) {
    Process process = processes.get(node);
    try {
      if (!process.waitFor(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        return "did not end within " + timeout.toSeconds() + " s";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "was interrupted";
    }
    int want = exitCodes.getOrDefault(node, 0);
    return process.exitValue() == want
        ? ""
        : "ended with " + process.exitValue() + ", want " + want;
  }

  private String tails() {
    StringBuilder text = new StringBuilder();
    for (Path log : logs) {
      text.append("---- last lines of ").append(log).append('\n');
      try {
        List<String> lines = Files.readAllLines(log);
        lines
            .subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())
            .forEach(line -> text.append(line).append('\n'));
      } catch (IOException e) {
        text.append(e).append('\n');
      }
    }
    return text.toString();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    for (Process process : processes) {
      process.destroyForcibly();
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    }
  }
}
