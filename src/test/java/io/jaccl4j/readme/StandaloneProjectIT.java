package io.jaccl4j.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's project of the reader's own, made of its snippets in a folder of its own: it has the
 * jar as it was built here, and from elsewhere only what the jar's own POM names.
 *
 * <p>The jar is installed into a local repository of this test, in which everything else leads to
 * the build's own: nothing is downloaded twice, and the user's repository stays as it is.
 */
@Timeout(300)
class StandaloneProjectIT {
  private static final String GROUP = "io/jaccl4j";
  private static final long PATIENCE_SECONDS = 120;
  private static final Pattern TWO_PORTS = Pattern.compile("-Dports=\"(\\d+) (\\d+)\"");
  private static final int PROGRAM_LINES = 42;

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldSumBetweenTwoProcessesOfTheReadersProject() throws IOException, InterruptedException {
    Path maven = Path.of(property("maven-home"), "bin", "mvn");
    assumeTrue(Files.isExecutable(maven), () -> "no " + maven + " to build a project with");
    Path project = Files.createDirectories(folder.resolve("project"));
    Files.writeString(project.resolve("pom.xml"), Readme.snippet("standalone-pom"));
    Path sources = Files.createDirectories(project.resolve("src/main/java"));
    String program = Readme.snippet("standalone");
    assertThat(program.lines().count()).isLessThanOrEqualTo(PROGRAM_LINES);
    Files.writeString(sources.resolve("TwoRanks.java"), program);
    Path repository = repository();

    List<String> commands =
        Readme.commands().stream()
            .filter(line -> line.equals("mvn -q compile") || TWO_PORTS.matcher(line).find())
            .toList();
    assertThat(commands).hasSize(3);
    Process compile = start(maven, repository, project, commands.getFirst());
    assertThat(output(compile)).as("what the compilation complains of").isEmpty();

    List<Integer> ports = freePorts(2);
    Process first = start(maven, repository, project, withPorts(commands.get(1), ports));
    Process second = start(maven, repository, project, withPorts(commands.get(2), ports));
    List<String> lines = Stream.of(output(first), output(second)).flatMap(List::stream).toList();
    assertThat(lines).contains("rank 0: 30", "rank 1: 30");
  }

  private static String property(String name) {
    return System.getProperty("jaccl4j.build." + name);
  }

  /** The jar and its POM, and links to whatever else the build's repository has. */
  private Path repository() throws IOException {
    Path whole = Path.of(property("local-repository"));
    Path repository = folder.resolve("repository");
    linkSiblings(whole, repository, Path.of(GROUP));
    Path jar = Path.of(property("jar"));
    Matcher name = Pattern.compile("(jaccl4j)-(.+)\\.jar").matcher(jar.getFileName().toString());
    assertThat(name.matches()).as("%s", jar).isTrue();
    Path place =
        Files.createDirectories(
            repository.resolve(GROUP).resolve(name.group(1)).resolve(name.group(2)));
    Files.copy(jar, place.resolve(jar.getFileName()));
    Files.copy(
        Path.of("pom.xml"), place.resolve(jar.getFileName().toString().replace(".jar", ".pom")));
    return repository;
  }

  /** Links to all that lies beside a path, in each of its folders. */
  private static void linkSiblings(Path from, Path to, Path except) throws IOException {
    Files.createDirectories(to);
    if (except.getNameCount() == 0 || !Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!entry.getFileName().equals(except.getName(0))) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
        }
      }
    }
    if (except.getNameCount() > 1) {
      linkSiblings(
          from.resolve(except.getName(0)),
          to.resolve(except.getName(0)),
          except.subpath(1, except.getNameCount()));
    }
  }

  private static String withPorts(String command, List<Integer> ports) {
    return command
        .replaceFirst("25521", ports.get(1).toString())
        .replaceAll("25520", ports.get(0).toString());
  }

  private Process start(Path maven, Path repository, Path project, String command)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(maven.toString());
    words.addAll(List.of("-B", "-Dstyle.color=never"));
    words.add("-Dmaven.repo.local=" + repository);
    // What is there will do, whichever mirror it came from: the build's settings may not be here.
    words.add("-Dmaven.legacyLocalRepo=true");
    Matcher matcher = TWO_PORTS.matcher(command);
    String rest = matcher.replaceFirst("").strip();
    words.addAll(List.of(rest.split(" ")).subList(1, rest.split(" ").length));
    if (matcher.reset().find()) {
      words.add("-Dports=" + matcher.group(1) + " " + matcher.group(2));
    }
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(project.toFile()).redirectErrorStream(true);
    // The JDK of this test, whichever Maven would take.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MAVEN_OPTS", "--sun-misc-unsafe-memory-access=allow");
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static List<String> output(Process process) throws IOException, InterruptedException {
    List<String> lines;
    try (Stream<String> output = process.inputReader().lines()) {
      // Maven colours even nothing.
      lines =
          output
              .map(line -> line.replaceAll("\u001B\\[[;\\d]*m", ""))
              .filter(line -> !line.isBlank())
              .toList();
    }
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s", String.join("\n", lines)).isZero();
    return lines;
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
