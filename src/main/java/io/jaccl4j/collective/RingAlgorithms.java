package io.jaccl4j.collective;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The operations of a ring, as JACCL schedules them, with an all-gather whose two directions carry
 * different halves.
 *
 * <p>Order of reduction. All-reduce: the element in chunk {@code q = i / ceil(count / ranks)}
 * begins with rank {@code q}'s value; ranks {@code q+1, q+2, ...} follow in direction 0, {@code
 * q-1, q-2, ...} in direction 1, each {@code op(own, received)}. Sum-scatter on rank {@code q}:
 * {@code q+1, ..., q}, or {@code q-1, ..., q}.
 */
public final class RingAlgorithms implements Algorithms {
  private static final int BARRIER_BYTES = 1;

  private final RingLinks ring;
  private final GroupSettings.Ring settings;
  private final ElementRules rules;
  private final RingOperation operation;
  private final RingBroadcast broadcast;
  private final RingSend send;
  private final RingReceive receive;
  private final MemorySegment barrierIn = Arena.ofAuto().allocate(BARRIER_BYTES);
  private final MemorySegment barrierOut = Arena.ofAuto().allocate(BARRIER_BYTES);
  private MemorySegment scratch = MemorySegment.NULL;

  public RingAlgorithms(
      int rank, int size, Fabric fabric, GroupSettings.Ring settings, WireMode wire) {
    this.ring = new RingLinks(rank, size, settings.wires(), fabric, wire);
    this.settings = settings;
    this.rules = wire == WireMode.MLX ? ElementRules.JACCL : ElementRules.REPRODUCIBLE;
    this.operation = new RingOperation(ring);
    this.broadcast = new RingBroadcast(ring);
    this.send = new RingSend(ring);
    this.receive = new RingReceive(ring);
  }

  /** The wires of a ring of so many ranks. */
  public static List<Wire> wires(int size, int wiresPerCable) {
    return RingLinks.wires(size, wiresPerCable);
  }

  /**
   * Number of a wire.
   *
   * @param cable named after the rank that it leaves to the right
   * @param lane which of the cable's wires
   */
  public static int wire(int cable, int lane, int wiresPerCable) {
    return cable * wiresPerCable + lane;
  }

  /** Staging slots that a rank of a ring needs. */
  public static int slotsNeeded(int wiresPerCable) {
    return RingLinks.slotsNeeded(wiresPerCable);
  }

  @Override
  public Collective allReduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    int size = ring.size();
    int elementBytes = dtype.bytes();
    long count = in.byteSize() / elementBytes;
    boolean small = in.byteSize() <= settings.smallBytes() || count < 2L * size * ring.lanes();
    long chunkBytes = (count + size - 1) / size * elementBytes;
    int steps = count == 0 ? 0 : 2 * (size - 1);
    operation
        .plan()
        .lay(
            small ? 1 : RingLinks.DIRECTIONS,
            small ? 1 : ring.lanes(),
            steps,
            0,
            chunkBytes,
            in.byteSize(),
            elementBytes);
    return operation.prepare(
        Kernels.of(op, dtype, rules), elementBytes, size - 1, in, out, false, tag);
  }

  @Override
  public Collective allGather(MemorySegment in, MemorySegment out, int tag) {
    long bytes = in.byteSize();
    MemorySegment own = out.asSlice(ring.rank() * bytes, bytes);
    if (own.address() != in.address()) {
      own.copyFrom(in);
    }
    operation
        .plan()
        .lay(
            RingLinks.DIRECTIONS,
            ring.lanes(),
            bytes == 0 ? 0 : ring.size() - 1,
            0,
            bytes,
            out.byteSize(),
            1);
    return operation.prepare(null, 1, 0, out, out, false, tag);
  }

  @Override
  public Collective sumScatter(Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    int size = ring.size();
    long bytes = out.byteSize();
    long count = in.byteSize() / dtype.bytes();
    boolean oneWire = count < 2L * size * ring.lanes() || bytes <= settings.scatterSmallBytes();
    operation
        .plan()
        .lay(
            RingLinks.DIRECTIONS,
            oneWire ? 1 : ring.lanes(),
            bytes == 0 ? 0 : size - 1,
            1,
            bytes,
            in.byteSize(),
            dtype.bytes());
    boolean inPlace = out.address() == in.address() + ring.rank() * bytes;
    if (inPlace && size > 2) {
      // Partial results would overwrite this rank's own values before their turn comes.
      MemorySegment partials = scratch(bytes);
      return new CopyAfter(
          operation.prepare(
              Kernels.of(ReduceOp.SUM, dtype, rules),
              dtype.bytes(),
              size - 1,
              in,
              partials,
              true,
              tag),
          partials,
          out,
          1);
    }
    return operation.prepare(
        Kernels.of(ReduceOp.SUM, dtype, rules), dtype.bytes(), size - 1, in, out, true, tag);
  }

  /** Grows only; what it held before is lost. */
  private MemorySegment scratch(long bytes) {
    if (scratch.byteSize() < bytes) {
      scratch = Arena.ofAuto().allocate(bytes, 64);
    }
    return scratch.asSlice(0, bytes);
  }

  @Override
  public Collective broadcast(MemorySegment data, int root, int tag) {
    return broadcast.prepare(data, root, tag);
  }

  /** All ranks reduce; what the root alone asked for goes to scratch memory elsewhere. */
  @Override
  public Collective reduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int root, int tag) {
    MemorySegment result = ring.rank() == root ? out : scratch(in.byteSize());
    return allReduce(op, dtype, in, result, tag);
  }

  /** All ranks gather: the cable next to the root carries the same bytes either way. */
  @Override
  public Collective gather(MemorySegment in, MemorySegment out, int root, int tag) {
    MemorySegment result = ring.rank() == root ? out : scratch(ring.size() * in.byteSize());
    return allGather(in, result, tag);
  }

  /** All blocks pass all ranks, each of which keeps its own. */
  @Override
  public Collective scatter(MemorySegment in, MemorySegment out, int root, int tag) {
    long bytes = out.byteSize();
    MemorySegment all = ring.rank() == root ? in : scratch(ring.size() * bytes);
    return new CopyAfter(
        broadcast.prepare(all, root, tag), all.asSlice(ring.rank() * bytes, bytes), out, 1);
  }

  /**
   * Every rank's blocks pass all ranks, each of which keeps its own: twice the bytes that have to
   * move, and scratch memory of {@code size} inputs.
   */
  @Override
  public Collective allToAll(MemorySegment in, MemorySegment out, int tag) {
    long bytes = in.byteSize() / ring.size();
    MemorySegment all = scratch(ring.size() * in.byteSize());
    return new CopyAfter(
        allGather(in, all, tag), all.asSlice(ring.rank() * bytes), out, ring.size());
  }

  @Override
  public Collective send(MemorySegment data, int peer, int tag) {
    return send.prepare(data, peer, tag);
  }

  @Override
  public Collective receive(MemorySegment data, int peer, int tag) {
    return receive.prepare(data, peer, tag);
  }

  @Override
  public boolean reaches(int peer) {
    return ring.directionTo(peer) >= 0;
  }

  @Override
  public Collective barrier(int tag) {
    int size = ring.size();
    operation.plan().lay(1, 1, 2 * (size - 1), 0, BARRIER_BYTES, BARRIER_BYTES, 1);
    return operation.prepare(
        Kernels.of(ReduceOp.MAX, Dtype.UINT8, rules),
        1,
        size - 1,
        barrierIn,
        barrierOut,
        false,
        tag);
  }

  @Override
  public Traffic traffic() {
    return ring.traffic();
  }

  @Override
  public String describe() {
    return "ring of "
        + ring.size()
        + " with "
        + ring.lanes()
        + (ring.lanes() == 1 ? " wire" : " wires")
        + " a cable (one direction and wire up to "
        + settings.smallBytes()
        + " bytes, above that both directions; "
        + Kernels.providerName()
        + " kernels)";
  }
}
