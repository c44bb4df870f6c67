package io.jaccl4j.testing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two ranks' buffers that a 32-bit offset cannot address, as sparse files in memory: only marked
 * bytes differ from zero, so that a byte in the wrong place shows wherever it lands.
 */
public final class LargeBuffers implements AutoCloseable {
  public static final int SIZE = 2;
  public static final long BYTES = (1L << 31) + 2 * 4099;
  public static final long BLOCK_BYTES = BYTES / SIZE;

  private static final Path DIRECTORY = Path.of("/dev/shm");

  /** About the borders of blocks, of 2^31 and of 2^32 bits, and the last bytes. */
  private static final long[] MARKED = {
    0,
    1,
    (1L << 29) - 1,
    1L << 29,
    BLOCK_BYTES - 1,
    BLOCK_BYTES,
    BLOCK_BYTES + 4098,
    Integer.MAX_VALUE,
    1L << 31,
    (1L << 31) + 4097,
    BYTES - 1
  };

  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] data = new MemorySegment[SIZE];

  private LargeBuffers() {}

  /** Why this machine cannot have such buffers, or the empty string. */
  public static String obstacle() throws IOException {
    if (!Files.isDirectory(DIRECTORY)) {
      return "sparse files in memory need the directory " + DIRECTORY;
    }
    long freeBytes = Files.getFileStore(DIRECTORY).getUsableSpace();
    return freeBytes > (SIZE + 1) * BYTES ? "" : DIRECTORY + " has only " + freeBytes + " bytes";
  }

  /** Maps zeros. */
  public static LargeBuffers map() throws IOException {
    LargeBuffers buffers = new LargeBuffers();
    for (int rank = 0; rank < SIZE; rank++) {
      Path file = Files.createTempFile(DIRECTORY, "jaccl4j-large-", null);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        buffers.data[rank] = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, buffers.arena);
      } finally {
        Files.delete(file);
      }
    }
    return buffers;
  }

  public MemorySegment of(int rank) {
    return data[rank];
  }

  /** A rank's own block. */
  public MemorySegment block(int rank) {
    return data[rank].asSlice(rank * BLOCK_BYTES, BLOCK_BYTES);
  }

  /** Sets each marked byte to a factor times its number. */
  public void mark(int rank, int factor) {
    for (int i = 0; i < MARKED.length; i++) {
      data[rank].set(ValueLayout.JAVA_BYTE, MARKED[i], (byte) (factor * (i + 1)));
    }
  }

  /** Sets each marked byte of the rank's own block to its number. */
  public void markBlock(int rank) {
    for (int i = 0; i < MARKED.length; i++) {
      if (MARKED[i] / BLOCK_BYTES == rank) {
        data[rank].set(ValueLayout.JAVA_BYTE, MARKED[i], (byte) (i + 1));
      }
    }
  }

  /** Fails unless each marked byte is a factor times its number, and what lies between is zero. */
  public void checkOnlyMarked(int rank, int factor) {
    long next = 0;
    for (int i = 0; i < MARKED.length; i++) {
      checkZero(data[rank], next, MARKED[i]);
      byte got = data[rank].get(ValueLayout.JAVA_BYTE, MARKED[i]);
      byte want = (byte) (factor * (i + 1));
      if (got != want) {
        throw new AssertionError("byte " + MARKED[i] + " is " + got + ", want " + want);
      }
      next = MARKED[i] + 1;
    }
    checkZero(data[rank], next, BYTES);
  }

  private static void checkZero(MemorySegment segment, long from, long to) {
    if (from == to) {
      return;
    }
    MemorySegment between = segment.asSlice(from, to - from);
    // Compared with itself one byte on: equal throughout if and only if all bytes are the first.
    long difference = MemorySegment.mismatch(between, 0, to - from - 1, between, 1, to - from);
    if (between.get(ValueLayout.JAVA_BYTE, 0) != 0 || difference != -1) {
      throw new AssertionError("bytes " + from + " to " + to + " are not all zero");
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
