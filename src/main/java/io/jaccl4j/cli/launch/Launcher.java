package io.jaccl4j.cli.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs the ranks of one plan until all have ended, or one has failed and the others were ended for
 * it. No rank outlives it: a shutdown hook ends them on Ctrl-C and SIGTERM, and their keepers
 * notice when not even that ran.
 */
public final class Launcher implements AutoCloseable {
  /** What the launcher itself fails with. */
  private static final int FAILED = 1;

  /** What ssh says of its own failures. */
  private static final int SSH_FAILED = 255;

  private static final int SIGNAL_BASE = 128;

  /** What the keeper takes beyond the grace, which it counts in seconds. */
  private static final Duration KEEPER_TIME = Duration.ofSeconds(3);

  private static final Duration HANG_TIME = Duration.ofSeconds(1);
  private static final Duration DRAIN_TIME = Duration.ofSeconds(2);

  private final LaunchPlan plan;
  private final Duration grace;
  private final StandardStreams streams;
  private final List<LaunchedRank> ranks = new ArrayList<>();
  private final BlockingQueue<LaunchEvent> events = new LinkedBlockingQueue<>();
  private final Thread shutdownHook = new Thread(this::endAll, "end-ranks");
  private volatile boolean ending;

  /**
   * A launcher.
   *
   * @param grace how long ranks may take to end after SIGTERM, before they are killed; whole
   *     seconds
   */
  public Launcher(LaunchPlan plan, Duration grace, StandardStreams streams) {
    this.plan = plan;
    this.grace = grace;
    this.streams = streams;
  }

  /**
   * Starts the ranks and waits for their end, however long they run. Once only.
   *
   * @return 0 if all ended so; else the exit code of the one that failed first
   * @throws IOException if a process cannot be started; those before it were ended
   */
  public int run() throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(shutdownHook);
    for (RankPlan rank : plan.ranks()) {
      add(rank);
    }
    InputBroadcast.start(streams.in(), ranks.stream().map(LaunchedRank::input).toList());
    OptionalInt failure = OptionalInt.empty();
    Set<Integer> running =
        plan.ranks().stream().map(RankPlan::rank).collect(Collectors.toCollection(TreeSet::new));
    while (!running.isEmpty() && failure.isEmpty()) {
      switch (events.take()) {
        case LaunchEvent.Exited exited -> {
          running.remove(exited.rank());
          if (exited.exitCode() != 0) {
            failure = OptionalInt.of(exited.exitCode());
            tell(failed(exited, running));
          }
        }
        case LaunchEvent.OutputLost lost -> {
          failure = OptionalInt.of(FAILED);
          tell("%s; ending %s".formatted(lost.reason(), names(running)));
        }
      }
    }
    close();
    showTheRest(running);
    return failure.orElse(0);
  }

  /** What ranks that were ended have printed last; they have ended by now. */
  private void showTheRest(Set<Integer> running) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!running.isEmpty()) {
      long leftNanos = DRAIN_TIME.toNanos() - (System.nanoTime() - startNanos);
      LaunchEvent event = events.poll(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      if (event == null) {
        return;
      }
      if (event instanceof LaunchEvent.Exited exited) {
        running.remove(exited.rank());
      }
    }
  }

  /** Ends all ranks that still run; returns when they have ended. Idempotent. */
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

  private synchronized void add(RankPlan rank) throws IOException {
    if (!ending) {
      ranks.add(LaunchedRank.start(rank, grace, streams, events::add));
    }
  }

  private synchronized void endAll() {
    ending = true;
    try {
      for (LaunchedRank rank : ranks) {
        if (!rank.input().close(HANG_TIME)) {
          rank.terminate();
        }
      }
      awaitEnds(grace.plus(KEEPER_TIME));
      ranks.stream()
          .filter(LaunchedRank::isAlive)
          .forEach(
              rank -> {
                tell(rank.plan().label() + " does not end; killing its local process");
                rank.terminate();
              });
      awaitEnds(HANG_TIME);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ranks.forEach(LaunchedRank::kill);
    }
  }

  private void awaitEnds(Duration timeout) throws InterruptedException {
    long startNanos = System.nanoTime();
    for (LaunchedRank rank : ranks) {
      rank.awaitEnd(timeout.toNanos() - (System.nanoTime() - startNanos));
    }
  }

  private String failed(LaunchEvent.Exited exited, Set<Integer> running) {
    RankPlan rank = plan.ranks().get(exited.rank());
    int code = exited.exitCode();
    String how = "exit code " + code;
    if (code == SSH_FAILED && rank.host().isPresent()) {
      how += ", ssh's own for a host it cannot reach";
    } else if (code > SIGNAL_BASE && code < SSH_FAILED) {
      how += ", as after signal " + (code - SIGNAL_BASE);
    }
    return rank.label()
        + " failed: "
        + how
        + (running.isEmpty() ? "" : "; ending " + names(running));
  }

  private static String names(Set<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private void tell(String sentence) {
    synchronized (streams.err()) {
      try {
        streams.err().write(("launch: " + sentence + "\n").getBytes(StandardCharsets.UTF_8));
        streams.err().flush();
      } catch (IOException _) {
        // Nobody listens; the exit code tells.
        return;
      }
    }
  }
}
