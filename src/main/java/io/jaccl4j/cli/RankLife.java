package io.jaccl4j.cli;

import com.typesafe.config.Config;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.JacclException;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One rank from its start to its end: cluster member, group, jobs, good-bye. */
final class RankLife {
  private static final Logger log = LoggerFactory.getLogger(RankLife.class);

  /** The library answers at its own deadline; this is for the case that it does not. */
  private static final Duration ANSWER_SLACK = Duration.ofSeconds(10);

  /** How this member finds the cluster. */
  @FunctionalInterface
  interface Rendezvous {

    /** The configuration names seed nodes, so there is nothing to do. */
    Rendezvous SEED_NODES = (member, settings) -> {};

    /** Makes the member join, or sees to it that it will. */
    void joinCluster(ClusterMember member, GroupSettings settings)
        throws RunFailedException, InterruptedException;

    /** What there is to say about ranks that are missing; empty if nothing is known. */
    default Optional<String> missingRanks() throws InterruptedException {
      return Optional.empty();
    }
  }

  private final Config config;
  private final UnaryOperator<GroupSettings> settings;
  private final Rendezvous rendezvous;
  private final Consumer<RankMessage> watcher;

  /**
   * A rank to be.
   *
   * @param settings adapts the group settings of the configuration
   * @param watcher told what happens, on several threads
   */
  RankLife(
      Config config,
      UnaryOperator<GroupSettings> settings,
      Rendezvous rendezvous,
      Consumer<RankMessage> watcher) {
    this.config = config;
    this.settings = settings;
    this.rendezvous = rendezvous;
    this.watcher = watcher;
  }

  /** Runs jobs one after the other, leaves, and returns the exit code. */
  int work(List<RankJob.Factory> jobs, Duration timeout) throws InterruptedException {
    return live((group, groups) -> runJobs(group, groups, jobs, timeout));
  }

  /** Stays in the group until it ends, and returns the exit code. */
  int stay() throws InterruptedException {
    return live(
        (group, groups) -> {
          // A service has no deadline: it ends by a signal or with its group.
          await(group.terminated(), Optional.empty(), "the group");
          return 0;
        });
  }

  /** What a rank does between Ready and leaving. */
  private interface Life {

    /** Returns the number of failed checks. */
    int spend(Group group, RankJob.Groups groups) throws RunFailedException, InterruptedException;
  }

  private int live(Life life) throws InterruptedException {
    try (ClusterMember member = ClusterMember.start(config)) {
      try {
        return liveAs(member, life);
      } catch (RunFailedException e) {
        // Told before leaving, which takes a while.
        watcher.accept(new RankMessage.Failed(e.exitCode(), e.getMessage()));
        return e.exitCode();
      }
    } catch (RuntimeException e) {
      log.error("Rank failed", e);
      watcher.accept(new RankMessage.Failed(ExitCode.FAILED, e.toString()));
      return ExitCode.FAILED;
    }
  }

  private int liveAs(ClusterMember member, Life life)
      throws RunFailedException, InterruptedException {
    watcher.accept(new RankMessage.Listening(member.address()));
    GroupSettings adapted = adaptedSettings(member);
    member.onUp(() -> watcher.accept(new RankMessage.MemberUp()));
    rendezvous.joinCluster(member, adapted);
    CompletionStage<Group> joined =
        member.joinGroup(adapted, event -> watcher.accept(new RankMessage.Event(event)));
    try (Group group = await(joined, adapted.formationTimeout().plus(ANSWER_SLACK))) {
      int failedChecks =
          spend(life, group, change -> member.joinGroup(change.apply(adapted), event -> {}));
      watcher.accept(new RankMessage.Finished(failedChecks));
      return failedChecks == 0 ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** The others are told what this rank has failed with. */
  private static int spend(Life life, Group group, RankJob.Groups groups)
      throws RunFailedException, InterruptedException {
    try {
      return life.spend(group, groups);
    } catch (RunFailedException | RuntimeException e) {
      group.abort(e.getCause() == null ? e : e.getCause());
      throw e;
    }
  }

  private Group await(CompletionStage<Group> joined, Duration timeout)
      throws RunFailedException, InterruptedException {
    try {
      return await(joined, Optional.of(timeout), "the group");
    } catch (RunFailedException e) {
      Optional<String> missing =
          e.exitCode() == ExitCode.NOT_FORMED ? rendezvous.missingRanks() : Optional.empty();
      if (missing.isEmpty()) {
        throw e;
      }
      throw new RunFailedException(e.exitCode(), e.getMessage() + "; " + missing.get());
    }
  }

  private GroupSettings adaptedSettings(ClusterMember member) throws RunFailedException {
    try {
      return settings.apply(member.groupSettings());
    } catch (IllegalArgumentException e) {
      throw new RunFailedException(ExitCode.USAGE, "configuration: " + e.getMessage());
    }
  }

  private int runJobs(
      Group group, RankJob.Groups groups, List<RankJob.Factory> jobs, Duration timeout)
      throws RunFailedException, InterruptedException {
    AtomicInteger failedChecks = new AtomicInteger();
    Consumer<StepResult> report =
        result -> {
          failedChecks.addAndGet(
              (int) result.checks().stream().filter(check -> !check.ok()).count());
          watcher.accept(new RankMessage.StepDone(result));
        };
    for (RankJob.Factory factory : jobs) {
      RankJob job = factory.prepare(group.rank(), group.size(), groups);
      await(start(job, group, report), Optional.of(timeout), "the work");
    }
    return failedChecks.get();
  }

  private static CompletionStage<Void> start(
      RankJob job, Group group, Consumer<StepResult> report) {
    return switch (job.place()) {
      case ENGINE_THREAD ->
          group.run(
              session -> {
                job.run(session, report);
                return null;
              });
      // If it takes too long it ends with the group: its next operation fails.
      case OWN_THREAD ->
          CompletableFuture.runAsync(
              () -> job.run(group, report),
              task -> Thread.ofPlatform().daemon().name("rank-job").start(task));
    };
  }

  private static <T> T await(CompletionStage<T> stage, Optional<Duration> timeout, String what)
      throws RunFailedException, InterruptedException {
    try {
      return timeout.isPresent()
          ? stage.toCompletableFuture().get(timeout.get().toNanos(), TimeUnit.NANOSECONDS)
          : stage.toCompletableFuture().get();
    } catch (TimeoutException e) {
      throw new RunFailedException(
          ExitCode.FAILED, what + " took more than " + timeout.orElseThrow().toSeconds() + " s");
    } catch (ExecutionException e) {
      throw asFailure(e.getCause());
    }
  }

  private static RunFailedException asFailure(Throwable cause) {
    if (cause instanceof FormationException e) {
      return new RunFailedException(
          ExitCode.NOT_FORMED, "no group (" + e.reason() + "): " + e.getMessage());
    }
    if (!(cause instanceof JacclException)) {
      log.error("Rank failed", cause);
      return new RunFailedException(ExitCode.FAILED, cause.toString());
    }
    return new RunFailedException(ExitCode.FAILED, cause.getMessage());
  }
}
