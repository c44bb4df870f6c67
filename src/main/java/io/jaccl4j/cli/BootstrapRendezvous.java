package io.jaccl4j.cli;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.management.GroupBootstrap;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that find each other: the only contact of the commands with the management package. */
final class BootstrapRendezvous implements RankLife.Rendezvous {
  private static final Duration BIND_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(10);

  /** Null until the member has started to look for others. */
  private GroupBootstrap bootstrap;

  private BootstrapRendezvous() {}

  /** For one rank. */
  static RankLife.Rendezvous begin() {
    return new BootstrapRendezvous();
  }

  @Override
  public void joinCluster(ClusterMember member, GroupSettings settings)
      throws RunFailedException, InterruptedException {
    try {
      bootstrap = GroupBootstrap.of(member.system(), settings.size());
    } catch (ConfigurationException e) {
      throw new RunFailedException(ExitCode.USAGE, "configuration: " + e.getMessage());
    }
    try {
      get(bootstrap.start(), BIND_TIMEOUT);
    } catch (ExecutionException e) {
      throw new RunFailedException(ExitCode.FAILED, e.getCause().getMessage());
    } catch (TimeoutException e) {
      throw new RunFailedException(
          ExitCode.FAILED,
          "the management endpoint is not bound after " + BIND_TIMEOUT.toSeconds() + " s");
    }
  }

  @Override
  public Optional<String> missingRanks() throws InterruptedException {
    if (bootstrap == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(get(bootstrap.contactPoints(), REPORT_TIMEOUT));
    } catch (ExecutionException e) {
      return Optional.of("bootstrap: " + e.getCause());
    } catch (TimeoutException e) {
      return Optional.of("bootstrap: discovery does not answer");
    }
  }

  private static <T> T get(CompletionStage<T> stage, Duration timeout)
      throws ExecutionException, InterruptedException, TimeoutException {
    return stage.toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }
}
