package io.jaccl4j.engine;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.JacclException;
import io.jaccl4j.collective.Collective;
import io.jaccl4j.collective.MismatchException;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import java.time.Duration;
import java.util.List;

/**
 * Runs one operation to its end: polls, idles, and gives up when the group fails, closes, loses a
 * rank that the operation needs, or the deadline passes. Engine thread only.
 */
final class OperationRunner {
  /** Deadline of an operation that begins now and has not waited in a queue. */
  static final long FROM_NOW = Long.MIN_VALUE;

  /** Peer of an operation that concerns all ranks. */
  static final int ALL_RANKS = -1;

  /** Polls between two looks at the clock and at what other threads want. */
  private static final int POLLS_PER_CHECK = 32;

  /** The awaited rank may need this processor: nearly every poll that is in vain is a yield. */
  private static final int POLLS_PER_CHECK_OVERSUBSCRIBED = 8;

  /** A look at a device costs a system call. */
  private static final long FABRIC_CHECK_NANOS = Duration.ofMillis(10).toNanos();

  private static final long CLOSE_GRACE_NANOS = Duration.ofSeconds(1).toNanos();

  private final Formation formation;
  private final Fabric fabric;
  private final GroupState state;
  private final EngineListener listener;
  private final NanoClock clock;
  private final IdleStrategy idle;
  private final int pollsPerCheck;
  private final long timeoutNanos;
  private final long slowNanos;

  private String operation;
  private long sequence;
  private int peer;
  private long deadlineNanos;
  private long waitingSinceNanos;
  private long fabricCheckedNanos;
  private long closeSeenNanos;
  private boolean closeSeen;
  private boolean departureSeen;
  private boolean slowReported;

  OperationRunner(
      Formation formation,
      Fabric fabric,
      GroupState state,
      EngineListener listener,
      NanoClock clock,
      IdleStrategy idle,
      boolean oversubscribed) {
    this.formation = formation;
    this.fabric = fabric;
    this.state = state;
    this.listener = listener;
    this.clock = clock;
    this.idle = idle;
    this.pollsPerCheck = pollsPerCheck(fabric, oversubscribed);
    this.timeoutNanos = formation.settings().operationTimeout().toNanos();
    this.slowNanos = formation.settings().slowPeerWarning().toNanos();
  }

  private static int pollsPerCheck(Fabric fabric, boolean oversubscribed) {
    if (!oversubscribed) {
      return POLLS_PER_CHECK;
    }
    return fabric.pollsTheKernel() ? 1 : POLLS_PER_CHECK_OVERSUBSCRIBED;
  }

  /**
   * Runs an operation.
   *
   * @param newSequence its number: among the collectives, or among the transfers with the peer
   * @param newPeer the only rank that it concerns, or {@link #ALL_RANKS}
   * @param newDeadlineNanos on this runner's clock, or {@link #FROM_NOW}
   */
  void run(
      Collective collective,
      String newOperation,
      long newSequence,
      int newPeer,
      long newDeadlineNanos) {
    operation = newOperation;
    sequence = newSequence;
    peer = newPeer;
    deadlineNanos = newDeadlineNanos;
    try {
      collective.start();
      if (!collective.isDone()) {
        await(collective);
      }
    } catch (FabricException e) {
      throw failed(e, GroupFailure.Kind.FABRIC, e.peer(), e.getMessage());
    } catch (MismatchException e) {
      throw failed(e, GroupFailure.Kind.OPERATION_MISMATCH, e.peer(), e.getMessage());
    } catch (JacclException e) {
      throw e;
    } catch (RuntimeException e) {
      // An arena that was closed under the operation, or a defect: the links are out of step now.
      throw failed(e, GroupFailure.Kind.INTERNAL, formation.rank(), "broke off with " + e);
    } catch (InternalError e) {
      // How the JVM reports a fault in mapped memory, for instance a file cut short.
      throw failed(
          e, GroupFailure.Kind.FABRIC, formation.rank(), "memory of the links is gone: " + e);
    } catch (Error e) {
      failed(e, GroupFailure.Kind.INTERNAL, formation.rank(), "broke off with " + e);
      throw e;
    }
  }

  private void await(Collective collective) {
    waitingSinceNanos = FROM_NOW;
    closeSeen = false;
    departureSeen = false;
    slowReported = false;
    int unproductive = 0;
    long idleSinceNanos = 0;
    do {
      if (fabric.poll(collective) > 0) {
        unproductive = 0;
        continue;
      }
      unproductive++;
      if (unproductive % pollsPerCheck != 0) {
        Thread.onSpinWait();
        continue;
      }
      long nowNanos = clock.nanoTime();
      if (unproductive == pollsPerCheck) {
        idleSinceNanos = nowNanos;
      }
      check(collective, nowNanos);
      idle.idle(nowNanos - idleSinceNanos);
    } while (!collective.isDone());
  }

  private void check(Collective collective, long nowNanos) {
    if (waitingSinceNanos == FROM_NOW) {
      waitingSinceNanos = nowNanos;
      fabricCheckedNanos = nowNanos;
      if (deadlineNanos == FROM_NOW) {
        deadlineNanos = nowNanos + timeoutNanos;
      }
    }
    state.turn();
    GroupFailure failure = state.failure();
    if (failure != null) {
      throw failure.toException(operation, sequence);
    }
    if (nowNanos - fabricCheckedNanos >= FABRIC_CHECK_NANOS) {
      fabricCheckedNanos = nowNanos;
      fabric.check();
      checkSideChannel();
    }
    checkDepartures();
    checkClose(nowNanos);
    long waitedNanos = nowNanos - waitingSinceNanos;
    if (nowNanos - deadlineNanos >= 0) {
      throw timedOut(collective, waitedNanos);
    }
    if (!slowReported && waitedNanos >= slowNanos) {
      slowReported = true;
      listener.onEvent(
          new GroupEvent.SlowPeer(operation, sequence, awaited(collective), waitedNanos));
    }
  }

  /** A rank of JACCL says nothing when it goes: its side channel is closed, that is all. */
  private void checkSideChannel() {
    formation
        .sideChannel()
        .loss()
        .ifPresent(
            loss -> {
              throw failed(null, GroupFailure.Kind.PEER_LOST, loss.rank(), loss.detail());
            });
  }

  private void checkDepartures() {
    if (peer == ALL_RANKS) {
      int left = state.leftBefore(sequence);
      if (left >= 0) {
        throw departed(left);
      }
    } else if (state.hasLeft(peer)) {
      // What it sent before it left is there already: one more round of polls takes it.
      if (departureSeen) {
        throw departed(peer);
      }
      departureSeen = true;
    }
  }

  private void checkClose(long nowNanos) {
    if (!state.isClosed()) {
      return;
    }
    if (!closeSeen) {
      closeSeen = true;
      closeSeenNanos = nowNanos;
    } else if (nowNanos - closeSeenNanos >= CLOSE_GRACE_NANOS) {
      throw state.closedException(operation + " #" + sequence);
    }
  }

  private JacclException departed(int rank) {
    return failed(
        null,
        GroupFailure.Kind.PEER_LOST,
        rank,
        member(rank) + " has left the group; join again for a new one");
  }

  private JacclException timedOut(Collective collective, long waitedNanos) {
    return failed(
        null,
        GroupFailure.Kind.OPERATION_TIMEOUT,
        collective.awaitedPeer(),
        "not complete at its deadline ("
            + formation.settings().operationTimeout().toMillis()
            + " ms after submission), after waiting "
            + Duration.ofNanos(waitedNanos).toMillis()
            + " ms for "
            + awaited(collective)
            + "; look whether that rank is blocked or calls another operation, or raise"
            + " jaccl4j.operation-timeout");
  }

  private String awaited(Collective collective) {
    int awaited = collective.awaitedPeer();
    String from = awaited < 0 ? "no particular rank" : member(awaited);
    return from + ": " + collective.awaiting();
  }

  private String member(int rank) {
    List<GroupMember> members = formation.members();
    return rank >= 0 && rank < members.size() ? members.get(rank).toString() : "rank " + rank;
  }

  private JacclException failed(
      Throwable cause, GroupFailure.Kind kind, int culprit, String detail) {
    String address =
        culprit >= 0 && culprit < formation.size()
            ? formation.members().get(culprit).address()
            : "";
    GroupFailure first =
        state.fail(
            new GroupFailure(
                kind,
                culprit,
                address,
                formation.rank(),
                operation + " #" + sequence + " on rank " + formation.rank() + ": " + detail));
    JacclException exception = first.toException(operation, sequence);
    if (cause != null) {
      exception.initCause(cause);
    }
    return exception;
  }
}
