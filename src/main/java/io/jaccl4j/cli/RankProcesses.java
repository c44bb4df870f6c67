package io.jaccl4j.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/**
 * The processes of one command. None outlives {@link #close()}, nor this process: a shutdown hook
 * does the same on Ctrl-C, and end of file on their stdin tells them when even that did not run.
 */
final class RankProcesses implements AutoCloseable {
  private static final Duration KILL_WAIT = Duration.ofSeconds(2);

  private final List<RankProcess> processes = new ArrayList<>();
  private final BlockingQueue<ProcessEvent> events = new LinkedBlockingQueue<>();
  private final Duration grace;
  private final Thread shutdownHook;

  private RankProcesses(Duration grace, Runnable onShutdown) {
    this.grace = grace;
    this.shutdownHook =
        new Thread(
            () -> {
              onShutdown.run();
              endAll();
            },
            "end-ranks");
  }

  /**
   * Starts processes; if one cannot be started, those before it are ended.
   *
   * @param commandOf command line by number
   * @param grace how long a process may take to end before it is killed
   * @param logListener told the number and every line that is not a message, on other threads
   * @param onShutdown called when this JVM is told to end before the processes were closed
   */
  static RankProcesses start(
      int count,
      IntFunction<List<String>> commandOf,
      Duration grace,
      BiConsumer<Integer, String> logListener,
      Runnable onShutdown)
      throws IOException {
    RankProcesses started = new RankProcesses(grace, onShutdown);
    Runtime.getRuntime().addShutdownHook(started.shutdownHook);
    try {
      for (int number = 0; number < count; number++) {
        started.add(
            RankProcess.start(number, commandOf.apply(number), started.events::add, logListener));
      }
    } catch (IOException e) {
      started.close();
      throw e;
    }
    return started;
  }

  int count() {
    return processes.size();
  }

  long pid(int process) {
    return processes.get(process).pid();
  }

  /** The end of what a process printed besides its messages. */
  List<String> log(int process) {
    return processes.get(process).log();
  }

  /** Writes one line to a process's stdin. */
  void send(int process, String line) throws IOException {
    processes.get(process).send(line);
  }

  /** The next event of any process, or empty when the time is over. */
  Optional<ProcessEvent> next(long timeoutNanos) throws InterruptedException {
    return Optional.ofNullable(events.poll(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  /** Ends all processes that still run; returns when they have ended. Idempotent. */
  @Override
  public void close() {
    endAll();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // This process is ending, so that the hook runs already; it does what was done here.
      return;
    }
  }

  private synchronized void add(RankProcess process) {
    processes.add(process);
  }

  private synchronized void endAll() {
    processes.forEach(RankProcess::askToEnd);
    boolean interrupted = !awaitEnds(grace);
    processes.forEach(RankProcess::kill);
    interrupted |= !awaitEnds(KILL_WAIT);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns false if interrupted, in which case whoever still runs is to be killed at once. */
  private boolean awaitEnds(Duration timeout) {
    long startNanos = System.nanoTime();
    try {
      for (RankProcess process : processes) {
        process.awaitEnd(timeout.toNanos() - (System.nanoTime() - startNanos));
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
