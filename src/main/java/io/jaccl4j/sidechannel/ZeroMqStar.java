package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import org.zeromq.ZMsg;
import zmq.ZError;

/** The sockets of {@link ZeroMqSideChannel}; the only class that knows JeroMQ. */
final class ZeroMqStar implements UniformAllGather {
  private static final String CHANNEL = "ZeroMQ star";

  /** How long a closing rank 0 stays for its last replies to leave. */
  private static final int LINGER_MILLIS = 1000;

  /**
   * JeroMQ 0.6.0 sometimes misses an event while a connection is greeted, and then waits for the
   * next one, whichever that is. A second connection, over which nothing is sent, makes one at both
   * ends.
   */
  private static final long NUDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int HEADER_BYTES = Integer.BYTES;

  private final Complaints complaints;
  private final Deadline deadline;
  private final ZContext context;
  private final ZMQ.Socket socket;
  private final String endpoint;
  private final ReentrantLock calls = new ReentrantLock();
  private volatile boolean closed;

  // Guarded by calls.
  private int rounds;
  private FormationException ended;
  private boolean released;
  private boolean greeted;
  private ZMQ.Socket nudge;
  private long nudgedNanos;

  private ZeroMqStar(
      Complaints complaints,
      Deadline deadline,
      ZContext context,
      ZMQ.Socket socket,
      String endpoint) {
    this.complaints = complaints;
    this.deadline = deadline;
    this.context = context;
    this.socket = socket;
    this.endpoint = endpoint;
  }

  static ZeroMqStar open(InetSocketAddress address, int rank, int size, Deadline deadline) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new FormationException(
          Reason.RANK_CONFLICT,
          "ZeroMQ star: rank is %d of %d, want 0 to %d".formatted(rank, size, size - 1));
    }
    Complaints complaints = new Complaints(CHANNEL, rank, size);
    String endpoint = "tcp://" + SocketText.of(address);
    ZContext context = new ZContext();
    try {
      ZMQ.Socket socket = context.createSocket(rank == 0 ? SocketType.ROUTER : SocketType.REQ);
      socket.setIPv6(true);
      socket.setLinger(rank == 0 ? LINGER_MILLIS : 0);
      if (rank == 0) {
        bind(socket, endpoint, complaints);
      } else {
        socket.connect(endpoint);
      }
      return new ZeroMqStar(complaints, deadline, context, socket, endpoint);
    } catch (ZMQException | IllegalArgumentException e) {
      context.close();
      throw complaints.of(Reason.FABRIC, "open", endpoint + ": " + e.getMessage(), e);
    } catch (FormationException e) {
      context.close();
      throw e;
    }
  }

  private static void bind(ZMQ.Socket socket, String endpoint, Complaints complaints) {
    try {
      socket.bind(endpoint);
    } catch (ZMQException e) {
      throw complaints.of(
          Reason.FABRIC,
          "bind",
          e.getErrorCode() == ZError.EADDRINUSE
              ? endpoint + " is in use by another program, perhaps another group; take another port"
              : endpoint + ": " + e.getMessage() + "; it must be an address of rank 0",
          e);
    }
  }

  @Override
  public int rank() {
    return complaints.rank();
  }

  @Override
  public int size() {
    return complaints.size();
  }

  @Override
  public byte[] gather(byte[] contribution, long timeoutNanos) {
    calls.lock();
    try {
      if (ended != null) {
        throw Complaints.again(ended);
      }
      String phase = "gather %d of %d bytes".formatted(rounds++, contribution.length);
      byte[] all = new byte[Math.multiplyExact(size(), contribution.length)];
      System.arraycopy(contribution, 0, all, rank() * contribution.length, contribution.length);
      Deadline round = deadline.within(timeoutNanos);
      if (rank() == 0) {
        serve(all, contribution.length, phase, round);
        return all;
      }
      return ask(contribution, all.length, phase, round);
    } catch (FormationException e) {
      if (ended == null) {
        ended = e;
        release();
      }
      throw e;
    } finally {
      calls.unlock();
    }
  }

  private void serve(byte[] all, int bytes, String phase, Deadline round) {
    byte[][] identities = new byte[size()][];
    List<Integer> missing = new ArrayList<>();
    for (int rank = 1; rank < size(); rank++) {
      missing.add(rank);
    }
    while (!missing.isEmpty()) {
      if (!arrives(phase, round)) {
        throw complaints.of(
            Reason.TIMEOUT,
            phase,
            "ranks %s sent nothing to %s within %s; see the log there"
                .formatted(missing, endpoint, round.elapsedText()));
      }
      ZMsg message = ZMsg.recvMsg(socket, ZMQ.DONTWAIT);
      if (message != null) {
        accept(message, identities, all, bytes, phase);
        missing.removeIf(rank -> identities[rank] != null);
      }
    }
    for (int rank = 1; rank < size(); rank++) {
      socket.sendMore(identities[rank]);
      socket.sendMore(new byte[0]);
      socket.send(all);
    }
  }

  /** One request. Whatever has not the form of one is of a stranger, and left unanswered. */
  private void accept(ZMsg message, byte[][] identities, byte[] all, int bytes, String phase) {
    byte[] identity = message.pop().getData();
    if (message.size() != 2 || message.pop().size() != 0) {
      return;
    }
    byte[] request = message.pop().getData();
    if (request.length < HEADER_BYTES) {
      return;
    }
    int rank = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (rank < 1 || rank >= size()) {
      throw complaints.of(
          Reason.RANK_CONFLICT,
          phase,
          "somebody said to be rank %d, want 1 to %d".formatted(rank, size() - 1));
    }
    if (identities[rank] != null) {
      throw complaints.of(Reason.RANK_CONFLICT, phase, "two processes say to be rank " + rank);
    }
    if (request.length - HEADER_BYTES != bytes) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          "rank %d sent %d bytes, want %d: do all ranks run the same program and topology?"
              .formatted(rank, request.length - HEADER_BYTES, bytes));
    }
    System.arraycopy(request, HEADER_BYTES, all, rank * bytes, bytes);
    identities[rank] = identity;
  }

  private byte[] ask(byte[] contribution, int allBytes, String phase, Deadline round) {
    socket.send(
        ByteBuffer.allocate(HEADER_BYTES + contribution.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(rank())
            .put(contribution)
            .array());
    byte[] all = null;
    while (all == null) {
      if (!arrives(phase, round)) {
        throw complaints.of(
            Reason.TIMEOUT,
            phase,
            "rank 0 at %s did not answer within %s; a rank may be missing, see the log there"
                .formatted(endpoint, round.elapsedText()));
      }
      all = socket.recv(ZMQ.DONTWAIT);
    }
    if (!greeted) {
      greeted = true;
      endNudge();
    }
    int own = rank() * contribution.length;
    if (all.length != allBytes
        || !Arrays.equals(
            contribution, 0, contribution.length, all, own, own + contribution.length)) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          ("rank 0 at %s answered %d bytes, want %d with this rank's own in their place: do all"
                  + " ranks run the same program and topology?")
              .formatted(endpoint, all.length, allBytes));
    }
    return all;
  }

  /** Waits for a message; false at the deadline. */
  private boolean arrives(String phase, Deadline round) {
    try (ZMQ.Poller poller = context.createPoller(1)) {
      poller.register(socket, ZMQ.Poller.POLLIN);
      while (true) {
        throwIfClosed(phase);
        if (poller.poll(round.waitMillis()) > 0) {
          return true;
        }
        if (Thread.currentThread().isInterrupted()) {
          throw complaints.interrupted(phase, null);
        }
        if (round.isPast()) {
          return false;
        }
        nudgeIfNotGreeted();
      }
    } catch (ZMQException e) {
      throw complaints.of(Reason.FABRIC, phase, e.toString(), e);
    }
  }

  private void nudgeIfNotGreeted() {
    if (rank() == 0 || greeted || deadline.elapsedNanos() - nudgedNanos < NUDGE_NANOS) {
      return;
    }
    nudgedNanos = deadline.elapsedNanos();
    endNudge();
    nudge = context.createSocket(SocketType.DEALER);
    nudge.setIPv6(true);
    nudge.setLinger(0);
    nudge.connect(endpoint);
  }

  private void endNudge() {
    if (nudge != null) {
      nudge.close();
      nudge = null;
    }
  }

  private void throwIfClosed(String phase) {
    if (closed) {
      throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank");
    }
  }

  @Override
  public void close() {
    closed = true;
    calls.lock();
    try {
      if (ended == null) {
        ended = complaints.of(Reason.STOPPED, "gather", "the channel was closed on this rank");
      }
      release();
    } finally {
      calls.unlock();
    }
  }

  private void release() {
    if (!released) {
      released = true;
      context.close();
    }
  }
}
