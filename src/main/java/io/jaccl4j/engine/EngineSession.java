package io.jaccl4j.engine;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidPeerException;
import io.jaccl4j.JacclException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.UnsupportedOnWireException;
import io.jaccl4j.WireMode;
import io.jaccl4j.buffer.BufferChecks;
import io.jaccl4j.collective.Algorithms;
import io.jaccl4j.collective.Collective;
import io.jaccl4j.collective.OperationTag;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.reduce.Kernels;
import java.lang.foreign.MemorySegment;

/**
 * The operations on the engine thread. Counts them: collectives in one sequence, which is the same
 * on all ranks; transfers in one sequence per peer and direction.
 */
final class EngineSession implements Session {
  private final Formation formation;
  private final Algorithms algorithms;
  private final RegisteredMemory memory;
  private final OperationRunner runner;
  private final GroupState state;
  private final BufferChecks buffers;
  private final CounterCells counters;
  private final long[] sends;
  private final long[] receives;
  private long collectives;
  private long deadlineNanos = OperationRunner.FROM_NOW;

  EngineSession(
      Formation formation,
      Algorithms algorithms,
      RegisteredMemory memory,
      OperationRunner runner,
      GroupState state,
      BufferChecks buffers,
      CounterCells counters) {
    this.formation = formation;
    this.algorithms = algorithms;
    this.memory = memory;
    this.runner = runner;
    this.state = state;
    this.buffers = buffers;
    this.counters = counters;
    this.sends = new long[formation.size()];
    this.receives = new long[formation.size()];
  }

  /** Sets the deadline of the operations that follow. */
  void deadline(long newDeadlineNanos) {
    deadlineNanos = newDeadlineNanos;
  }

  /** Collectives completed. */
  long completedCollectives() {
    return collectives;
  }

  @Override
  public int rank() {
    return formation.rank();
  }

  @Override
  public int size() {
    return formation.size();
  }

  @Override
  public long epoch() {
    return formation.epoch();
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

  void allReduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype) {
    String operation = op.allReduceName();
    buffers.checkReduction(operation, in, out, dtype);
    int tag = tag(OperationTag.Kind.ALL_REDUCE, op, dtype, collectives, in.byteSize());
    checkOpen(operation, collectives);
    collective(algorithms.allReduce(op, dtype, in, out, tag), operation);
  }

  @Override
  public void allProduct(MemorySegment in, MemorySegment out, Dtype dtype) {
    checkOnExactWire("allProduct");
    allReduce(ReduceOp.PRODUCT, in, out, dtype);
  }

  @Override
  public void allAverage(MemorySegment in, MemorySegment out, Dtype dtype) {
    checkOnExactWire("allAverage");
    buffers.checkAverage("allAverage", in, out, dtype);
    checkOpen("allAverage", collectives);
    int tag = tag(OperationTag.Kind.ALL_AVERAGE, ReduceOp.SUM, dtype, collectives, in.byteSize());
    collective(algorithms.allReduce(ReduceOp.SUM, dtype, in, out, tag), "allAverage");
    Kernels.division(dtype).divide(out, 0, out.byteSize() / dtype.bytes(), size());
  }

  @Override
  public void allGather(MemorySegment in, MemorySegment out) {
    buffers.checkAllGather("allGather", in, out);
    checkOpen("allGather", collectives);
    int tag = tag(OperationTag.Kind.ALL_GATHER, collectives, in.byteSize());
    collective(algorithms.allGather(in, out, tag), "allGather");
  }

  @Override
  public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
    buffers.checkSumScatter("sumScatter", in, out, dtype);
    checkOpen("sumScatter", collectives);
    int tag = tag(OperationTag.Kind.SUM_SCATTER, ReduceOp.SUM, dtype, collectives, in.byteSize());
    collective(algorithms.sumScatter(dtype, in, out, tag), "sumScatter");
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    checkOnExactWire("broadcast");
    checkRoot("broadcast", root);
    buffers.checkBroadcast("broadcast", data);
    checkOpen("broadcast", collectives);
    int tag = tag(OperationTag.Kind.BROADCAST, collectives, data.byteSize());
    collective(algorithms.broadcast(data, root, tag), "broadcast");
  }

  @Override
  public void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    checkOnExactWire("reduce");
    checkRoot("reduce", root);
    buffers.checkReduce("reduce", in, out, dtype, root);
    checkOpen("reduce", collectives);
    int tag = tag(OperationTag.Kind.REDUCE, op, dtype, collectives, in.byteSize());
    collective(algorithms.reduce(op, dtype, in, out, root, tag), "reduce");
  }

  @Override
  public void gather(MemorySegment in, MemorySegment out, int root) {
    checkOnExactWire("gather");
    checkRoot("gather", root);
    buffers.checkGather("gather", in, out, root);
    checkOpen("gather", collectives);
    int tag = tag(OperationTag.Kind.GATHER, collectives, in.byteSize());
    collective(algorithms.gather(in, out, root, tag), "gather");
  }

  @Override
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    checkOnExactWire("scatter");
    checkRoot("scatter", root);
    buffers.checkScatter("scatter", in, out, root);
    checkOpen("scatter", collectives);
    int tag = tag(OperationTag.Kind.SCATTER, collectives, out.byteSize());
    collective(algorithms.scatter(in, out, root, tag), "scatter");
  }

  @Override
  public void allToAll(MemorySegment in, MemorySegment out) {
    checkOnExactWire("allToAll");
    buffers.checkAllToAll("allToAll", in, out);
    checkOpen("allToAll", collectives);
    int tag = tag(OperationTag.Kind.ALL_TO_ALL, collectives, in.byteSize());
    collective(algorithms.allToAll(in, out, tag), "allToAll");
  }

  @Override
  public void barrier() {
    checkOpen("barrier", collectives);
    int tag = tag(OperationTag.Kind.BARRIER, collectives, 0);
    collective(algorithms.barrier(tag), "barrier");
  }

  private void collective(Collective operation, String name) {
    runner.run(operation, name, collectives, OperationRunner.ALL_RANKS, deadlineNanos);
    collectives++;
    counters.publish(algorithms.traffic());
  }

  @Override
  public void send(MemorySegment data, int peer) {
    checkPeer("send", peer);
    buffers.checkSend("send", data);
    checkOpen("send", sends[peer]);
    int tag = tag(OperationTag.Kind.TRANSFER, sends[peer], data.byteSize());
    runner.run(algorithms.send(data, peer, tag), "send", sends[peer], peer, deadlineNanos);
    sends[peer]++;
    counters.publish(algorithms.traffic());
  }

  @Override
  public void recv(MemorySegment data, int peer) {
    checkPeer("recv", peer);
    buffers.checkReceive("recv", data);
    checkOpen("recv", receives[peer]);
    int tag = tag(OperationTag.Kind.TRANSFER, receives[peer], data.byteSize());
    runner.run(algorithms.receive(data, peer, tag), "recv", receives[peer], peer, deadlineNanos);
    receives[peer]++;
    counters.publish(algorithms.traffic());
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return memory.allocate(bytes);
  }

  void checkPeer(String operation, int peer) {
    if (peer < 0 || peer >= size() || peer == rank()) {
      throw new InvalidPeerException(
          operation
              + " on rank "
              + rank()
              + ": peer is "
              + peer
              + ", want another rank of 0 to "
              + (size() - 1));
    }
    if (!algorithms.reaches(peer)) {
      throw new InvalidPeerException(
          operation
              + " on rank "
              + rank()
              + ": there is no link between ranks "
              + rank()
              + " and "
              + peer
              + " in this ring; pass the data on from neighbour to neighbour, or use a mesh"
              + " (jaccl4j.topology)");
    }
  }

  void checkRoot(String operation, int root) {
    if (root < 0 || root >= size()) {
      throw new InvalidPeerException(
          operation + " on rank " + rank() + ": root is " + root + ", want 0 to " + (size() - 1));
    }
  }

  void checkOnExactWire(String operation) {
    if (formation.settings().wire() != WireMode.EXACT) {
      throw new UnsupportedOnWireException(
          operation
              + " on rank "
              + rank()
              + ": JACCL has no such operation; use one of allSum, allMax, allMin, allGather,"
              + " sumScatter, send, recv, barrier, or set jaccl4j.wire = exact on all ranks");
    }
  }

  private int tag(OperationTag.Kind kind, long sequence, long bytes) {
    return tag(kind, ReduceOp.SUM, Dtype.UINT8, sequence, bytes);
  }

  private int tag(OperationTag.Kind kind, ReduceOp op, Dtype dtype, long sequence, long bytes) {
    return formation.settings().wire() == WireMode.EXACT
        ? OperationTag.of(kind, op, dtype, sequence, bytes)
        : OperationTag.NONE;
  }

  private void checkOpen(String operation, long sequence) {
    JacclException refusal = state.refusal(operation, sequence);
    if (refusal != null) {
      throw refusal;
    }
  }
}
