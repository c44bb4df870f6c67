package io.jaccl4j.ring;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.Kernels;
import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Lays the operations out on the streams of a {@link DirectTransfer}: which bytes go over which
 * connection in which order. The layout of everything but {@link #sumScatter} is MLX's. Small
 * blocks among ranks of this library go another way ({@link PairExchange}).
 *
 * <p>A part of an all-reduce has one segment per rank. In step {@code t} a rank sends segment
 * {@code rank + step * t} to one neighbour and receives segment {@code rank + step * (t + 1)} from
 * the other: reduced into its own in the first {@code size - 1} steps, as it is in as many more.
 * Every byte is passed on as soon as it is complete, and no memory is overwritten that still has to
 * be sent: the byte that replaces a segment's first value results from it.
 *
 * <p>Ring's thread only.
 */
final class RingAlgorithms {
  private final int rank;
  private final int size;
  private final int connections;
  private final DirectTransfer transfer;
  private final ByteWindows paddedIn;
  private final ByteWindows paddedOut;

  RingAlgorithms(int rank, int size, int connections, DirectTransfer transfer, Arena arena) {
    this.rank = rank;
    this.size = size;
    this.connections = connections;
    this.transfer = transfer;
    this.paddedIn = new ByteWindows(arena.allocate(PaddedReduction.PADDED_BYTES, Long.BYTES));
    this.paddedOut = new ByteWindows(arena.allocate(PaddedReduction.PADDED_BYTES, Long.BYTES));
  }

  /** Whether a reduction of so few elements has to be padded. */
  boolean isPadded(long elements) {
    return elements < size;
  }

  void allReduce(ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out) {
    transfer.clear();
    ByteWindows input = new ByteWindows(in);
    ByteWindows output = in.address() == out.address() ? input : new ByteWindows(out);
    long elements = in.byteSize() / dtype.bytes();
    int parts = Parts.reductionParts(in.byteSize(), size, connections);
    long partElements = Math.ceilDiv(elements, parts);
    for (int part = 0; part < parts; part++) {
      long from = Math.min(elements, part * partElements);
      long to = Math.min(elements, from + partElements);
      Side destination = Parts.destination(part);
      reducePart(op, dtype, input, output, from, to, Parts.pair(part), destination);
    }
  }

  /** All-reduce of fewer elements than ranks; {@link #takePadded} has the result. */
  void allReducePadded(ReduceOp op, Dtype dtype, MemorySegment in) {
    transfer.clear();
    paddedIn.segment().fill((byte) 0).copyFrom(in);
    reducePart(op, dtype, paddedIn, paddedOut, 0, size, 0, Side.RIGHT);
  }

  void takePadded(MemorySegment out) {
    MemorySegment.copy(paddedOut.segment(), 0, out, 0, out.byteSize());
  }

  private void reducePart(
      ReduceOp op,
      Dtype dtype,
      ByteWindows in,
      ByteWindows out,
      long from,
      long to,
      int pair,
      Side destination) {
    int step = Parts.step(destination);
    SendStream send = transfer.send(destination, pair);
    ReceiveStream receive = transfer.receive(destination.opposite(), pair);
    receive.reduceWith(Kernels.of(op, dtype, ElementRules.JACCL), dtype.bytes());
    receive.feed(send);
    long segment = Math.ceilDiv(to - from, (long) size);
    for (int t = 0; t < 2 * (size - 1); t++) {
      int sent = Math.floorMod(rank + step * t, size);
      long offset = Math.min(to, from + sent * segment) * dtype.bytes();
      long bytes = Math.min(to, from + (sent + 1) * segment) * dtype.bytes() - offset;
      send.add(t == 0 ? in : out, offset, bytes);
      if (t == 0) {
        send.release(bytes);
      }
      int received = Math.floorMod(rank + step * (t + 1), size);
      offset = Math.min(to, from + received * segment) * dtype.bytes();
      bytes = Math.min(to, from + (received + 1) * segment) * dtype.bytes() - offset;
      if (t < size - 1) {
        receive.addReduced(out, offset, in, offset, bytes);
      } else {
        receive.addStored(out, offset, bytes);
      }
    }
  }

  /**
   * The sums of an all-reduce from all ranks' inputs, in the order in which they come about on the
   * way around the ring: segment {@code k} begins on rank {@code k} and goes down or, where MLX
   * pads, up.
   */
  void reduceExchanged(ReduceOp op, Dtype dtype, PairExchange exchange, MemorySegment out) {
    ReduceKernel kernel = Kernels.of(op, dtype, ElementRules.JACCL);
    MemorySegment inputs = exchange.blocks();
    long elements = out.byteSize() / dtype.bytes();
    long segment = Math.ceilDiv(elements, (long) size);
    int direction = Parts.step(isPadded(elements) ? Side.RIGHT : Side.LEFT);
    for (int first = 0; first < size && first * segment < elements; first++) {
      long offset = first * segment * dtype.bytes();
      long count = Math.min(segment, elements - first * segment);
      long received = exchange.offset(first) + offset;
      long operand = exchange.offset(Math.floorMod(first - direction, size)) + offset;
      kernel.reduce(out, offset, inputs, received, inputs, operand, count);
      for (int step = 2; step < size; step++) {
        operand = exchange.offset(Math.floorMod(first - step * direction, size)) + offset;
        kernel.reduce(out, offset, out, offset, inputs, operand, count);
      }
    }
  }

  void allGather(MemorySegment in, MemorySegment out) {
    transfer.clear();
    long bytes = in.byteSize();
    if (bytes == 0) {
      return;
    }
    MemorySegment own = out.asSlice(rank * bytes, bytes);
    if (own.address() != in.address()) {
      own.copyFrom(in);
    }
    ByteWindows output = new ByteWindows(out);
    int parts = Parts.gatherParts(bytes, connections);
    long partBytes = Math.ceilDiv(bytes, (long) parts);
    for (int part = 0; part < parts; part++) {
      long from = Math.min(bytes, part * partBytes);
      long length = Math.min(bytes, from + partBytes) - from;
      Side destination = Parts.destination(part);
      int step = Parts.step(destination);
      SendStream send = transfer.send(destination, Parts.pair(part));
      ReceiveStream receive = transfer.receive(destination.opposite(), Parts.pair(part));
      receive.feed(send);
      send.release(length);
      for (int t = 0; t < size - 1; t++) {
        send.add(output, Math.floorMod(rank + step * t, size) * bytes + from, length);
        receive.addStored(
            output, Math.floorMod(rank + step * (t + 1), size) * bytes + from, length);
      }
    }
  }

  /**
   * The first half of an all-reduce whose segments are the blocks, begun one rank further on so
   * that it ends with this rank's own. Divided into parts like an all-gather, on whole elements.
   *
   * @param work where sums are that go on to the next rank; used for one block
   */
  void sumScatter(Dtype dtype, MemorySegment in, MemorySegment out, SegmentAllocator work) {
    transfer.clear();
    long bytes = out.byteSize();
    ByteWindows input = new ByteWindows(in);
    ByteWindows output = new ByteWindows(out);
    ByteWindows passing = size == 2 ? output : new ByteWindows(work.allocate(bytes, Long.BYTES));
    int parts = Parts.gatherParts(bytes, connections);
    long partBytes = Math.ceilDiv(bytes / dtype.bytes(), (long) parts) * dtype.bytes();
    for (int part = 0; part < parts; part++) {
      long from = Math.min(bytes, part * partBytes);
      long length = Math.min(bytes, from + partBytes) - from;
      Side destination = Parts.destination(part);
      int step = Parts.step(destination);
      SendStream send = transfer.send(destination, Parts.pair(part));
      ReceiveStream receive = transfer.receive(destination.opposite(), Parts.pair(part));
      receive.reduceWith(Kernels.of(ReduceOp.SUM, dtype, ElementRules.JACCL), dtype.bytes());
      receive.feed(send);
      receive.reuseMemory(length);
      send.release(length);
      for (int t = 0; t < size - 1; t++) {
        long sent = Math.floorMod(rank + step * (t + 1), size) * bytes;
        long received = Math.floorMod(rank + step * (t + 2), size) * bytes;
        send.add(t == 0 ? input : passing, t == 0 ? sent + from : from, length);
        receive.addReduced(t == size - 2 ? output : passing, from, input, received + from, length);
      }
    }
  }

  void send(MemorySegment data, Side destination) {
    transfer.clear();
    ByteWindows input = new ByteWindows(data);
    long stripe = Parts.stripeBytes(data.byteSize(), connections);
    for (int i = 0; i < connections; i++) {
      long from = Math.min(data.byteSize(), i * stripe);
      long to = Math.min(data.byteSize(), from + stripe);
      SendStream send = transfer.send(destination, i);
      send.add(input, from, to - from);
      send.release(to - from);
    }
  }

  void receive(MemorySegment data, Side source) {
    transfer.clear();
    ByteWindows output = new ByteWindows(data);
    long stripe = Parts.stripeBytes(data.byteSize(), connections);
    for (int i = 0; i < connections; i++) {
      long from = Math.min(data.byteSize(), i * stripe);
      long to = Math.min(data.byteSize(), from + stripe);
      transfer.receive(source, i).addStored(output, from, to - from);
    }
  }
}
