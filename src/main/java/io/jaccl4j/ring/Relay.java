package io.jaccl4j.ring;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Transfers between ranks that are not neighbours, passed on by the ranks between them along the
 * shorter way around the ring, whatever these are doing.
 *
 * <p>A receiver says how many bytes it expects, and only then the sender sends them, so that no
 * data arrives for which there is no place. It is at most {@link #WINDOW_BYTES} ahead of what the
 * receiver has confirmed. A rank takes part in one transfer at a time, so what a rank between has
 * to keep is at most that much from each rank, and it never has to stop reading: the ring cannot
 * block itself. Ring's thread only.
 */
final class Relay {
  static final long WINDOW_BYTES = 512 << 10;

  /** Own frames in a queue: the rest waits in the sender's memory. */
  private static final int MOST_QUEUED_FRAMES = 8;

  private final int rank;
  private final RingHosts hosts;
  private final RelayLink left;
  private final RelayLink right;
  private final Deque<RelayFrame> unused = new ArrayDeque<>();
  private final Deque<Long>[] ready;
  private Send sending;
  private Receive receiving;

  @SuppressWarnings({"unchecked", "rawtypes"})
  Relay(int rank, RingHosts hosts, Neighbours neighbours) {
    this.rank = rank;
    this.hosts = hosts;
    this.left = new RelayLink(neighbours.relays().getFirst(), hosts.size(), unused);
    this.right = new RelayLink(neighbours.relays().getLast(), hosts.size(), unused);
    this.ready = new Deque[hosts.size()];
    for (int i = 0; i < ready.length; i++) {
      ready[i] = new ArrayDeque<>();
    }
  }

  /** A transfer to another rank, complete when that rank has it. */
  Activity send(MemorySegment data, int peer) {
    sending = new Send(data, peer);
    return sending;
  }

  /** A transfer from another rank. */
  Activity receive(MemorySegment data, int peer) {
    receiving = new Receive(data, peer);
    toward(peer).send(frame().set(RelayFrame.Kind.READY, rank, peer, data.byteSize()));
    return receiving;
  }

  /** Moves on what can be moved without waiting; how many bytes that was. */
  long advance() {
    return take(left, right) + take(right, left) + left.flush() + right.flush();
  }

  int interest(Connection connection) {
    RelayLink link = connection == left.connection() ? left : right;
    if (connection != link.connection() || connection.isLost()) {
      return 0;
    }
    return SelectionKey.OP_READ | (link.hasOutgoing() ? SelectionKey.OP_WRITE : 0);
  }

  private long take(RelayLink from, RelayLink onwards) {
    long bytes = 0;
    for (RelayFrame frame = from.receive(); frame != null; frame = from.receive()) {
      bytes += frame.bytes().limit();
      if (frame.destination() != rank) {
        onwards.send(frame.rewind());
        continue;
      }
      switch (frame.kind()) {
        case READY -> ready[frame.source()].add(frame.value());
        case DATA -> onData(frame);
        case CREDIT -> onCredit(frame);
      }
      unused.add(frame);
    }
    return bytes;
  }

  private void onData(RelayFrame frame) {
    if (receiving == null || receiving.peer != frame.source()) {
      throw new MismatchException(
          frame.source(), "data arrived from rank " + frame.source() + ", which nobody receives");
    }
    receiving.store(frame.payload());
  }

  private void onCredit(RelayFrame frame) {
    if (sending != null && sending.peer == frame.source()) {
      sending.confirmedBytes = frame.value();
    }
  }

  private RelayFrame frame() {
    RelayFrame frame = unused.poll();
    return frame == null ? new RelayFrame() : frame;
  }

  private RelayLink toward(int peer) {
    int upwards = Math.floorMod(peer - rank, hosts.size());
    return 2 * upwards <= hosts.size() ? right : left;
  }

  private final class Send implements Activity {
    private final ByteWindows data;
    private final long totalBytes;
    private final int peer;
    private boolean isExpected;
    private long queuedBytes;
    private long confirmedBytes;

    Send(MemorySegment data, int peer) {
      this.data = new ByteWindows(data);
      this.totalBytes = data.byteSize();
      this.peer = peer;
    }

    @Override
    public long advance() {
      if (!isExpected) {
        Long expectedBytes = ready[peer].poll();
        if (expectedBytes == null) {
          return 0;
        }
        if (expectedBytes != totalBytes) {
          throw new MismatchException(
              peer,
              hosts.describe(peer)
                  + " receives "
                  + expectedBytes
                  + " bytes, want the "
                  + totalBytes
                  + " that are sent; make both ends agree");
        }
        isExpected = true;
      }
      long bytes = 0;
      while (mayQueue()) {
        long most = Math.min(totalBytes - queuedBytes, RelayFrame.MOST_PAYLOAD_BYTES);
        ByteBuffer payload = data.at(queuedBytes, most);
        int taken = payload.remaining();
        toward(peer).send(frame().setData(rank, peer, payload));
        queuedBytes += taken;
        bytes += taken;
      }
      return bytes;
    }

    private boolean mayQueue() {
      return queuedBytes < totalBytes
          && queuedBytes - confirmedBytes + RelayFrame.MOST_PAYLOAD_BYTES <= WINDOW_BYTES
          && toward(peer).outgoingFrames() < MOST_QUEUED_FRAMES;
    }

    @Override
    public boolean isDone() {
      return isExpected && confirmedBytes == totalBytes;
    }

    @Override
    public int interest(Connection connection) {
      return 0;
    }

    @Override
    public boolean needs(Connection connection) {
      return connection == left.connection() || connection == right.connection();
    }

    @Override
    public int awaitedPeer() {
      return peer;
    }

    @Override
    public String awaiting() {
      return isExpected
          ? hosts.describe(peer) + " has " + confirmedBytes + " of " + totalBytes + " bytes"
          : hosts.describe(peer) + " has not called recv from rank " + rank;
    }
  }

  private final class Receive implements Activity {
    private final ByteWindows data;
    private final long totalBytes;
    private final int peer;
    private long receivedBytes;
    private long confirmedBytes;

    Receive(MemorySegment data, int peer) {
      this.data = new ByteWindows(data);
      this.totalBytes = data.byteSize();
      this.peer = peer;
    }

    void store(ByteBuffer payload) {
      if (payload.remaining() > totalBytes - receivedBytes) {
        throw new MismatchException(
            peer, hosts.describe(peer) + " sends more than the " + totalBytes + " bytes expected");
      }
      while (payload.hasRemaining()) {
        ByteBuffer target = data.at(receivedBytes, payload.remaining());
        int bytes = target.remaining();
        target.put(target.position(), payload, payload.position(), bytes);
        payload.position(payload.position() + bytes);
        receivedBytes += bytes;
      }
      if (receivedBytes == totalBytes || receivedBytes - confirmedBytes >= WINDOW_BYTES / 2) {
        confirmedBytes = receivedBytes;
        toward(peer).send(frame().set(RelayFrame.Kind.CREDIT, rank, peer, receivedBytes));
      }
    }

    @Override
    public long advance() {
      return 0;
    }

    /** Not before the last confirmation is with the kernel: this rank may close right after. */
    @Override
    public boolean isDone() {
      return receivedBytes == totalBytes && !toward(peer).hasOutgoing();
    }

    @Override
    public int interest(Connection connection) {
      return 0;
    }

    @Override
    public boolean needs(Connection connection) {
      return connection == left.connection() || connection == right.connection();
    }

    @Override
    public int awaitedPeer() {
      return peer;
    }

    @Override
    public String awaiting() {
      return "received "
          + receivedBytes
          + " of "
          + totalBytes
          + " bytes from "
          + hosts.describe(peer)
          + " through the ranks between";
    }
  }
}
