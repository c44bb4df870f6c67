package io.jaccl4j.buffer;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidBufferException;
import java.lang.foreign.MemorySegment;

/**
 * Refuses buffers that an operation of one rank cannot work on, before anything is sent. Each check
 * throws an {@link InvalidBufferException} that names operation, rank and remedy. Any thread.
 */
public final class BufferChecks {
  private final Thread worker;
  private final String allocator;
  private final int rank;
  private final int size;

  /**
   * @param worker the thread that will work on the buffers
   * @param allocator where usable memory comes from, in words
   */
  public BufferChecks(Thread worker, String allocator, int rank, int size) {
    this.worker = worker;
    this.allocator = allocator;
    this.rank = rank;
    this.size = size;
  }

  public void checkReduction(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkElements(operation, in.byteSize(), dtype);
    checkLength(operation, "output", out.byteSize(), in.byteSize());
    if (in.address() != out.address()) {
      checkDisjoint(operation, in, out);
    }
  }

  public void checkAllGather(String operation, MemorySegment in, MemorySegment out) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkLength(operation, "output", out.byteSize(), times(operation, in.byteSize()));
    if (in.address() != out.address() + rank * in.byteSize()) {
      checkDisjoint(operation, in, out);
    }
  }

  public void checkSumScatter(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkElements(operation, out.byteSize(), dtype);
    checkLength(operation, "input", in.byteSize(), times(operation, out.byteSize()));
    if (out.address() != in.address() + rank * out.byteSize()) {
      checkDisjoint(operation, in, out);
    }
  }

  public void checkAverage(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    if (dtype == Dtype.BOOL) {
      throw refuse(operation, "booleans have no mean; convert them to numbers");
    }
    checkReduction(operation, in, out, dtype);
  }

  public void checkReduce(
      String operation, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    if (rank == root) {
      checkReduction(operation, in, out, dtype);
    } else {
      checkInput(operation, in);
      checkElements(operation, in.byteSize(), dtype);
    }
  }

  public void checkGather(String operation, MemorySegment in, MemorySegment out, int root) {
    if (rank == root) {
      checkAllGather(operation, in, out);
    } else {
      checkInput(operation, in);
    }
  }

  public void checkScatter(String operation, MemorySegment in, MemorySegment out, int root) {
    checkOutput(operation, out);
    if (rank == root) {
      checkInput(operation, in);
      checkLength(operation, "input", in.byteSize(), times(operation, out.byteSize()));
      if (out.address() != in.address() + rank * out.byteSize()) {
        checkDisjoint(operation, in, out);
      }
    }
  }

  public void checkAllToAll(String operation, MemorySegment in, MemorySegment out) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkLength(operation, "output", out.byteSize(), in.byteSize());
    if (in.byteSize() % size != 0) {
      throw refuse(operation, in.byteSize() + " bytes are not " + size + " equal blocks");
    }
    checkDisjoint(operation, in, out);
  }

  public void checkBroadcast(String operation, MemorySegment data) {
    checkOutput(operation, data);
  }

  public void checkSend(String operation, MemorySegment data) {
    checkInput(operation, data);
  }

  public void checkReceive(String operation, MemorySegment data) {
    checkOutput(operation, data);
  }

  private void checkInput(String operation, MemorySegment segment) {
    checkUsable(operation, "input", segment);
  }

  private void checkOutput(String operation, MemorySegment segment) {
    checkUsable(operation, "output", segment);
    if (segment.isReadOnly()) {
      throw refuse(operation, "output is read-only");
    }
  }

  private void checkUsable(String operation, String role, MemorySegment segment) {
    if (!segment.isNative()) {
      throw refuse(
          operation, role + " is on the heap; allocate it with " + allocator + " or from an Arena");
    }
    if (!segment.scope().isAlive()) {
      throw refuse(operation, role + " is closed: its arena was closed");
    }
    if (!segment.isAccessibleBy(worker)) {
      throw refuse(
          operation,
          role
              + " is confined to another thread than "
              + worker.getName()
              + "; allocate it with "
              + allocator
              + " or from Arena.ofShared");
    }
  }

  private void checkElements(String operation, long bytes, Dtype dtype) {
    if (bytes % dtype.bytes() != 0) {
      throw refuse(
          operation,
          bytes + " bytes are not a whole number of " + dtype + " (" + dtype.bytes() + " bytes)");
    }
  }

  private void checkLength(String operation, String role, long gotBytes, long wantBytes) {
    if (gotBytes != wantBytes) {
      throw refuse(operation, role + " has " + gotBytes + " bytes, want " + wantBytes);
    }
  }

  private long times(String operation, long blockBytes) {
    try {
      return Math.multiplyExact(blockBytes, (long) size);
    } catch (ArithmeticException e) {
      throw refuse(operation, size + " blocks of " + blockBytes + " bytes are too large");
    }
  }

  private void checkDisjoint(String operation, MemorySegment in, MemorySegment out) {
    boolean disjoint =
        in.address() + in.byteSize() <= out.address()
            || out.address() + out.byteSize() <= in.address();
    if (!disjoint) {
      throw refuse(
          operation,
          "input and output overlap in part; make them the same memory (in place) or separate");
    }
  }

  private InvalidBufferException refuse(String operation, String why) {
    return new InvalidBufferException(operation + " on rank " + rank + ": " + why);
  }
}
