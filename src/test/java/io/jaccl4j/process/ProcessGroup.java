package io.jaccl4j.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks as processes. Every wait has a deadline; closing it ends all of them. */
final class ProcessGroup implements AutoCloseable {
  static final Duration HEARTBEAT_PAUSE = Duration.ofSeconds(3);

  /** For tests in which nobody dies: cold processes starve each other when they outnumber cores. */
  static final Duration LONG_HEARTBEAT_PAUSE = Duration.ofSeconds(60);

  static final Duration UNREACHABLE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Rank> processes = new ArrayList<>();

  /** One process; which rank it has is known once it is ready. */
  static final class Rank {
    private final Process process;
    private final BufferedWriter input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    private String address;
    private int rank = -1;

    private Rank(Process process) {
      this.process = process;
      this.input = process.outputWriter();
      Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
      try (BufferedReader reader = process.inputReader()) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          if (line.startsWith("#")) {
            answers.add(line.substring(1));
          } else {
            log.add(line);
          }
        }
      } catch (IOException e) {
        log.add("reading its output ended: " + e);
      }
    }

    void tell(String command) throws IOException {
      input.write(command + "\n");
      input.flush();
    }

    /** The next answer of a kind; an answer of another kind is a failure. */
    String answer(String kind) throws InterruptedException {
      String answer = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (answer == null || !answer.startsWith(kind + " ")) {
        throw new AssertionError("want " + kind + ", got " + answer + "; log: " + lastLog());
      }
      return answer.substring(kind.length() + 1);
    }

    /** The next answer of any kind, if one comes in time. */
    Optional<String> nextAnswer(Duration limit) throws InterruptedException {
      return Optional.ofNullable(answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS));
    }

    private List<String> lastLog() {
      List<String> lines = List.copyOf(log);
      return lines.subList(Math.max(0, lines.size() - 40), lines.size());
    }

    int rank() {
      return rank;
    }

    String address() {
      return address;
    }

    void kill() {
      process.destroyForcibly();
    }

    void terminate() {
      process.destroy();
    }

    void signal(String name) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
      if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new AssertionError("kill -" + name + " failed");
      }
    }

    boolean endsWithin(Duration limit) throws InterruptedException {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  static ProcessGroup start(String name, int size, Path shmDirectory, Duration heartbeatPause)
      throws IOException, InterruptedException {
    ProcessGroup group = new ProcessGroup();
    try {
      for (int i = 0; i < size; i++) {
        group.processes.add(spawn(name, size, shmDirectory, heartbeatPause));
      }
      for (Rank one : group.processes) {
        one.address = one.answer("address");
      }
      for (Rank one : group.processes) {
        one.tell("join " + group.processes.getFirst().address);
      }
      for (Rank one : group.processes) {
        one.rank = Integer.parseInt(one.answer("ready").split(" ")[0]);
      }
      return group;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      group.close();
      throw e;
    }
  }

  private static Rank spawn(String name, int size, Path shmDirectory, Duration heartbeatPause)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx384m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            RankMain.class.getName(),
            name,
            Integer.toString(size),
            shmDirectory.toString(),
            Long.toString(heartbeatPause.toMillis())));
    return new Rank(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  List<Rank> all() {
    return processes;
  }

  Rank rank(int rank) {
    return processes.stream().filter(one -> one.rank == rank).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    processes.forEach(Rank::kill);
    for (Rank one : processes) {
      try {
        one.process.onExit().get(20, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("process " + one.process.pid() + " survived a kill", e);
      }
    }
  }
}
