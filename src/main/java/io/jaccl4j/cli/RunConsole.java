package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What a command shows of the processes that it started: results on standard output, everything
 * else through the progress line's stream. Any thread.
 */
final class RunConsole {
  private static final int FAILURE_LOG_LINES = 40;

  private final PrintWriter out;
  private final Progress progress;
  private final boolean verbose;
  private final Map<Integer, Integer> rankByProcess = new ConcurrentHashMap<>();
  private volatile boolean interrupted;

  /**
   * A console.
   *
   * @param verbose whether log lines are shown as they come, or only when a process fails
   */
  RunConsole(PrintWriter out, Progress progress, boolean verbose) {
    this.out = out;
    this.progress = progress;
    this.verbose = verbose;
  }

  /** Gives a process the name of its rank from now on. */
  void nameByRank(int process, int rank) {
    rankByProcess.put(process, rank);
  }

  /** {@code rank 2} or, before ranks are known, {@code process 2}. */
  String label(int process) {
    Integer rank = rankByProcess.get(process);
    return rank == null ? "process " + process : "rank " + rank;
  }

  void result(String text) {
    progress.clear();
    out.println(text);
    out.flush();
  }

  void awaiting(String text) {
    progress.update(text);
  }

  void logLine(int process, String line) {
    if (verbose) {
      progress.println("[" + label(process) + "] " + line);
    }
  }

  void slowPeer(int process, GroupEvent.SlowPeer slow) {
    progress.println(
        String.format(
            "[%s] %s #%d has waited %d s for %s",
            label(process),
            slow.operation(),
            slow.sequence(),
            TimeUnit.NANOSECONDS.toSeconds(slow.waitedNanos()),
            slow.awaited()));
  }

  /** The command is told to end; what its processes say about that is of no interest. */
  void interrupted() {
    interrupted = true;
    progress.println("FAILED: interrupted, ending the processes");
  }

  void failure(String reason) {
    if (!interrupted) {
      progress.println("FAILED: " + reason);
    }
  }

  /** A failure of one process, with the end of its log unless that was shown already. */
  void failure(int process, String reason, List<String> log) {
    if (!verbose && !interrupted) {
      log.subList(Math.max(0, log.size() - FAILURE_LOG_LINES), log.size())
          .forEach(line -> progress.println("[" + label(process) + "] " + line));
    }
    failure(label(process) + ": " + reason);
  }
}
