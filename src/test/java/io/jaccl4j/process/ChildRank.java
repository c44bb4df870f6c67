package io.jaccl4j.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A {@link RankMain} as its parent sees it. Its log goes to a file. */
final class ChildRank {

  /** Far more than anything takes, so that a test ends whatever happens. */
  private static final Duration PATIENCE = Duration.ofSeconds(200);

  private static final int LOG_LINES = 80;

  private final int number;
  private final Process process;
  private final Path log;
  private final Writer stdin;
  private final AtomicLong lastCommand = new AtomicLong();
  private final Map<Long, CompletableFuture<Answer>> unanswered = new ConcurrentHashMap<>();
  private final CompletableFuture<Answer> started = new CompletableFuture<>();

  private ChildRank(int number, Process process, Path log) {
    this.number = number;
    this.process = process;
    this.log = log;
    this.stdin = process.outputWriter();
    unanswered.put(0L, started);
  }

  /** Starts a process and does not wait for it. */
  static ChildRank start(int number, String config, Path log, Map<String, String> environment)
      throws IOException {
    return start(number, List.of(), config, log, environment);
  }

  /**
   * Starts a process and does not wait for it.
   *
   * @param prefix words before the command, which put it somewhere
   */
  static ChildRank start(int number, List<String> prefix, String config, Path log)
      throws IOException {
    return start(number, prefix, config, log, Map.of());
  }

  private static ChildRank start(
      int number, List<String> prefix, String config, Path log, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Many short lives on few processors: neither compile nor collect in parallel.
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-classpath",
            System.getProperty("java.class.path"),
            RankMain.class.getName(),
            config));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    ChildRank child = new ChildRank(number, process, log);
    Thread.ofPlatform().daemon().name("rank-" + number + "-answers").start(child::readAnswers);
    return child;
  }

  private void readAnswers() {
    try (BufferedReader stdout = process.inputReader()) {
      for (String line = stdout.readLine(); line != null; line = stdout.readLine()) {
        Answer answer = Answer.decode(line);
        unanswered.remove(answer.number()).complete(answer);
      }
    } catch (IOException | RuntimeException e) {
      unanswered.values().forEach(answer -> answer.completeExceptionally(e));
    }
    IOException ended = new IOException(this + " has ended without an answer");
    unanswered.values().forEach(answer -> answer.completeExceptionally(ended));
  }

  int number() {
    return number;
  }

  /** Its cluster address; waits until it has one. */
  String address() {
    return get("address", started).text("address");
  }

  int port() {
    String address = address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /**
   * Sends a command; the answer comes when it has been executed, and exceptionally if that takes
   * longer than any test may.
   */
  synchronized CompletableFuture<Answer> ask(String command) {
    long id = lastCommand.incrementAndGet();
    final CompletableFuture<Answer> answer = new CompletableFuture<>();
    unanswered.put(id, answer);
    try {
      stdin.write(id + " " + command + "\n");
      stdin.flush();
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
    return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Sends a command and waits for its answer, whatever it is. */
  Answer askNow(String command) {
    return get(command, ask(command));
  }

  /** What it knows of its group and its cluster. */
  Answer state() {
    return run("state");
  }

  /** Whether its process lives on without being a member: the others believed it lost. */
  boolean isDowned() {
    return Boolean.parseBoolean(state().text("ended"));
  }

  /** Sends a command that must succeed. */
  Answer run(String command) {
    return succeeded(command, ask(command));
  }

  /** Waits for the answer to a command that must succeed. */
  Answer succeeded(String command, CompletableFuture<Answer> pending) {
    Answer answer = get(command, pending);
    if (!answer.ok()) {
      throw new AssertionError("[%s] on %s: %s".formatted(command, this, answer));
    }
    return answer;
  }

  private Answer get(String what, CompletableFuture<Answer> pending) {
    try {
      return pending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(
          "[%s] on %s: no answer in %d s".formatted(what, this, PATIENCE.toSeconds()), e);
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("[%s] on %s: %s".formatted(what, this, e), e);
    }
  }

  /** SIGKILL. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** SIGSTOP. */
  void stop() {
    signal("STOP");
  }

  /** SIGCONT. */
  void resume() {
    signal("CONT");
  }

  /** End of file on its stdin. */
  void closeStdin() throws IOException {
    stdin.close();
  }

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
      if (!kill.waitFor(5, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new AssertionError("cannot send " + name + " to " + this);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("cannot send " + name + " to " + this, e);
    }
  }

  /** Waits for its end and returns the exit code. */
  int awaitExit(Duration limit) {
    try {
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError(this + " still runs after " + limit);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The end of what it logged. */
  List<String> log() {
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "rank " + number + " (pid " + process.pid() + ")";
  }
}
