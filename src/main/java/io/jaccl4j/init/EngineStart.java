package io.jaccl4j.init;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.engine.CollectiveEngine;
import io.jaccl4j.engine.EngineListener;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.FabricProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts an engine and waits until its group is formed. */
final class EngineStart {
  private static final Logger LOG = LoggerFactory.getLogger(EngineStart.class);

  /** The engine keeps the deadline; this is for one that does not. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final CollectiveEngine engine;
  private final Formation formation;
  private final CompletableFuture<Group> formed;

  private EngineStart(
      CollectiveEngine engine, Formation formation, CompletableFuture<Group> formed) {
    this.engine = engine;
    this.formation = formation;
    this.formed = formed;
  }

  /** Starts and waits. */
  static Group form(List<FabricProvider> providers, Formation formation) {
    return begin(providers, formation, (failure, completedCollectives) -> {}).await();
  }

  /**
   * Starts and does not wait.
   *
   * @param onEnd told why the group of this rank ended, and how many collectives it had completed;
   *     on the engine thread
   */
  static EngineStart begin(
      List<FabricProvider> providers,
      Formation formation,
      BiConsumer<Optional<GroupFailure>, Long> onEnd) {
    CollectiveEngine engine =
        new CollectiveEngine(
            providers, listener(formation.settings().name(), onEnd), NanoClock.SYSTEM);
    return new EngineStart(engine, formation, engine.connect(formation).toCompletableFuture());
  }

  /** Waits until the group is formed. */
  Group await() {
    String name = formation.settings().name();
    try {
      return formed.get(formation.remainingNanos() + GRACE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FormationException cause
          ? cause
          : new FormationException(
              Reason.FABRIC, "group [" + name + "]: not formed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      engine.close();
      throw new FormationException(
          Reason.TIMEOUT, "group [" + name + "]: the engine has not connected in time", e);
    } catch (InterruptedException e) {
      engine.close();
      Thread.currentThread().interrupt();
      throw new FormationException(
          Reason.STOPPED, "group [" + name + "]: interrupted while it formed", e);
    }
  }

  /** Tells this rank that another one's group has ended, and why. */
  void peerEnded(int rank, Optional<GroupFailure> failure, long completedCollectives) {
    failure.ifPresentOrElse(engine::abort, () -> engine.peerLeft(rank, completedCollectives));
  }

  /** Leaves the group, formed or not, without waiting. */
  void abandon() {
    engine.close();
  }

  private static EngineListener listener(
      String name, BiConsumer<Optional<GroupFailure>, Long> onEnd) {
    return new EngineListener() {
      @Override
      public void onEvent(GroupEvent event) {
        if (event instanceof GroupEvent.SlowPeer slow) {
          LOG.warn("[{}] Slow: [{}] waits for {}", name, slow.operation(), slow.awaited());
        } else {
          LOG.debug("[{}] [{}]", name, event);
        }
      }

      @Override
      public void onTerminated(Optional<GroupFailure> failure, long completedCollectives) {
        failure.ifPresentOrElse(
            cause -> LOG.warn("[{}] Failed: [{}]", name, cause.detail()),
            () -> LOG.info("[{}] Closed", name));
        onEnd.accept(failure, completedCollectives);
      }
    };
  }
}
