package io.jaccl4j;

import java.lang.foreign.MemorySegment;

/**
 * The collective operations of one rank, each returning when it is complete on this rank.
 *
 * <p>All ranks of a group must call the same collectives in the same order with the same element
 * type and the same number of elements; {@code send} and {@code recv} concern two ranks only. A
 * difference is found by the operation tag that travels with the data and fails the group with an
 * {@link OperationMismatchException}.
 *
 * <p><b>Buffers.</b> Off-heap segments, used over their whole {@code byteSize()}; the layout is
 * dense and little-endian. Input and output of a reduction have the same size and may be the very
 * same memory (in place); any other overlap is refused. Zero length is a valid operation that moves
 * no data. Buffers belong to the operation until it returns. Memory from {@link #allocate} is sent
 * from, and received into, without staging where the fabric allows it.
 *
 * <p><b>Errors.</b> A wrong argument is an {@link InvalidBufferException} or {@link
 * InvalidPeerException} before anything is sent, and the group stays usable. Everything else fails
 * the group for good: {@link PeerLostException}, {@link OperationTimeoutException}, {@link
 * OperationMismatchException}, {@link GroupFailedException}; later calls fail with the same cause.
 *
 * <p><b>Threads.</b> A session handed to {@link Group#run} may be used on the engine thread only,
 * until the function returns. A {@link Group} may be used from any thread.
 */
public interface Session {

  /** {@return this rank, {@code 0 <= rank < size}} */
  int rank();

  /** {@return the number of ranks} */
  int size();

  /** {@return the number of this formation; a later group of the same name has a higher one} */
  long epoch();

  /**
   * Element-wise sum over all ranks, the same bits on every rank.
   *
   * @param in this rank's elements
   * @param out where the result goes, as long as {@code in}; may be the same memory
   * @param dtype the type of the elements
   */
  void allSum(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Element-wise maximum over all ranks, the same bits on every rank.
   *
   * @param in this rank's elements
   * @param out where the result goes, as long as {@code in}; may be the same memory
   * @param dtype the type of the elements
   */
  void allMax(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Element-wise minimum over all ranks, the same bits on every rank.
   *
   * @param in this rank's elements
   * @param out where the result goes, as long as {@code in}; may be the same memory
   * @param dtype the type of the elements
   */
  void allMin(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Concatenates the inputs of all ranks in rank order.
   *
   * @param in {@code n} bytes, the same number on every rank
   * @param out {@code size * n} bytes; block {@code r} receives rank {@code r}'s input. {@code in}
   *     may be this rank's own block of {@code out}.
   */
  void allGather(MemorySegment in, MemorySegment out);

  /**
   * Element-wise sum over all ranks, of which this rank receives its own block.
   *
   * @param in {@code size * n} bytes
   * @param out {@code n} bytes: the sum of block {@code rank}. May be this rank's own block of
   *     {@code in}.
   * @param dtype the type of the elements
   */
  void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Sends to one rank. Returns when {@code data} may be reused, which may be before the peer has
   * received it.
   *
   * @param data what to send, any length
   * @param peer the rank that receives
   */
  void send(MemorySegment data, int peer);

  /**
   * Receives from one rank exactly as many bytes as it sends.
   *
   * @param data where the bytes go, as long as what is sent
   * @param peer the rank that sends
   */
  void recv(MemorySegment data, int peer);

  /**
   * Element-wise product over all ranks, the same bits on every rank. Like all operations below, it
   * is in no MLX wire and refused by name there.
   *
   * @param in this rank's elements
   * @param out where the result goes, as long as {@code in}; may be the same memory
   * @param dtype the type of the elements
   */
  void allProduct(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Element-wise mean over all ranks: the sum, divided by {@link #size()} in the element type,
   * rounded to nearest even for floats and towards zero for integers. Not for booleans.
   *
   * @param in this rank's elements
   * @param out where the result goes, as long as {@code in}; may be the same memory
   * @param dtype the type of the elements
   */
  void allAverage(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Copies the root's {@code data} to {@code data} on all ranks.
   *
   * @param data the same length on every rank
   * @param root the rank whose data all others receive
   */
  void broadcast(MemorySegment data, int root);

  /**
   * Element-wise reduction that only the root receives.
   *
   * @param op the reduction
   * @param in this rank's elements
   * @param out as long as {@code in} on the root; ignored elsewhere, may be {@link
   *     MemorySegment#NULL}
   * @param dtype the type of the elements
   * @param root the rank that receives
   */
  void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root);

  /**
   * Concatenates the inputs of all ranks in rank order on the root.
   *
   * @param in {@code n} bytes, the same number on every rank; on the root it may be its own block
   *     of {@code out}
   * @param out {@code size * n} bytes on the root; ignored elsewhere, may be {@link
   *     MemorySegment#NULL}
   * @param root the rank that receives
   */
  void gather(MemorySegment in, MemorySegment out, int root);

  /**
   * Distributes the root's blocks, one to each rank.
   *
   * @param in {@code size * n} bytes on the root; ignored elsewhere, may be {@link
   *     MemorySegment#NULL}
   * @param out {@code n} bytes; on the root it may be its own block of {@code in}
   * @param root the rank that sends
   */
  void scatter(MemorySegment in, MemorySegment out, int root);

  /**
   * Sends block {@code p} of the input to rank {@code p} and receives rank {@code p}'s block into
   * block {@code p} of the output.
   *
   * @param in {@code size * n} bytes
   * @param out {@code size * n} bytes, separate from the input
   */
  void allToAll(MemorySegment in, MemorySegment out);

  /** Returns after every rank has called it. */
  void barrier();

  /**
   * {@return memory that the links can move without staging, zeroed, aligned to 64 bytes} It lives
   * as long as the group; use after {@link Group#close} fails with an {@link
   * IllegalStateException}.
   *
   * @param bytes how many, 0 or more
   * @throws InvalidBufferException if the group's registered memory ({@code
   *     jaccl4j.memory.registered-bytes}) has less left
   */
  MemorySegment allocate(long bytes);
}
