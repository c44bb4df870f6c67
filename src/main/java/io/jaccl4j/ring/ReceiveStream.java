package io.jaccl4j.ring;

import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What one operation receives over one connection: first pieces that are reduced with memory of
 * this rank, then pieces that are stored as they are. Whatever is complete is released to the
 * stream that passes it on, byte by byte, so that no rank waits for whole segments. Owned by the
 * ring's thread.
 */
final class ReceiveStream {
  private final Connection connection;
  private final MemorySegment scratch;
  private final ByteBuffer scratchBytes;
  private final Pieces pieces = new Pieces();
  private final Pieces operands = new Pieces();
  private int reducedPieces;
  private ReduceKernel kernel;
  private int elementBytes;
  private SendStream follower;
  private long reusedBytes;
  private int carriedBytes;

  /**
   * @param scratch where bytes wait for their reduction, for this stream alone
   */
  ReceiveStream(Connection connection, MemorySegment scratch) {
    this.connection = connection;
    this.scratch = scratch;
    this.scratchBytes = scratch.asByteBuffer();
  }

  Connection connection() {
    return connection;
  }

  void clear() {
    pieces.clear();
    operands.clear();
    reducedPieces = 0;
    follower = null;
    reusedBytes = Long.MAX_VALUE;
    carriedBytes = 0;
  }

  /** How the pieces that are to be reduced are reduced. */
  void reduceWith(ReduceKernel newKernel, int newElementBytes) {
    kernel = newKernel;
    elementBytes = newElementBytes;
  }

  /** The stream that passes on what is received here. */
  void feed(SendStream newFollower) {
    follower = newFollower;
  }

  /**
   * Pieces share memory of so many bytes: none is overwritten before the stream that is fed has
   * sent it.
   */
  void reuseMemory(long bytes) {
    reusedBytes = bytes;
  }

  /** {@code memory = op(received, operand)}. All of these come before the stored pieces. */
  void addReduced(
      ByteWindows memory, long offset, ByteWindows operand, long operandOffset, long bytes) {
    if (bytes > 0) {
      pieces.add(memory, offset, bytes);
      operands.add(operand, operandOffset, bytes);
      reducedPieces++;
    }
  }

  void addStored(ByteWindows memory, long offset, long bytes) {
    pieces.add(memory, offset, bytes);
  }

  boolean isDone() {
    return pieces.isDone();
  }

  /** Whether it waits for nothing but the neighbour. */
  boolean isReady() {
    return !isDone() && freeBytes() > 0;
  }

  long receivedBytes() {
    return pieces.doneBytes() + carriedBytes;
  }

  long totalBytes() {
    return pieces.totalBytes();
  }

  private long freeBytes() {
    return reusedBytes == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : Math.max(reusedBytes, follower.sentBytes()) - receivedBytes();
  }

  /** Takes bytes from the kernel; how many. */
  long advance() {
    if (!isReady()) {
      return 0;
    }
    return pieces.current() < reducedPieces ? reduce() : store();
  }

  private long store() {
    int bytes = connection.read(pieces.memory().at(pieces.offset(), pieces.remaining()));
    if (bytes > 0) {
      done(bytes);
    }
    return bytes;
  }

  private long reduce() {
    long most = Math.min(pieces.remaining() - carriedBytes, freeBytes());
    int to = (int) Math.min(scratch.byteSize(), carriedBytes + most);
    int read = connection.read(scratchBytes.clear().position(carriedBytes).limit(to));
    int got = carriedBytes + read;
    long elements = got / elementBytes;
    if (elements > 0) {
      long bytes = elements * elementBytes;
      kernel.reduce(
          pieces.memory().segment(),
          pieces.offset(),
          scratch,
          0,
          operands.memory().segment(),
          operands.offset(),
          elements);
      MemorySegment.copy(scratch, bytes, scratch, 0, got - bytes);
      got -= (int) bytes;
      operands.advance(bytes);
      done(bytes);
    }
    carriedBytes = got;
    return read;
  }

  private void done(long bytes) {
    pieces.advance(bytes);
    if (follower != null) {
      follower.release(bytes);
    }
  }
}
