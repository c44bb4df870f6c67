package io.jaccl4j.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The process of one rank's keeper, on this machine or over ssh. Two daemon threads pass on what
 * the rank prints.
 */
final class LaunchedRank {
  /** A program that the rank left behind out of reach could hold the pipes open. */
  private static final long DRAIN_MILLIS = 1_000;

  private static final int BUFFER_BYTES = 8192;

  private final RankPlan plan;
  private final Process process;
  private final RankInput input;
  private final Consumer<LaunchEvent> events;

  private LaunchedRank(RankPlan plan, Process process, Consumer<LaunchEvent> events) {
    this.plan = plan;
    this.process = process;
    this.input = new RankInput(process.getOutputStream());
    this.events = events;
  }

  /**
   * Starts a rank.
   *
   * @param grace how long it may take to end when it is told to
   * @param events called on threads of this object
   */
  static LaunchedRank start(
      RankPlan plan, Duration grace, StandardStreams streams, Consumer<LaunchEvent> events)
      throws IOException {
    RankScript script = new RankScript(plan, grace);
    LaunchedRank rank =
        new LaunchedRank(plan, new ProcessBuilder(script.command()).start(), events);
    rank.watch(streams);
    rank.input.begin(script.program());
    return rank;
  }

  RankPlan plan() {
    return plan;
  }

  RankInput input() {
    return input;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Ends ssh, or asks the keeper to end; either works without an input that takes what is written.
   */
  void terminate() {
    // Process.destroy() would close the pipes, and wait for a write that hangs.
    process.toHandle().destroy();
  }

  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits for its end; false if the time was over first. */
  boolean awaitEnd(long timeoutNanos) throws InterruptedException {
    return process.waitFor(Math.max(0, timeoutNanos), TimeUnit.NANOSECONDS);
  }

  private void watch(StandardStreams streams) {
    CompletableFuture<Void> out = pass("stdout", process.getInputStream(), streams.out());
    CompletableFuture<Void> err = pass("stderr", process.getErrorStream(), streams.err());
    CompletableFuture<Void> drained = CompletableFuture.allOf(out, err);
    process
        .onExit()
        .thenCompose(
            ended ->
                drained
                    .completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                    .thenApply(nothing -> ended.exitValue()))
        .thenAccept(exitCode -> events.accept(new LaunchEvent.Exited(plan.rank(), exitCode)));
  }

  private CompletableFuture<Void> pass(String name, InputStream from, OutputStream to) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("rank-" + plan.rank() + "-" + name)
        .start(
            () -> {
              try (from) {
                copy(from, new PrefixedLines(plan.rank(), to));
              } catch (IOException e) {
                events.accept(
                    new LaunchEvent.OutputLost(
                        plan.label() + ": its " + name + " cannot be shown: " + e.getMessage()));
              } finally {
                done.complete(null);
              }
            });
    return done;
  }

  private static void copy(InputStream from, PrefixedLines lines) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
      lines.write(buffer, count);
    }
    lines.end();
  }
}
