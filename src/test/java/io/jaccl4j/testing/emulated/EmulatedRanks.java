package io.jaccl4j.testing.emulated;

import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All ranks of a group over an emulated network. What one rank fails with is told to the others at
 * once, as the cluster would; a rank that died is reported lost. Checks the network after every
 * operation that should succeed, and at close that nothing is left.
 */
public final class EmulatedRanks implements AutoCloseable {
  private static final int SLOT_BYTES = 64 << 10;
  private static final long REGISTERED_BYTES = 4L << 20;

  private final EmulatedNetwork network;
  private final LocalRanks ranks;

  private EmulatedRanks(EmulatedNetwork network, LocalRanks ranks) {
    this.network = network;
    this.ranks = ranks;
  }

  /** Forms a group of so many ranks. */
  public static EmulatedRanks form(int size, NetworkScript script) {
    return form(settings(size), script, NanoClock.SYSTEM);
  }

  /** Forms a group. */
  public static EmulatedRanks form(GroupSettings settings, NetworkScript script, NanoClock clock) {
    EmulatedNetwork network = new EmulatedNetwork(script);
    EmulatedRanks all =
        new EmulatedRanks(network, LocalRanks.form(settings, network.provider(), clock));
    for (int rank = 0; rank < settings.size(); rank++) {
      all.forwardFailureOf(rank);
    }
    return all;
  }

  /** Settings with little memory, so that short transfers have many messages. */
  public static GroupSettings settings(int size) {
    GroupSettings settings = TestSettings.of("emulated", size);
    return settings.withMemory(
        new GroupSettings.Memory(SLOT_BYTES, REGISTERED_BYTES, settings.memory().shmDirectory()));
  }

  /** What the ranks share. */
  public EmulatedNetwork network() {
    return network;
  }

  /** The ranks. */
  public LocalRanks ranks() {
    return ranks;
  }

  /** Runs on all ranks at once, successfully, and leaves the network quiet. */
  public <T> List<T> onAll(Function<Session, T> function) {
    List<T> results = ranks.onAll(function);
    network.checkQuiet();
    return results;
  }

  /** {@link #onAll} for functions without a result. */
  public void runOnAll(Consumer<Session> body) {
    ranks.runOnAll(body);
    network.checkQuiet();
  }

  /** Runs on all ranks at once and returns what each failed with, or null, in rank order. */
  public List<RuntimeException> failuresOnAll(Consumer<Session> body) {
    List<CompletableFuture<Integer>> results =
        ranks.all().stream()
            .map(
                rank ->
                    rank.group()
                        .run(
                            session -> {
                              body.accept(session);
                              return session.rank();
                            })
                        .toCompletableFuture())
            .toList();
    List<RuntimeException> failures = new ArrayList<>();
    for (CompletableFuture<Integer> result : results) {
      failures.add(failureOf(result));
    }
    return failures;
  }

  private static RuntimeException failureOf(CompletableFuture<?> result) {
    try {
      LocalRanks.get(result);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /** Ends a rank as a crash of its process does, and lets the others be told that it is gone. */
  public void kill(int rank) {
    network.kill(rank);
    GroupFailure cause = downed(rank, rank);
    abortOthers(rank, cause);
    ranks.rank(rank).engine().abort(cause);
  }

  private void forwardFailureOf(int rank) {
    ranks
        .group(rank)
        .terminated()
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null && mayTell(rank)) {
                abortOthers(rank, causeOf(rank));
              }
            });
  }

  /** A frozen process tells nobody anything; that one is dead its host can tell. */
  private boolean mayTell(int rank) {
    return network.isDead(rank) || !network.isStopped(rank);
  }

  private GroupFailure causeOf(int rank) {
    GroupFailure own = ranks.group(rank).failure().orElseThrow();
    return network.isDead(rank) ? downed(rank, own.reportedBy()) : own;
  }

  private GroupFailure downed(int rank, int reportedBy) {
    GroupMember member = ranks.group(rank).members().get(rank);
    return new GroupFailure(
        GroupFailure.Kind.PEER_LOST, rank, member.address(), reportedBy, member + " was downed");
  }

  private void abortOthers(int rank, GroupFailure cause) {
    for (int other = 0; other < ranks.all().size(); other++) {
      if (other != rank) {
        ranks.rank(other).engine().abort(cause);
      }
    }
  }

  @Override
  public void close() {
    ranks.close();
    network.checkReleased();
  }
}
