package io.jaccl4j.fabric.shm;

/**
 * Where things are in the group's file. All values little-endian.
 *
 * <pre>
 * 0                header, 4096 bytes: magic, version, shape of the file, token
 * 4096             channels, two per wire: from its first end, from its second end
 * areaOffset(r)    memory of rank r: staging slots, then the heap
 *
 * channel:  0      released      int64   messages handed back, written by the receiver
 *           128    entries       16 x 64 bytes, written by the sender
 *
 * entry:    0      sequence      int64   1 + number of the message, published last
 *           8      offset        int64   in the sender's memory, or -1: the payload is below
 *           16     bytes         int32
 *           20     immediate     int32
 *           24     inline        40 bytes
 * </pre>
 *
 * <p>The receiver's cursor lies two cache lines away from the entries, since processors prefetch
 * lines in pairs.
 */
record ShmLayout(int ranks, int wires, int slots, int slotBytes, long heapBytes) {
  static final long MAGIC = 0x4A344C4343414AL;
  static final int VERSION = 1;

  static final long HEADER_BYTES = 4096;
  static final long MAGIC_OFFSET = 0;
  static final long VERSION_OFFSET = 8;
  static final long RANKS_OFFSET = 12;
  static final long WIRES_OFFSET = 16;
  static final long SLOTS_OFFSET = 20;
  static final long SLOT_BYTES_OFFSET = 24;
  static final long HEAP_BYTES_OFFSET = 32;
  static final long TOKEN_OFFSET = 40;
  static final int TOKEN_BYTES = 16;

  static final int ENTRIES = 16;
  static final long ENTRY_BYTES = 64;
  static final long RELEASED_OFFSET = 0;
  static final long ENTRIES_OFFSET = 128;
  static final long CHANNEL_BYTES = ENTRIES_OFFSET + ENTRIES * ENTRY_BYTES;

  static final long ENTRY_SEQUENCE_OFFSET = 0;
  static final long ENTRY_PAYLOAD_OFFSET = 8;
  static final long ENTRY_LENGTH_OFFSET = 16;
  static final long ENTRY_IMMEDIATE_OFFSET = 20;
  static final long ENTRY_INLINE_OFFSET = 24;
  static final int INLINE_BYTES = (int) (ENTRY_BYTES - ENTRY_INLINE_OFFSET);
  static final long INLINE = -1;

  private static final long PAGE_BYTES = 4096;

  /** The channel that the first, or else the second, end of a wire sends on. */
  long channelOffset(int wire, boolean fromFirst) {
    return HEADER_BYTES + (2L * wire + (fromFirst ? 0 : 1)) * CHANNEL_BYTES;
  }

  /** Bytes of header and channels. */
  long controlBytes() {
    return pages(HEADER_BYTES + 2L * wires * CHANNEL_BYTES);
  }

  long slotAreaBytes() {
    return (long) slots * slotBytes;
  }

  /** Memory of one rank. */
  long areaBytes() {
    return slotAreaBytes() + pages(heapBytes);
  }

  long areaOffset(int rank) {
    return controlBytes() + rank * areaBytes();
  }

  long fileBytes() {
    return areaOffset(ranks);
  }

  private static long pages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }
}
