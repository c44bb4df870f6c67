package io.jaccl4j.fabric.shm;

import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/**
 * The group's file as one rank has it open and mapped.
 *
 * <p>The file is sparse. Pages are reserved by writing zeros through the channel before anyone
 * touches them through the mapping: a full file system is then an {@link IOException} here and not
 * a SIGBUS there.
 */
final class ShmFile implements AutoCloseable {
  static final String NAME_PREFIX = "jaccl4j-";
  static final String NAME_SUFFIX = ".shm";

  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int ZERO_BLOCK_BYTES = 1 << 20;

  private final Path path;
  private final ShmLayout layout;
  private final FileChannel channel;
  private final Arena arena;
  private final MemorySegment segment;
  private boolean closed;

  private ShmFile(Path path, ShmLayout layout, FileChannel channel) throws IOException {
    this.path = path;
    this.layout = layout;
    this.channel = channel;
    this.arena = Arena.ofShared();
    try {
      this.segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, layout.fileBytes(), arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** Makes the file of a new group, readable by this user alone, under a name nobody can guess. */
  static ShmFile create(Path directory, String group, byte[] token, ShmLayout layout) {
    Path path =
        directory.resolve(
            NAME_PREFIX + group + "-" + HexFormat.of().formatHex(token) + NAME_SUFFIX);
    try {
      FileChannel channel =
          FileChannel.open(
              path,
              Set.of(
                  StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        // Held until the group is up; a file that nobody holds and that is old is a leftover.
        channel.lock();
        // One byte at the end, not a mapping beyond the end: the JDK would allocate all of it.
        channel.write(ByteBuffer.allocate(1), layout.fileBytes() - 1);
        zero(channel, 0, layout.controlBytes());
        channel.write(header(layout, token), 0);
        return new ShmFile(path, layout, channel);
      } catch (IOException | RuntimeException e) {
        closeAfter(e, channel);
        Files.deleteIfExists(path);
        throw e;
      }
    } catch (IOException e) {
      throw new FabricException(cannot("create", path, layout), e);
    }
  }

  /** Opens the file that rank 0 made, if it is the one that was announced. */
  static ShmFile open(Path path, byte[] token, ShmLayout layout) {
    try {
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        ByteBuffer found = ByteBuffer.allocate(header(layout, token).capacity());
        channel.read(found, 0);
        if (!Arrays.equals(found.array(), header(layout, token).array())
            || channel.size() != layout.fileBytes()) {
          throw new FabricException(
              0,
              path
                  + " is not the file of this formation (token, version or shape differ);"
                  + " check that all ranks run the same version",
              null);
        }
        return new ShmFile(path, layout, channel);
      } catch (IOException | RuntimeException e) {
        closeAfter(e, channel);
        throw e;
      }
    } catch (IOException e) {
      throw new FabricException(0, cannot("open", path, layout), e);
    }
  }

  private static String cannot(String verb, Path path, ShmLayout layout) {
    return "cannot "
        + verb
        + " "
        + path
        + " ("
        + layout.fileBytes()
        + " bytes, sparse); check that the directory exists, has room, and is the same for all"
        + " ranks (jaccl4j.memory.shm-directory), and that all ranks run as one user";
  }

  private static ByteBuffer header(ShmLayout layout, byte[] token) {
    return ByteBuffer.allocate((int) ShmLayout.TOKEN_OFFSET + ShmLayout.TOKEN_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong((int) ShmLayout.MAGIC_OFFSET, ShmLayout.MAGIC)
        .putInt((int) ShmLayout.VERSION_OFFSET, ShmLayout.VERSION)
        .putInt((int) ShmLayout.RANKS_OFFSET, layout.ranks())
        .putInt((int) ShmLayout.WIRES_OFFSET, layout.wires())
        .putInt((int) ShmLayout.SLOTS_OFFSET, layout.slots())
        .putInt((int) ShmLayout.SLOT_BYTES_OFFSET, layout.slotBytes())
        .putLong((int) ShmLayout.HEAP_BYTES_OFFSET, layout.heapBytes())
        .put((int) ShmLayout.TOKEN_OFFSET, token);
  }

  MemorySegment segment() {
    return segment;
  }

  ShmLayout layout() {
    return layout;
  }

  Path path() {
    return path;
  }

  /** Backs a range with zeroed pages. */
  void reserve(long offset, long bytes) throws IOException {
    zero(channel, offset, bytes);
  }

  /** Takes the name away; the memory lives as long as somebody has it mapped. */
  void unlink() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new FabricException("cannot remove " + path + "; remove it by hand", e);
    }
  }

  private static void zero(FileChannel channel, long offset, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZERO_BLOCK_BYTES));
    for (long done = 0; done < bytes; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done));
      done += channel.write(zeros, offset + done);
    }
  }

  private static void closeAfter(Exception cause, FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    arena.close();
    try {
      channel.close();
    } catch (IOException e) {
      throw new FabricException("cannot close " + path, e);
    }
  }
}
