package io.jaccl4j.ring;

import io.jaccl4j.GroupFailure;
import io.jaccl4j.JacclException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Runs one operation to its end: moves bytes, waits, and gives up when the ring is closed or has
 * failed, a neighbour that the operation needs is gone, or the deadline passes. Ring's thread only.
 */
final class OperationRunner {
  /** Deadline of an operation that begins now and has not waited in a queue. */
  static final long FROM_NOW = Long.MIN_VALUE;

  /** Rounds that move bytes between two looks at the clock and at what other threads want. */
  private static final int ROUNDS_PER_CHECK = 64;

  /** Bounds a sleep, because the injected clock may run differently from the selector's. */
  private static final long LONGEST_SLEEP_NANOS = Duration.ofMillis(50).toNanos();

  private final RingHosts hosts;
  private final int rank;
  private final RingOptions options;
  private final RingState state;
  private final Sockets sockets;
  private final Relay relay;
  private final LongSupplier clock;

  /**
   * @param relay what is passed on for others meanwhile, or null
   */
  OperationRunner(
      RingHosts hosts,
      int rank,
      RingOptions options,
      RingState state,
      Sockets sockets,
      Relay relay) {
    this.hosts = hosts;
    this.rank = rank;
    this.options = options;
    this.state = state;
    this.sockets = sockets;
    this.relay = relay;
    this.clock = options.nanoClock();
  }

  /** Refuses an operation that must not begin. */
  void checkOpen(String label) {
    JacclException refusal = state.refusal(label);
    if (refusal != null) {
      throw refusal;
    }
    Connection lost = sockets.lost();
    if (lost != null) {
      throw lost(label, lost.lost());
    }
  }

  /**
   * Runs an operation.
   *
   * @param label name and number, for errors
   * @param deadlineNanos on the ring's clock, or {@link #FROM_NOW}
   */
  void run(Activity activity, String label, long deadlineNanos) {
    try {
      await(activity, label, deadlineNanos);
    } catch (ConnectionLostException e) {
      throw lost(label, e);
    } catch (MismatchException e) {
      throw failed(
          label, GroupFailure.Kind.OPERATION_MISMATCH, e.peer(), address(e.peer()), e.getMessage());
    } catch (JacclException e) {
      throw e;
    } catch (RuntimeException e) {
      // An arena that was closed under the operation, or a defect: the streams are out of step now.
      throw broken(label, e);
    } catch (InternalError e) {
      // How the JVM reports a fault in mapped memory, for instance a file cut short.
      throw broken(label, e);
    } catch (Error e) {
      broken(label, e);
      throw e;
    }
  }

  private void await(Activity activity, String label, long deadlineNanos) {
    long startNanos = clock.getAsLong();
    long untilNanos =
        deadlineNanos == FROM_NOW
            ? startNanos + options.operationTimeout().toNanos()
            : deadlineNanos;
    long idleSinceNanos = startNanos;
    boolean idle = false;
    int rounds = 0;
    while (!activity.isDone()) {
      boolean moved = advance(activity) > 0;
      idle &= !moved;
      if (moved && ++rounds % ROUNDS_PER_CHECK != 0) {
        continue;
      }
      if (activity.isDone()) {
        return;
      }
      long nowNanos = clock.getAsLong();
      check(activity, label, nowNanos, startNanos, untilNanos);
      if (moved) {
        continue;
      }
      if (!idle) {
        idle = true;
        idleSinceNanos = nowNanos;
      }
      if (nowNanos - idleSinceNanos < options.spin().toNanos()) {
        Thread.yield();
      } else {
        sleep(activity, untilNanos - nowNanos);
      }
    }
  }

  private long advance(Activity activity) {
    return activity.advance() + (relay == null ? 0 : relay.advance());
  }

  private void sleep(Activity activity, long leftNanos) {
    sockets.aboutToSleep();
    if (state.isOver()) {
      sockets.stayAwake();
      return;
    }
    long nanos = Math.min(leftNanos, LONGEST_SLEEP_NANOS);
    sockets.sleep(activity, relay, Duration.ofNanos(nanos).toMillis());
  }

  private void check(
      Activity activity, String label, long nowNanos, long startNanos, long untilNanos) {
    JacclException refusal = state.refusal(label);
    if (refusal != null) {
      throw refusal;
    }
    Connection lost = sockets.lost(activity);
    if (lost != null) {
      throw lost.lost();
    }
    if (nowNanos - untilNanos >= 0) {
      int peer = activity.awaitedPeer();
      throw failed(
          label,
          GroupFailure.Kind.OPERATION_TIMEOUT,
          peer,
          address(peer),
          "not complete at its deadline ("
              + options.operationTimeout().toMillis()
              + " ms after submission), after waiting "
              + Duration.ofNanos(nowNanos - startNanos).toMillis()
              + " ms: "
              + activity.awaiting()
              + "; look whether that rank is blocked or calls another operation, or allow more"
              + " time");
    }
  }

  private JacclException lost(String label, ConnectionLostException e) {
    Connection connection = e.connection();
    JacclException exception =
        failed(
            label,
            GroupFailure.Kind.PEER_LOST,
            connection.peer(),
            connection.address(),
            e.getMessage());
    exception.initCause(e);
    return exception;
  }

  private JacclException broken(String label, Throwable cause) {
    JacclException exception =
        failed(
            label,
            GroupFailure.Kind.INTERNAL,
            rank,
            address(rank),
            "broke off with " + cause + "; form a new ring");
    exception.initCause(cause);
    return exception;
  }

  private JacclException failed(
      String label, GroupFailure.Kind kind, int culprit, String address, String detail) {
    GroupFailure first =
        state.fail(
            new GroupFailure(
                kind, culprit, address, rank, label + " on rank " + rank + ": " + detail));
    return first.toException(label);
  }

  private String address(int of) {
    return of < 0 ? "" : RingHosts.text(hosts.address(of, 0));
  }
}
