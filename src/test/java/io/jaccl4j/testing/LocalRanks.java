package io.jaccl4j.testing;

import io.jaccl4j.AllGather;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import io.jaccl4j.engine.CollectiveEngine;
import io.jaccl4j.engine.EngineListener;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.sidechannel.MemoryAllGather;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** All ranks of a group as engines in this JVM, without a cluster. */
public final class LocalRanks implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final List<Rank> ranks = new ArrayList<>();

  /** One rank: its engine, its group, and what it reported. */
  public static final class Rank implements EngineListener {
    private final List<GroupEvent> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Optional<GroupFailure>> terminated = new CompletableFuture<>();
    private volatile long completedCollectives;
    private CollectiveEngine engine;
    private CompletableFuture<Group> formed;
    private Group group;

    @Override
    public void onEvent(GroupEvent event) {
      events.add(event);
    }

    @Override
    public void onTerminated(Optional<GroupFailure> failure, long completed) {
      completedCollectives = completed;
      terminated.complete(failure);
    }

    public CollectiveEngine engine() {
      return engine;
    }

    public Group group() {
      return group;
    }

    public CompletableFuture<Group> formed() {
      return formed;
    }

    public List<GroupEvent> events() {
      return events;
    }

    public Optional<GroupFailure> terminated() {
      return get(terminated);
    }

    public long completedCollectives() {
      return completedCollectives;
    }
  }

  /** Starts all ranks of a group over shared memory and waits until it is formed. */
  public static LocalRanks form(GroupSettings settings) {
    return form(settings, NanoClock.SYSTEM);
  }

  /** {@link #form(GroupSettings)} with another clock. */
  public static LocalRanks form(GroupSettings settings, NanoClock clock) {
    return form(settings, new ShmFabricProvider(), clock);
  }

  /** {@link #form(GroupSettings)} over another fabric. */
  public static LocalRanks form(GroupSettings settings, FabricProvider provider, NanoClock clock) {
    return start(settings, provider, clock).await();
  }

  /** Waits until the group is formed. */
  public LocalRanks await() {
    for (Rank rank : ranks) {
      rank.group = get(rank.formed);
    }
    return this;
  }

  /** Forms a group for one function, runs it on all ranks and returns the results in rank order. */
  public static <T> List<T> run(int size, Function<Session, T> function) {
    try (LocalRanks ranks = form(TestSettings.of("local-" + size, size))) {
      return ranks.onAll(function);
    }
  }

  /** Starts all ranks of a group and does not wait. */
  public static LocalRanks start(GroupSettings settings, FabricProvider provider, NanoClock clock) {
    return start(settings, provider, clock, new MemoryAllGather(), LinkExchange.OWN);
  }

  /** {@link #start(GroupSettings, FabricProvider, NanoClock)} over another side channel. */
  public static LocalRanks start(
      GroupSettings settings,
      FabricProvider provider,
      NanoClock clock,
      AllGather.Factory sideChannel,
      LinkExchange exchange) {
    LocalRanks all = new LocalRanks();
    List<GroupMember> members =
        IntStream.range(0, settings.size())
            .mapToObj(rank -> new GroupMember(rank, "test://host:" + (9000 + rank), rank, "host"))
            .toList();
    for (int r = 0; r < settings.size(); r++) {
      Rank rank = new Rank();
      rank.engine = new CollectiveEngine(List.of(provider), rank, clock);
      rank.formed =
          rank.engine
              .connect(
                  new Formation(
                      1,
                      r,
                      members,
                      settings,
                      provider.name(),
                      sideChannel.open(r, settings.size()),
                      exchange,
                      settings.formationTimeout().toNanos(),
                      0))
              .toCompletableFuture();
      all.ranks.add(rank);
    }
    return all;
  }

  public Rank rank(int rank) {
    return ranks.get(rank);
  }

  public Group group(int rank) {
    return ranks.get(rank).group;
  }

  public List<Rank> all() {
    return ranks;
  }

  /** Runs on the engine threads of all ranks at once and returns the results in rank order. */
  public <T> List<T> onAll(Function<Session, T> function) {
    List<CompletableFuture<T>> results =
        ranks.stream().map(rank -> rank.group.run(function).toCompletableFuture()).toList();
    return results.stream().map(LocalRanks::get).toList();
  }

  /** {@link #onAll} for functions without a result. */
  public void runOnAll(Consumer<Session> body) {
    onAll(
        session -> {
          body.accept(session);
          return session.rank();
        });
  }

  /** Waits within a test's patience and unwraps the cause. */
  public static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not complete in " + PATIENCE_SECONDS + " s", e);
    }
  }

  @Override
  public void close() {
    for (Rank rank : ranks) {
      rank.engine.close();
    }
    for (Rank rank : ranks) {
      if (rank.group != null) {
        rank.group.close();
      }
    }
  }
}
