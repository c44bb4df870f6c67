package io.jaccl4j.example;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Trains with three processes, kills one a third of the way, starts another in its place, and draws
 * the loss. What to look at: the picture, in which the curve goes on where the last checkpoint was,
 * in another colour for the new epoch.
 */
public final class TrainingExample {
  private static final int RANKS = 3;
  private static final long PATIENCE_SECONDS = 150;

  private final int steps;
  private final Path directory;
  private final PrintStream out;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<Process> processes = new ArrayList<>();
  private final List<LossChart.Loss> losses = new ArrayList<>();
  private final long deadlineNanos;

  private TrainingExample(int steps, Path directory, PrintStream out) {
    this.steps = steps;
    this.directory = directory;
    this.out = out;
    this.deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
  }

  /** Runs it, with the picture in {@code target/loss.svg}. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path picture = Path.of("target", "loss.svg");
    List<LossChart.Loss> losses = train(900, picture, System.out);
    System.out.println("loss " + losses.getFirst().value() + " -> " + losses.getLast().value());
    System.out.println("drawn in " + picture);
  }

  /** Trains, draws, and returns the losses that rank 0 reported, in order. */
  static List<LossChart.Loss> train(int steps, Path picture, PrintStream out)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("jaccl4j-training-");
    TrainingExample example = new TrainingExample(steps, directory, out);
    try {
      example.run();
    } finally {
      example.processes.forEach(Process::destroyForcibly);
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
    Files.createDirectories(picture.toAbsolutePath().getParent());
    Files.writeString(picture, LossChart.render(example.losses));
    return example.losses;
  }

  private void run() throws IOException, InterruptedException {
    String seed = start(List.of()).split(" ")[1];
    for (int rank = 1; rank < RANKS; rank++) {
      start(List.of(seed));
    }
    awaitStep(steps / 3);
    Process victim = processes.getLast();
    out.println("killing process " + victim.pid());
    victim.destroyForcibly();
    start(List.of(seed));
    int done = 0;
    while (done < RANKS) {
      done += take().equals("done") ? 1 : 0;
    }
  }

  /** Starts a process and waits for its address. */
  private String start(List<String> seed) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-classpath",
                System.getProperty("java.class.path"),
                TrainingRank.class.getName(),
                Integer.toString(RANKS),
                Integer.toString(steps),
                directory.toString()));
    command.addAll(seed);
    Path log = directory.resolve("process-" + processes.size() + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    processes.add(process);
    Thread.ofVirtual().start(() -> process.inputReader().lines().forEach(lines::add));
    String line = take();
    while (!line.startsWith("address ")) {
      line = take();
    }
    return line;
  }

  private void awaitStep(int step) throws InterruptedException {
    while (losses.isEmpty() || losses.getLast().step() < step) {
      take();
    }
  }

  private String take() throws InterruptedException {
    String line = lines.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new IllegalStateException("not done after " + PATIENCE_SECONDS + " s");
    }
    if (line.startsWith("loss ")) {
      String[] words = line.split(" ");
      losses.add(
          new LossChart.Loss(
              Integer.parseInt(words[1]), Long.parseLong(words[2]), Float.parseFloat(words[3])));
    } else {
      out.println(line);
    }
    return line;
  }
}
