package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.job.Quantity;
import io.jaccl4j.cli.job.StepResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Ranks as processes of this machine, from their start to their end: introduces them to each other,
 * prints a table for whatever all of them have reached, and ends all if one fails.
 */
final class GroupRun {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RankProcesses processes;
  private final RunLimits limits;
  private final RunConsole console;
  private final Consumer<Measurement> measured;
  private final LongSupplier nanoClock;
  private final RankBoard board;
  private final RunTables tables;

  private Milestone next = Milestone.LISTENING;
  private int stepsPrinted;
  private long deadlineNanos;

  private GroupRun(
      RankProcesses processes,
      RunLimits limits,
      RunConsole console,
      Consumer<Measurement> measured,
      LongSupplier nanoClock,
      long startNanos) {
    this.processes = processes;
    this.limits = limits;
    this.console = console;
    this.measured = measured;
    this.nanoClock = nanoClock;
    this.board =
        new RankBoard(
            IntStream.range(0, processes.count())
                .mapToObj(number -> new RankState(processes.pid(number)))
                .toList());
    this.tables = new RunTables(board, startNanos);
    this.deadlineNanos = startNanos + limits.formation().toNanos();
  }

  /**
   * Starts processes and stays with them until the last one has ended.
   *
   * @param commandOf command line of a process by its number
   * @param measured told every measurement, on this thread
   * @return exit code
   */
  static int run(
      int count,
      IntFunction<List<String>> commandOf,
      RunLimits limits,
      RunConsole console,
      Consumer<Measurement> measured,
      LongSupplier nanoClock) {
    long startNanos = nanoClock.getAsLong();
    try (RankProcesses processes =
        RankProcesses.start(
            count, commandOf, limits.grace(), console::logLine, console::interrupted)) {
      return new GroupRun(processes, limits, console, measured, nanoClock, startNanos).supervise();
    } catch (IOException e) {
      console.failure("a process could not be started: " + e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private int supervise() {
    try {
      while (!board.haveAllReached(Milestone.EXITED)) {
        long waitNanos = Math.clamp(deadlineNanos - nanoClock.getAsLong(), 0, TICK_NANOS);
        Optional<ProcessEvent> event = processes.next(waitNanos);
        if (event.isPresent()) {
          apply(event.get());
          advance();
        }
        console.awaiting(tables.awaited(next, nanoClock.getAsLong()));
        checkDeadline();
      }
      return conclude();
    } catch (RunFailedException e) {
      processes.close();
      if (e.process() == RunFailedException.NO_PROCESS) {
        console.failure(e.getMessage());
      } else {
        console.failure(e.process(), e.getMessage(), processes.log(e.process()));
      }
      return e.exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  private void apply(ProcessEvent event) throws RunFailedException {
    switch (event) {
      case ProcessEvent.Said(int process, RankMessage message) -> {
        board.process(process).apply(message, nanoClock.getAsLong());
        onMessage(process, message);
      }
      case ProcessEvent.Exited(int process, int exitCode) -> {
        board.process(process).exited(nanoClock.getAsLong());
        onExit(process, exitCode);
      }
    }
  }

  private void onMessage(int process, RankMessage message) throws RunFailedException {
    switch (message) {
      case RankMessage.Listening ignored -> introduce(process);
      case RankMessage.Failed(int exitCode, String reason) ->
          throw new RunFailedException(exitCode, process, reason);
      case RankMessage.Event(GroupEvent.RanksAssigned ranks) ->
          console.nameByRank(process, ranks.rank());
      case RankMessage.Event(GroupEvent.SlowPeer slow) -> console.slowPeer(process, slow);
      case RankMessage.Event ignored -> {}
      case RankMessage.MemberUp ignored -> {}
      case RankMessage.Doing ignored -> {}
      case RankMessage.Measured(Measurement measurement) -> measured.accept(measurement);
      case RankMessage.StepDone ignored -> {}
      case RankMessage.Finished ignored -> {}
    }
  }

  /** Tells whoever can be told which member to join: process 0, which begins the cluster. */
  private void introduce(int newcomer) throws RunFailedException {
    String seedAddress = board.process(0).address();
    if (newcomer == 0) {
      for (int number = 0; number < board.size(); number++) {
        if (board.process(number).hasReached(Milestone.LISTENING)) {
          sendJoin(number, seedAddress);
        }
      }
    } else if (board.process(0).hasReached(Milestone.LISTENING)) {
      sendJoin(newcomer, seedAddress);
    }
  }

  private void sendJoin(int process, String seedAddress) throws RunFailedException {
    try {
      processes.send(process, RankProtocol.encodeJoin(seedAddress));
    } catch (IOException e) {
      throw new RunFailedException(
          ExitCode.FAILED, process, "could not be told what to join: " + e.getMessage());
    }
  }

  private void onExit(int process, int exitCode) throws RunFailedException {
    RankState state = board.process(process);
    if (exitCode == ExitCode.INTERRUPTED) {
      throw new RunFailedException(ExitCode.INTERRUPTED, process, "was interrupted");
    }
    boolean finished = state.hasReached(Milestone.FINISHED);
    // A finished rank ends with 1 for its failed checks, which the conclusion lists.
    if (!finished || exitCode != ExitCode.OK && exitCode != ExitCode.FAILED) {
      throw new RunFailedException(
          ExitCode.FAILED,
          process,
          String.format(
              "process %d ended with exit code %d while %s",
              state.pid(), exitCode, finished ? "leaving" : state.activity()));
    }
  }

  /** Prints what all ranks have reached by now, each once and in order. */
  private void advance() throws RunFailedException {
    while (next != Milestone.EXITED && board.haveAllReached(next)) {
      onReachedByAll(next);
      next = Milestone.values()[next.ordinal() + 1];
    }
    if (next == Milestone.FINISHED) {
      printSteps();
    }
  }

  private void onReachedByAll(Milestone milestone) throws RunFailedException {
    switch (milestone) {
      case LISTENING, EXITED -> {}
      case MEMBER_UP -> console.result(tables.members());
      case RANKED -> {
        Optional<String> disagreement = board.disagreement();
        if (disagreement.isPresent()) {
          throw new RunFailedException(ExitCode.FAILED, "ranks disagree: " + disagreement.get());
        }
        console.result(tables.ranks());
      }
      case LINKED -> console.result(tables.links());
      case READY -> expectWithin(limits.work());
      case FINISHED -> {
        printSteps();
        expectWithin(limits.leaving());
      }
    }
  }

  private void printSteps() {
    for (; stepsPrinted < board.stepsDoneByAll(); stepsPrinted++) {
      console.result(StepTables.render(board.step(stepsPrinted)));
    }
  }

  private int conclude() {
    console.result(tables.times());
    List<String> failures = new ArrayList<>();
    int checks = 0;
    for (int number = 0; number < board.size(); number++) {
      List<StepResult> steps = board.process(number).steps();
      checks += steps.stream().mapToInt(step -> step.checks().size()).sum();
      failures.addAll(StepTables.failures(console.label(number), steps));
    }
    if (failures.isEmpty()) {
      console.result(
          String.format(
              "OK: %s, %s",
              Quantity.of(board.size(), "rank"),
              checks == 0 ? "nothing was checked" : checks + " checks passed"));
      return ExitCode.OK;
    }
    failures.forEach(console::result);
    console.failure(failures.size() + " of " + checks + " checks");
    return ExitCode.FAILED;
  }

  private void checkDeadline() throws RunFailedException {
    if (board.haveAllReached(Milestone.EXITED) || nanoClock.getAsLong() < deadlineNanos) {
      return;
    }
    boolean formed = next.compareTo(Milestone.READY) > 0;
    throw new RunFailedException(
        formed ? ExitCode.FAILED : ExitCode.NOT_FORMED,
        "out of time: " + tables.awaited(next, nanoClock.getAsLong()));
  }

  private void expectWithin(Duration limit) {
    deadlineNanos = nanoClock.getAsLong() + limit.toNanos();
  }
}
