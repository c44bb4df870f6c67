package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.Arena;

/**
 * A link that speaks JACCL's wire: whole buffers without header or immediate data, one receive for
 * each message that is awaited. A sender that is ahead of its peer is held by the provider: by the
 * credits of Apple's, by the retries of a reliable connection elsewhere.
 */
final class WholeBufferLink extends VerbsLink {
  static final int RECEIVES = DEPTH;
  static final int SENDS = DEPTH;

  private final VerbsMemory memory;
  private final ReceiveRequests receiveRequests;
  private final SendRequests sendRequests;

  private final long[] receiveWorkIds = new long[DEPTH];
  private final int[] receiveBytes = new int[DEPTH];
  private long posted;
  private long arrived;
  private long delivered;
  private long released;

  private final long[] sendWorkIds = new long[DEPTH];
  private long sent;
  private long completed;
  private long reported;

  WholeBufferLink(
      int index,
      int rank,
      Wire wire,
      VerbsDevice device,
      QueuePair queuePair,
      VerbsMemory memory,
      Arena arena) {
    super(index, rank, wire, device, queuePair, arena);
    this.memory = memory;
    this.receiveRequests =
        new ReceiveRequests(
            arena, RECEIVES, device.regions(), memory.receiveOffset(index, 0), memory.slotBytes());
    this.sendRequests = new SendRequests(arena, SENDS, device.regions());
  }

  @Override
  void start() {}

  /** There are no credits. */
  @Override
  void settle() {}

  @Override
  public void postReceive(long workId, int capacityBytes) {
    if (posted - released >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " receives posted", null);
    }
    int slot = (int) posted & MASK;
    receiveWorkIds[slot] = workId;
    receiveBytes[slot] = capacityBytes;
    // A receive that is longer than the message fails on Apple's provider: it counts in frames.
    postReceive(
        receiveRequests.of(slot, WorkId.of(WorkId.RECEIVE, index(), posted), capacityBytes));
    posted++;
  }

  @Override
  public void postSend(long workId, long offset, int bytes, int immediate) {
    if (sent - reported >= DEPTH) {
      throw new FabricException(peer(), "more than " + DEPTH + " sends posted", null);
    }
    int place = (int) sent & MASK;
    sendWorkIds[place] = workId;
    postSend(sendRequests.plain(place, WorkId.of(WorkId.SEND, index(), sent), offset, bytes));
    sent++;
  }

  @Override
  public void release() {
    if (released >= delivered) {
      throw new FabricException(peer(), "released a message that was not delivered", null);
    }
    released++;
  }

  @Override
  void onReceived(long workId, int bytes, boolean hasImmediate, int immediate) {
    if (arrived == posted || !WorkId.hasNumber(workId, arrived)) {
      throw unexpected(workId, arrived == posted ? "none" : "receive " + arrived);
    }
    int slot = (int) arrived & MASK;
    if (bytes != receiveBytes[slot]) {
      throw new FabricException(
          peer(),
          describe()
              + ": message of "
              + bytes
              + " bytes, want "
              + receiveBytes[slot]
              + "; all ranks must call the same operations with the same sizes",
          null);
    }
    arrived++;
  }

  @Override
  void onSent(long workId) {
    if (completed == sent || !WorkId.hasNumber(workId, completed)) {
      throw unexpected(workId, completed == sent ? "none" : "send " + completed);
    }
    completed++;
  }

  @Override
  int deliver(CompletionHandler handler) {
    int found = 0;
    while (reported < completed) {
      found++;
      handler.onSendComplete(this, sendWorkIds[(int) reported++ & MASK]);
    }
    while (delivered < arrived) {
      int slot = (int) delivered & MASK;
      delivered++;
      found++;
      handler.onReceive(
          this,
          receiveWorkIds[slot],
          memory.segment(),
          memory.receiveOffset(index(), slot),
          receiveBytes[slot],
          0);
    }
    return found;
  }

  /** The provider holds them, and lets them go by itself. */
  @Override
  boolean holdsSends() {
    return false;
  }

  @Override
  boolean isFlushed() {
    return completed == sent;
  }
}
