package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.FabricException;

/** How far one rank has come with its posts, and whether it still moves. Guarded by the network. */
final class RankState {
  private final int rank;
  private final NetworkScript script;
  private final long[] requests = new long[WorkKind.values().length];
  private long posts;
  private long polls;
  private boolean frozen;
  private boolean dead;

  RankState(int rank, NetworkScript script) {
    this.rank = rank;
    this.script = script;
  }

  /**
   * Counts a post, or refuses it.
   *
   * @return what else happens at it, or null
   */
  PostFault beginPost(WorkKind kind, int wire, int peer) {
    PostFault fault = script.postFault(rank, posts);
    if (fault == PostFault.DIE) {
      dead = true;
    }
    if (fault == PostFault.FREEZE) {
      frozen = true;
    }
    if (dead || fault == PostFault.REFUSE) {
      throw new FabricException(
          peer,
          "post "
              + posts
              + " of rank "
              + rank
              + " ("
              + kind
              + " on wire "
              + wire
              + " with rank "
              + peer
              + ") was refused"
              + (dead ? ", the rank is dead" : ""),
          null);
    }
    posts++;
    return fault;
  }

  /** The number of the next request of a kind. */
  long nextNumber(WorkKind kind) {
    return requests[kind.ordinal()]++;
  }

  long nextPoll() {
    return polls++;
  }

  void freeze(boolean nowFrozen) {
    frozen = nowFrozen;
  }

  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  boolean moves() {
    return !frozen && !dead;
  }
}
