package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.LinkCounters;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.Arena;

/**
 * One wire to a peer over one or several sockets: message {@code n} travels on socket {@code n mod
 * sockets}, so that both ends know where it is without a word, and completions stay in order.
 *
 * <p>A send is complete when the kernel has taken all its bytes. A sender that is ahead of its peer
 * is held by the kernel's buffers and, beyond these, by its sends not completing.
 */
final class TcpLink implements Link {
  static final int DEPTH = 8;
  private static final int MASK = DEPTH - 1;
  private static final int NOTHING_EXPECTED = -1;

  private final int wire;
  private final GroupMember peer;
  private final TcpMemory memory;
  private final Connection[] connections;
  private final Outbox[] outboxes;
  private final Inbox[] inboxes;

  private final long[] sendWorkIds = new long[DEPTH];
  private long sent;
  private long completed;

  /** A stack: the slot that was used last is the one that the caches still hold. */
  private final long[] freeSlots = new long[DEPTH];

  private final long[] slotOffsets = new long[DEPTH];
  private final long[] receiveWorkIds = new long[DEPTH];
  private final int[] receiveCapacities = new int[DEPTH];
  private final long[] expectedOffsets = new long[DEPTH];
  private final int[] expectedBytes = new int[DEPTH];
  private final int[] expectedImmediates = new int[DEPTH];
  private final boolean[] arrived = new boolean[DEPTH];
  private final long[] arrivedOffsets = new long[DEPTH];
  private final int[] arrivedBytes = new int[DEPTH];
  private final int[] arrivedImmediates = new int[DEPTH];
  private long posted;
  private long delivered;
  private long released;

  /**
   * A link.
   *
   * @param index of this link among those of its rank
   */
  TcpLink(
      int index,
      Wire wire,
      GroupMember peer,
      Connection[] connections,
      TcpMemory memory,
      Arena arena) {
    this.wire = wire.number();
    this.peer = peer;
    this.memory = memory;
    this.connections = connections.clone();
    this.outboxes = new Outbox[connections.length];
    this.inboxes = new Inbox[connections.length];
    for (int socket = 0; socket < connections.length; socket++) {
      outboxes[socket] = new Outbox(connections[socket], memory, arena);
      inboxes[socket] = new Inbox(connections[socket], socket, connections.length, memory, arena);
    }
    for (int slot = 0; slot < DEPTH; slot++) {
      freeSlots[slot] = memory.receiveOffset(index, slot);
    }
  }

  @Override
  public int peer() {
    return peer.rank();
  }

  @Override
  public int wire() {
    return wire;
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  @Override
  public void postReceive(long workId, int capacityBytes) {
    postReceive(workId, capacityBytes, 0, NOTHING_EXPECTED, 0);
  }

  @Override
  public void postReceive(long workId, int capacityBytes, long offset, int bytes, int immediate) {
    if (posted - released >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " receives posted", null);
    }
    int place = (int) posted & MASK;
    receiveWorkIds[place] = workId;
    receiveCapacities[place] = capacityBytes;
    expectedOffsets[place] = offset;
    expectedBytes[place] = bytes;
    expectedImmediates[place] = immediate;
    slotOffsets[place] = freeSlots[DEPTH - 1 - (int) (posted - released)];
    arrived[place] = false;
    posted++;
  }

  @Override
  public void postSend(long workId, long offset, int bytes, int immediate) {
    if (sent - completed >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " sends posted", null);
    }
    sendWorkIds[(int) sent & MASK] = workId;
    int socket = (int) (sent % outboxes.length);
    sent++;
    outboxes[socket].post(offset, bytes, immediate);
    flush(socket);
  }

  private void flush(int socket) {
    try {
      outboxes[socket].flush();
    } catch (FabricException e) {
      if (!inboxes[socket].findFarewell()) {
        throw e;
      }
      // The peer has left in good order and reads no more: see needsDeparted.
      outboxes[socket].abandon();
    }
  }

  @Override
  public void release() {
    if (released >= delivered) {
      throw new FabricException(peer(), "released a message that was not delivered", null);
    }
    freeSlots[DEPTH - (int) (posted - released)] = slotOffsets[(int) released & MASK];
    released++;
  }

  /** Moves bytes both ways and delivers completions; returns how many. */
  int poll(CompletionHandler handler) {
    int found = 0;
    sendOn();
    while (completed < sent && headIsTaken()) {
      int place = (int) completed & MASK;
      completed++;
      found++;
      handler.onSendComplete(this, sendWorkIds[place]);
    }
    if (delivered < posted) {
      for (Inbox inbox : inboxes) {
        receive(inbox);
      }
    }
    while (delivered < posted && arrived[(int) delivered & MASK]) {
      int place = (int) delivered & MASK;
      delivered++;
      found++;
      handler.onReceive(
          this,
          receiveWorkIds[place],
          memory.segment(),
          arrivedOffsets[place],
          arrivedBytes[place],
          arrivedImmediates[place]);
    }
    return found;
  }

  /** Moves bytes out; returns whether some are left that the kernel does not take yet. */
  boolean sendOn() {
    boolean left = false;
    for (int socket = 0; socket < outboxes.length; socket++) {
      Outbox outbox = outboxes[socket];
      if (!outbox.isEmpty() && !outbox.isAbandoned()) {
        flush(socket);
        left |= !outbox.isEmpty() && !outbox.isAbandoned();
      }
    }
    return left;
  }

  /** Whether bytes on this socket would be taken now. */
  boolean awaitsBytes(int socket) {
    return inboxes[socket].number() < posted && !inboxes[socket].isDeparted();
  }

  /** Whether bytes for this socket wait for room in the kernel. */
  boolean hasUnsentBytes(int socket) {
    return !outboxes[socket].isEmpty() && !outboxes[socket].isAbandoned();
  }

  private boolean headIsTaken() {
    int sockets = outboxes.length;
    return outboxes[(int) (completed % sockets)].taken() > completed / sockets;
  }

  private void receive(Inbox inbox) {
    inbox.wake();
    while (inbox.number() < posted && !inbox.isDeparted()) {
      int place = (int) inbox.number() & MASK;
      if (!inbox.read(
          slotOffsets[place],
          receiveCapacities[place],
          expectedOffsets[place],
          expectedBytes[place],
          expectedImmediates[place])) {
        return;
      }
      arrivedOffsets[place] = inbox.offset();
      arrivedBytes[place] = inbox.bytes();
      arrivedImmediates[place] = inbox.immediate();
      arrived[place] = true;
      inbox.next();
    }
  }

  /** Whether this rank awaits something of a peer that has left in good order. */
  boolean needsDeparted() {
    for (int socket = 0; socket < inboxes.length; socket++) {
      if (inboxes[socket].isDeparted()
          && (inboxes[socket].number() < posted || !outboxes[socket].isEmpty())) {
        return true;
      }
    }
    return false;
  }

  FabricException departed() {
    return new FabricException(
        peer(),
        peer
            + " has closed its end of wire "
            + wire
            + " in good order, but this rank awaits message "
            + delivered
            + " of it or has "
            + (sent - completed)
            + " for it; it has left the group: join again for a new one",
        null);
  }

  /** Bytes moved on all sockets so far. */
  long bytesMoved() {
    long bytes = 0;
    for (Connection connection : connections) {
      bytes += connection.bytesMoved();
    }
    return bytes;
  }

  @Override
  public LinkCounters counters() {
    return new LinkCounters(wire, sent, completed, posted, delivered, released);
  }

  int sockets() {
    return connections.length;
  }

  Connection connection(int socket) {
    return connections[socket];
  }

  Outbox outbox(int socket) {
    return outboxes[socket];
  }
}
