package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A link between two of our own ranks: payload bytes only, the tag of the operation as immediate
 * data, and credits, so that no message ever meets a queue without a receive. An unreliable
 * connection would lose it there without a word, and a reliable one try again and again.
 *
 * <p>All receives are posted all the time. A rank may have {@link #DEPTH} messages under way that
 * its peer has not released. The peer tells what it has released in a message without immediate
 * data, one for every {@link #CREDIT_BATCH} releases:
 *
 * <pre>
 * 0    released   int64   messages released so far
 * 8    sent       int64   messages sent so far, to notice losses
 * </pre>
 *
 * <p>At most {@link #CREDIT_MESSAGES} of these can be unread: a further one needs as many messages
 * of the peer, which it can only send once it has read a credit. So {@link #RECEIVES} receives are
 * always enough.
 */
final class CreditLink extends VerbsLink {
  static final int CREDIT_BATCH = DEPTH / 2;
  static final int CREDIT_MESSAGES = DEPTH / CREDIT_BATCH;
  static final int RECEIVES = DEPTH + CREDIT_MESSAGES;
  static final int SENDS = DEPTH + CREDIT_MESSAGES;

  private static final ValueLayout.OfLong LONG = JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int CREDIT_BYTES = 16;
  private static final int CREDIT_STRIDE_BYTES = 64;

  private final VerbsMemory memory;
  private final MemorySegment slab;
  private final long controlOffset;
  private final ReceiveRequests receiveRequests;
  private final SendRequests sendRequests;

  // Receive requests, credits included. Slots are not used in turn: a message keeps its own until
  // it is released, a credit gives it back at once.
  private final int[] slotOfRequest = new int[RECEIVES];
  private long requested;
  private long received;

  // Messages.
  private final int[] arrivedSlots = new int[DEPTH];
  private final int[] arrivedBytes = new int[DEPTH];
  private final int[] arrivedImmediates = new int[DEPTH];
  private final long[] receiveWorkIds = new long[DEPTH];
  private final int[] receiveCapacities = new int[DEPTH];
  private long arrived;
  private long posted;
  private long delivered;
  private long released;
  private long credited;

  // Sends.
  private final long[] sendWorkIds = new long[DEPTH];
  private final long[] sendOffsets = new long[DEPTH];
  private final int[] sendBytes = new int[DEPTH];
  private final int[] sendImmediates = new int[DEPTH];
  private long sent;
  private long issued;
  private long completed;
  private long reported;
  private long peerReleased;

  // Send requests, credits included.
  private final boolean[] requestIsCredit = new boolean[SENDS];
  private long requestsSent;
  private long requestsCompleted;
  private long creditsSent;
  private long creditsCompleted;

  CreditLink(
      int index,
      int rank,
      Wire wire,
      VerbsDevice device,
      QueuePair queuePair,
      VerbsMemory memory,
      Arena arena) {
    super(index, rank, wire, device, queuePair, arena);
    this.memory = memory;
    this.slab = memory.segment();
    this.controlOffset = memory.controlOffset(index);
    this.receiveRequests =
        new ReceiveRequests(
            arena, RECEIVES, device.regions(), memory.receiveOffset(index, 0), memory.slotBytes());
    this.sendRequests = new SendRequests(arena, SENDS, device.regions());
  }

  @Override
  void start() {
    for (int slot = 0; slot < RECEIVES; slot++) {
      requestReceive(slot);
    }
  }

  @Override
  void settle() {
    peerReleased = issued;
    credited = released;
  }

  private void requestReceive(int slot) {
    slotOfRequest[(int) (requested % RECEIVES)] = slot;
    postReceive(receiveRequests.whole(slot, WorkId.of(WorkId.RECEIVE, index(), requested)));
    requested++;
  }

  @Override
  public void postReceive(long workId, int capacityBytes) {
    if (posted - released >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " receives posted", null);
    }
    int place = (int) posted & MASK;
    receiveWorkIds[place] = workId;
    receiveCapacities[place] = capacityBytes;
    posted++;
  }

  @Override
  public void postSend(long workId, long offset, int bytes, int immediate) {
    if (sent - reported >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " sends posted", null);
    }
    int place = (int) sent & MASK;
    sendWorkIds[place] = workId;
    sendOffsets[place] = offset;
    sendBytes[place] = bytes;
    sendImmediates[place] = immediate;
    sent++;
    issue();
  }

  /** Sends what credits allow. */
  private void issue() {
    while (issued < sent && issued < peerReleased + DEPTH) {
      int place = (int) issued & MASK;
      int request = nextRequest(false);
      postSend(
          sendRequests.withImmediate(
              request,
              WorkId.of(WorkId.SEND, index(), requestsSent++),
              sendOffsets[place],
              sendBytes[place],
              sendImmediates[place]));
      issued++;
    }
  }

  private int nextRequest(boolean credit) {
    int request = (int) (requestsSent % SENDS);
    requestIsCredit[request] = credit;
    return request;
  }

  @Override
  public void release() {
    if (released >= delivered) {
      throw new FabricException(peer(), "released a message that was not delivered", null);
    }
    requestReceive(arrivedSlots[(int) released & MASK]);
    released++;
    credit();
  }

  /** Tells the peer what was released, unless it is too little or too much is under way. */
  private void credit() {
    if (released - credited < CREDIT_BATCH || creditsSent - creditsCompleted >= CREDIT_MESSAGES) {
      return;
    }
    long offset = controlOffset + (creditsSent % CREDIT_MESSAGES) * CREDIT_STRIDE_BYTES;
    slab.set(LONG, offset, released);
    slab.set(LONG, offset + Long.BYTES, issued);
    int request = nextRequest(true);
    postSend(
        sendRequests.plain(
            request, WorkId.of(WorkId.SEND, index(), requestsSent++), offset, CREDIT_BYTES));
    creditsSent++;
    credited = released;
  }

  @Override
  void onReceived(long workId, int bytes, boolean hasImmediate, int immediate) {
    if (received == requested || !WorkId.hasNumber(workId, received)) {
      throw unexpected(workId, received == requested ? "none" : "receive " + received);
    }
    int slot = slotOfRequest[(int) (received % RECEIVES)];
    received++;
    if (hasImmediate) {
      onMessage(slot, bytes, immediate);
    } else {
      onCredit(slot, bytes);
    }
  }

  private void onMessage(int slot, int bytes, int immediate) {
    if (arrived - released >= DEPTH) {
      throw new FabricException(
          peer(), describe() + ": the peer sent more than it had credits for", null);
    }
    int place = (int) arrived & MASK;
    arrivedSlots[place] = slot;
    arrivedBytes[place] = bytes;
    arrivedImmediates[place] = immediate;
    arrived++;
  }

  private void onCredit(int slot, int bytes) {
    if (bytes != CREDIT_BYTES) {
      throw new FabricException(
          peer(), describe() + ": credit of " + bytes + " bytes, want " + CREDIT_BYTES, null);
    }
    long offset = memory.receiveOffset(index(), slot);
    long nowReleased = slab.get(LONG, offset);
    long peerSent = slab.get(LONG, offset + Long.BYTES);
    requestReceive(slot);
    if (peerSent != arrived) {
      throw new FabricException(
          peer(),
          describe()
              + ": "
              + (peerSent - arrived)
              + " messages of rank "
              + peer()
              + " were lost on the way; set jaccl4j.verbs.queue-pair = rc on all ranks, or find out"
              + " what loses packets",
          null);
    }
    if (nowReleased < peerReleased || nowReleased > issued) {
      throw new FabricException(
          peer(),
          describe()
              + ": the peer says that it has released "
              + nowReleased
              + " messages, want "
              + peerReleased
              + " to "
              + issued,
          null);
    }
    peerReleased = nowReleased;
    issue();
  }

  @Override
  void onSent(long workId) {
    if (requestsCompleted == requestsSent || !WorkId.hasNumber(workId, requestsCompleted)) {
      throw unexpected(
          workId, requestsCompleted == requestsSent ? "none" : "send " + requestsCompleted);
    }
    boolean credit = requestIsCredit[(int) (requestsCompleted % SENDS)];
    requestsCompleted++;
    if (credit) {
      creditsCompleted++;
      credit();
    } else {
      completed++;
    }
  }

  @Override
  int deliver(CompletionHandler handler) {
    int found = 0;
    while (reported < completed) {
      found++;
      handler.onSendComplete(this, sendWorkIds[(int) reported++ & MASK]);
    }
    while (delivered < posted && delivered < arrived) {
      int place = (int) delivered & MASK;
      int bytes = arrivedBytes[place];
      if (bytes > receiveCapacities[place]) {
        throw new FabricException(
            peer(),
            "message of " + bytes + " bytes for a receive of " + receiveCapacities[place],
            null);
      }
      delivered++;
      found++;
      handler.onReceive(
          this,
          receiveWorkIds[place],
          slab,
          memory.receiveOffset(index(), arrivedSlots[place]),
          bytes,
          arrivedImmediates[place]);
    }
    return found;
  }

  @Override
  boolean holdsSends() {
    return issued < sent;
  }

  @Override
  boolean isFlushed() {
    return completed == sent && creditsCompleted == creditsSent;
  }
}
