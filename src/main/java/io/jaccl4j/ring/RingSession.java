package io.jaccl4j.ring;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.InvalidPeerException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.UnsupportedOnWireException;
import io.jaccl4j.buffer.BufferChecks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The operations on the ring's thread. The argument checks may be called on any thread: those on
 * the caller's spare it the way to the ring's thread.
 */
final class RingSession implements Session {
  private static final long ALIGNMENT_BYTES = 64;

  private final RingHosts hosts;
  private final int rank;
  private final int size;
  private final boolean extensions;
  private final BufferChecks buffers;
  private final PaddedReduction reductions;
  private final Arena arena;
  private final DirectTransfer transfer;
  private final PairExchange exchange;
  private final RingAlgorithms algorithms;
  private final Relay relay;
  private final OperationRunner runner;
  private final MemorySegment token;
  private long operations;
  private long deadlineNanos = OperationRunner.FROM_NOW;

  /**
   * @param arena lives as long as the ring
   * @param exchange of small blocks among ranks of this library, or null
   * @param relay for ranks that are not neighbours, or null if there are none to be reached
   */
  RingSession(
      RingHosts hosts,
      int rank,
      boolean extensions,
      BufferChecks buffers,
      Arena arena,
      DirectTransfer transfer,
      PairExchange exchange,
      Relay relay,
      OperationRunner runner) {
    this.hosts = hosts;
    this.rank = rank;
    this.size = hosts.size();
    this.extensions = extensions;
    this.buffers = buffers;
    this.reductions = new PaddedReduction(buffers, rank, size);
    this.arena = arena;
    this.transfer = transfer;
    this.exchange = exchange;
    this.algorithms = new RingAlgorithms(rank, size, hosts.connections(), transfer, arena);
    this.relay = relay;
    this.runner = runner;
    this.token = arena.allocate(1);
  }

  /** Sets the deadline of the operations that follow. */
  void deadline(long newDeadlineNanos) {
    deadlineNanos = newDeadlineNanos;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long epoch() {
    return 0;
  }

  @Override
  public void allSum(MemorySegment in, MemorySegment out, Dtype dtype) {
    allReduce(ReduceOp.SUM, in, out, dtype);
  }

  @Override
  public void allMax(MemorySegment in, MemorySegment out, Dtype dtype) {
    allReduce(ReduceOp.MAX, in, out, dtype);
  }

  @Override
  public void allMin(MemorySegment in, MemorySegment out, Dtype dtype) {
    allReduce(ReduceOp.MIN, in, out, dtype);
  }

  private void allReduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype) {
    reductions.check(op.allReduceName(), in, out, dtype);
    allReduce(op, in, out, dtype, begin(op.allReduceName()));
  }

  private void allReduce(
      ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, String label) {
    if (size == 1) {
      out.copyFrom(in);
    } else if (exchanges(in)) {
      runner.run(exchange.begin(in), label, deadlineNanos);
      algorithms.reduceExchanged(op, dtype, exchange, out);
    } else if (algorithms.isPadded(in.byteSize() / dtype.bytes())) {
      algorithms.allReducePadded(op, dtype, in);
      runner.run(transfer, label, deadlineNanos);
      algorithms.takePadded(out);
    } else {
      algorithms.allReduce(op, dtype, in, out);
      runner.run(transfer, label, deadlineNanos);
    }
  }

  @Override
  public void allGather(MemorySegment in, MemorySegment out) {
    buffers.checkAllGather("allGather", in, out);
    String label = begin("allGather");
    if (size == 1) {
      out.copyFrom(in);
      return;
    }
    if (exchanges(in)) {
      runner.run(exchange.begin(in), label, deadlineNanos);
      MemorySegment.copy(exchange.blocks(), 0, out, 0, out.byteSize());
      return;
    }
    algorithms.allGather(in, out);
    runner.run(transfer, label, deadlineNanos);
  }

  private boolean exchanges(MemorySegment block) {
    return exchange != null && exchange.takes(block.byteSize());
  }

  @Override
  public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
    checkExtension("sumScatter");
    buffers.checkSumScatter("sumScatter", in, out, dtype);
    String label = begin("sumScatter");
    if (size == 1) {
      out.copyFrom(in);
      return;
    }
    try (Arena work = Arena.ofConfined()) {
      algorithms.sumScatter(dtype, in, out, work);
      runner.run(transfer, label, deadlineNanos);
    } finally {
      transfer.clear();
    }
  }

  @Override
  public void barrier() {
    checkExtension("barrier");
    String label = begin("barrier");
    allReduce(ReduceOp.SUM, token, token, Dtype.UINT8, label);
  }

  @Override
  public void send(MemorySegment data, int peer) {
    checkPeer("send", "to", peer);
    buffers.checkSend("send", data);
    String label = begin("send");
    // MLX looks right first when it sends and left first when it receives: it matters in a pair.
    if (peer == Side.RIGHT.of(rank, size)) {
      algorithms.send(data, Side.RIGHT);
      runner.run(transfer, label, deadlineNanos);
    } else if (peer == Side.LEFT.of(rank, size)) {
      algorithms.send(data, Side.LEFT);
      runner.run(transfer, label, deadlineNanos);
    } else {
      runner.run(relay.send(data, peer), label, deadlineNanos);
    }
  }

  @Override
  public void recv(MemorySegment data, int peer) {
    checkPeer("recv", "from", peer);
    buffers.checkReceive("recv", data);
    String label = begin("recv");
    if (peer == Side.LEFT.of(rank, size)) {
      algorithms.receive(data, Side.LEFT);
      runner.run(transfer, label, deadlineNanos);
    } else if (peer == Side.RIGHT.of(rank, size)) {
      algorithms.receive(data, Side.RIGHT);
      runner.run(transfer, label, deadlineNanos);
    } else {
      runner.run(relay.receive(data, peer), label, deadlineNanos);
    }
  }

  private String begin(String operation) {
    String label = operation + " #" + operations;
    runner.checkOpen(label);
    operations++;
    return label;
  }

  @Override
  public void allProduct(MemorySegment in, MemorySegment out, Dtype dtype) {
    throw unsupported("allProduct");
  }

  @Override
  public void allAverage(MemorySegment in, MemorySegment out, Dtype dtype) {
    throw unsupported("allAverage");
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    throw unsupported("broadcast");
  }

  @Override
  public void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    throw unsupported("reduce");
  }

  @Override
  public void gather(MemorySegment in, MemorySegment out, int root) {
    throw unsupported("gather");
  }

  @Override
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    throw unsupported("scatter");
  }

  @Override
  public void allToAll(MemorySegment in, MemorySegment out) {
    throw unsupported("allToAll");
  }

  @Override
  public MemorySegment allocate(long bytes) {
    if (bytes < 0) {
      throw new InvalidBufferException(
          "allocate on rank " + rank + ": got " + bytes + " bytes, want 0 or more");
    }
    // An allocation of nothing has no address of its own, by which buffers are compared.
    return arena.allocate(Math.max(1, bytes), ALIGNMENT_BYTES).asSlice(0, bytes);
  }

  void checkExtension(String operation) {
    if (!extensions) {
      String instead =
          operation.equals("barrier") ? "allSum of one element" : "allSum of the whole input";
      throw new UnsupportedOnWireException(
          operation
              + " on rank "
              + rank
              + ": MLX's ring has no such operation; use "
              + instead
              + ", or switch the ring's extensions on if every rank is of this library");
    }
  }

  UnsupportedOnWireException unsupported(String operation) {
    return new UnsupportedOnWireException(
        operation
            + " on rank "
            + rank
            + ": the TCP ring has no such operation; use allSum, allMax, allMin, allGather, send,"
            + " recv (with its extensions sumScatter and barrier too), or a group over another"
            + " fabric");
  }

  void checkPeer(String operation, String preposition, int peer) {
    if (peer < 0 || peer >= size || peer == rank) {
      throw new InvalidPeerException(
          operation
              + " on rank "
              + rank
              + ": peer is "
              + peer
              + ", want another rank of 0 to "
              + (size - 1));
    }
    boolean neighbour = peer == Side.LEFT.of(rank, size) || peer == Side.RIGHT.of(rank, size);
    if (!neighbour && relay == null) {
      throw new InvalidPeerException(
          operation
              + " on rank "
              + rank
              + ": MLX's ring only reaches direct neighbours, here "
              + hosts.describe(Side.LEFT.of(rank, size))
              + " and "
              + hosts.describe(Side.RIGHT.of(rank, size))
              + ", but this goes "
              + preposition
              + " rank "
              + peer
              + "; pass the data on from neighbour to neighbour, or switch the ring's extensions on"
              + " if every rank is of this library");
    }
  }
}
