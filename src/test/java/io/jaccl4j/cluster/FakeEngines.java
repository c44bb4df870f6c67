package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.engine.Engine;
import io.jaccl4j.engine.EngineListener;
import io.jaccl4j.engine.Formation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Engines without links: each gathers one contribution over the side channel and is ready with a
 * group that does nothing.
 */
final class FakeEngines implements Engine.Factory {

  private final List<FakeEngine> created = new CopyOnWriteArrayList<>();
  private volatile boolean gathers = true;
  private volatile Function<Formation, byte[]> contribution = FakeEngines::destination;

  /** What every engine contributes unless told otherwise. */
  static byte[] destination(Formation formation) {
    return ("destination of " + formation.rank()).getBytes(StandardCharsets.UTF_8);
  }

  void contribute(Function<Formation, byte[]> newContribution) {
    contribution = newContribution;
  }

  /** From now on engines connect for ever, until they are aborted. */
  void neverGather() {
    gathers = false;
  }

  void gatherAgain() {
    gathers = true;
  }

  @Override
  public Engine create(EngineListener listener) {
    FakeEngine engine = new FakeEngine(listener);
    created.add(engine);
    return engine;
  }

  /** The engine that serves a group. */
  FakeEngine of(Group group) {
    return created.stream()
        .filter(engine -> engine.ready.isDone() && !engine.ready.isCompletedExceptionally())
        .filter(engine -> engine.ready.join() == group)
        .findFirst()
        .orElseThrow();
  }

  List<FakeEngine> created() {
    return created;
  }

  final class FakeEngine implements Engine {
    private final EngineListener listener;
    private final CompletableFuture<Group> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final Map<Integer, Long> leavers = new ConcurrentHashMap<>();
    private volatile Formation formation;
    private volatile List<byte[]> gathered = List.of();
    private volatile GroupFailure failure;
    private volatile boolean closed;
    private volatile boolean alive = true;

    FakeEngine(EngineListener listener) {
      this.listener = listener;
    }

    Formation formation() {
      return formation;
    }

    List<byte[]> gathered() {
      return gathered;
    }

    Map<Integer, Long> leavers() {
      return leavers;
    }

    Optional<GroupFailure> failure() {
      return Optional.ofNullable(failure);
    }

    boolean ended() {
      return failure != null || closed;
    }

    @Override
    public CompletionStage<Group> connect(Formation newFormation) {
      formation = newFormation;
      if (!gathers) {
        return ready;
      }
      Thread.ofPlatform()
          .name("fake-engine-" + newFormation.settings().name() + "-" + newFormation.rank())
          .start(this::run);
      return ready;
    }

    private void run() {
      try {
        gathered =
            formation
                .sideChannel()
                .allGather(contribution.apply(formation), formation.remainingNanos());
        listener.onEvent(new GroupEvent.LinksUp("fake", formation.size() - 1, "no links"));
        synchronized (this) {
          if (failure == null) {
            ready.complete(group());
          }
        }
      } catch (FormationException e) {
        ready.completeExceptionally(e);
      }
    }

    @Override
    public void abort(GroupFailure cause) {
      end(cause);
    }

    @Override
    public void peerLeft(int rank, long completedCollectives) {
      leavers.put(rank, completedCollectives);
    }

    @Override
    public void close() {
      end(null);
    }

    @Override
    public boolean alive() {
      return alive;
    }

    @Override
    public CompletionStage<Void> released() {
      return released;
    }

    /** From now on its thread is of no use. */
    void die() {
      alive = false;
    }

    private synchronized void end(GroupFailure cause) {
      if (ended()) {
        return;
      }
      failure = cause;
      closed = cause == null;
      released.complete(null);
      if (!ready.isDone()) {
        ready.completeExceptionally(
            new FormationException(FormationException.Reason.PEER_FAILED, "fake engine aborted"));
      } else {
        terminated.complete(null);
        listener.onTerminated(Optional.ofNullable(cause), 7);
      }
    }

    private Group group() {
      return (Group)
          Proxy.newProxyInstance(
              Group.class.getClassLoader(),
              new Class<?>[] {Group.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "name" -> formation.settings().name();
                    case "rank" -> formation.rank();
                    case "size" -> formation.size();
                    case "epoch" -> formation.epoch();
                    case "members" -> formation.members();
                    case "failure" -> Optional.ofNullable(failure);
                    case "health" ->
                        failure != null
                            ? GroupHealth.FAILED
                            : closed ? GroupHealth.CLOSED : GroupHealth.READY;
                    case "terminated" -> terminated;
                    case "counters" -> new GroupCounters(1, 2, 3, 4, 5);
                    case "close" -> {
                      close();
                      yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(this);
                    case "toString" -> "fake group";
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
    }
  }
}
