package io.jaccl4j.fabric.shm;

import static io.jaccl4j.fabric.shm.ShmFile.INT;
import static io.jaccl4j.fabric.shm.ShmFile.LONG;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.LinkCounters;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Both channels between this rank and one peer. One thread at each end.
 *
 * <p>The sender fills an entry and publishes it by writing its sequence with release semantics; the
 * receiver reads that with acquire semantics, then reads the payload where it is, and hands it back
 * by writing its released count with release semantics.
 *
 * <p>An inline message needs its memory no longer once posted, but it occupies an entry: it counts
 * as complete when less than {@link #DEPTH} messages lie unread. Together with at most {@link
 * #DEPTH} incomplete sends, the ring of twice that many entries can never overflow.
 */
final class ShmLink implements Link {
  static final int DEPTH = ShmLayout.ENTRIES / 2;

  private static final VarHandle LONG_AT = LONG.varHandle();
  private static final int MASK = DEPTH - 1;

  private final int peer;
  private final int wire;
  private final MemorySegment file;
  private final long outOffset;
  private final long inOffset;
  private final long ownAreaOffset;
  private final long peerAreaOffset;
  private final long areaBytes;

  private final long[] sendWorkIds = new long[DEPTH];
  private final boolean[] sendInline = new boolean[DEPTH];
  private long sent;
  private long completed;
  private long peerReleased;

  private final long[] receiveWorkIds = new long[DEPTH];
  private final int[] receiveCapacities = new int[DEPTH];
  private long posted;
  private long delivered;
  private long released;

  ShmLink(ShmFile file, int rank, Wire wire) {
    ShmLayout layout = file.layout();
    boolean first = wire.first() == rank;
    this.peer = wire.peerOf(rank);
    this.wire = wire.number();
    this.file = file.segment();
    this.outOffset = layout.channelOffset(wire.number(), first);
    this.inOffset = layout.channelOffset(wire.number(), !first);
    this.ownAreaOffset = layout.areaOffset(rank);
    this.peerAreaOffset = layout.areaOffset(peer);
    this.areaBytes = layout.areaBytes();
  }

  @Override
  public int peer() {
    return peer;
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
    if (posted - released >= DEPTH) {
      throw new FabricException(peer, "more than " + DEPTH + " receives posted", null);
    }
    int index = (int) posted & MASK;
    receiveWorkIds[index] = workId;
    receiveCapacities[index] = capacityBytes;
    posted++;
  }

  @Override
  public void postSend(long workId, long offset, int bytes, int immediate) {
    if (sent - completed >= DEPTH) {
      throw new FabricException(peer, "more than " + DEPTH + " sends posted", null);
    }
    long entry = entry(outOffset, sent);
    boolean inline = bytes <= ShmLayout.INLINE_BYTES;
    if (inline) {
      MemorySegment.copy(
          file, ownAreaOffset + offset, file, entry + ShmLayout.ENTRY_INLINE_OFFSET, bytes);
    }
    file.set(LONG, entry + ShmLayout.ENTRY_PAYLOAD_OFFSET, inline ? ShmLayout.INLINE : offset);
    file.set(INT, entry + ShmLayout.ENTRY_LENGTH_OFFSET, bytes);
    file.set(INT, entry + ShmLayout.ENTRY_IMMEDIATE_OFFSET, immediate);
    int index = (int) sent & MASK;
    sendWorkIds[index] = workId;
    sendInline[index] = inline;
    sent++;
    LONG_AT.setRelease(file, entry + ShmLayout.ENTRY_SEQUENCE_OFFSET, sent);
  }

  @Override
  public void release() {
    if (released >= delivered) {
      throw new FabricException(peer, "released a message that was not delivered", null);
    }
    released++;
    LONG_AT.setRelease(file, inOffset + ShmLayout.RELEASED_OFFSET, released);
  }

  int poll(CompletionHandler handler) {
    int found = 0;
    while (completed < sent && headIsComplete()) {
      int index = (int) completed & MASK;
      completed++;
      found++;
      handler.onSendComplete(this, sendWorkIds[index]);
    }
    while (delivered < posted) {
      long entry = entry(inOffset, delivered);
      long sequence = (long) LONG_AT.getAcquire(file, entry + ShmLayout.ENTRY_SEQUENCE_OFFSET);
      if (sequence != delivered + 1) {
        break;
      }
      found++;
      deliver(handler, entry);
    }
    return found;
  }

  private boolean headIsComplete() {
    long mayLieUnread = sendInline[(int) completed & MASK] ? DEPTH - 1 : 0;
    long needed = completed + 1 - mayLieUnread;
    if (peerReleased < needed) {
      peerReleased = (long) LONG_AT.getAcquire(file, outOffset + ShmLayout.RELEASED_OFFSET);
    }
    return peerReleased >= needed;
  }

  private void deliver(CompletionHandler handler, long entry) {
    int index = (int) delivered & MASK;
    long offset = file.get(LONG, entry + ShmLayout.ENTRY_PAYLOAD_OFFSET);
    int bytes = file.get(INT, entry + ShmLayout.ENTRY_LENGTH_OFFSET);
    int immediate = file.get(INT, entry + ShmLayout.ENTRY_IMMEDIATE_OFFSET);
    boolean inline = offset == ShmLayout.INLINE;
    long limit = inline ? ShmLayout.INLINE_BYTES : areaBytes;
    if (bytes < 0 || bytes > limit || (!inline && (offset < 0 || offset > limit - bytes))) {
      throw new FabricException(
          peer,
          "message "
              + delivered
              + " has offset "
              + offset
              + " and "
              + bytes
              + " bytes, outside of its sender's memory",
          null);
    }
    if (bytes > receiveCapacities[index]) {
      throw new FabricException(
          peer,
          "message of " + bytes + " bytes for a receive of " + receiveCapacities[index],
          null);
    }
    delivered++;
    handler.onReceive(
        this,
        receiveWorkIds[index],
        file,
        inline ? entry + ShmLayout.ENTRY_INLINE_OFFSET : peerAreaOffset + offset,
        bytes,
        immediate);
  }

  private static long entry(long channel, long number) {
    return channel
        + ShmLayout.ENTRIES_OFFSET
        + (number & (ShmLayout.ENTRIES - 1)) * ShmLayout.ENTRY_BYTES;
  }

  @Override
  public LinkCounters counters() {
    return new LinkCounters(wire, sent, completed, posted, delivered, released);
  }
}
