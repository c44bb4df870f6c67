package io.jaccl4j.collective;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.Kernels;
import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The operations of a full mesh, as JACCL schedules them.
 *
 * <p>All-reduce of two ranks, or of at most {@code jaccl4j.mesh.small-bytes}: every rank sends all
 * to all ({@link MeshFullReduce}). Otherwise with {@code c = count / ranks}: reduce-scatter of
 * {@code c} elements per rank into the rank's block of the output, all-gather of these blocks, and
 * the same as for small buffers for the last {@code count % ranks} elements. Reductions are in rank
 * order everywhere.
 *
 * <p>Not JACCL's: over links whose messages cost more than their way, an all-reduce or all-gather
 * of small blocks and a barrier of four or more ranks pass the blocks on from rank to rank ({@link
 * BruckGather}). The results are the same, bit for bit.
 */
public final class MeshAlgorithms implements Algorithms {
  private static final int BARRIER_BYTES = 1;

  private final MeshLinks mesh;
  private final long smallBytes;
  private final MeshFullReduce fullReduce;
  private final BruckAllReduce bruckReduce;
  private final BruckAllGather bruckGather;
  private final MeshSumScatter sumScatter;
  private final MeshAllGather allGather;
  private final MeshExchange exchange;
  private final MeshSend send;
  private final MeshReceive receive;
  private final Phases phases = new Phases();
  private final MemorySegment barrierIn = Arena.ofAuto().allocate(BARRIER_BYTES);
  private final MemorySegment barrierOut = Arena.ofAuto().allocate(BARRIER_BYTES);
  private final ElementRules rules;
  private final ReduceKernel barrierKernel;

  public MeshAlgorithms(
      int rank, int size, Fabric fabric, GroupSettings.Mesh settings, WireMode wire) {
    this.mesh = new MeshLinks(rank, size, fabric, wire);
    this.rules = wire == WireMode.MLX ? ElementRules.JACCL : ElementRules.REPRODUCIBLE;
    this.barrierKernel = Kernels.of(ReduceOp.MAX, Dtype.UINT8, rules);
    this.smallBytes = settings.smallBytes();
    this.fullReduce = new MeshFullReduce(mesh);
    this.bruckReduce = new BruckAllReduce(mesh);
    this.bruckGather = new BruckAllGather(mesh);
    this.sumScatter = new MeshSumScatter(mesh);
    this.allGather = new MeshAllGather(mesh);
    this.exchange = new MeshExchange(mesh);
    this.send = new MeshSend(mesh);
    this.receive = new MeshReceive(mesh);
  }

  /** The wires of a mesh of so many ranks: one for each pair. */
  public static List<Wire> wires(int size) {
    return MeshLinks.wires(size);
  }

  /** Number of the wire between two ranks. */
  public static int wire(int size, int rank, int peer) {
    int first = Math.min(rank, peer);
    int second = Math.max(rank, peer);
    return first * (2 * size - first - 1) / 2 + second - first - 1;
  }

  /** Staging slots that a mesh of so many ranks needs. */
  public static int slotsNeeded(int size) {
    return MeshLinks.slotsNeeded(size);
  }

  @Override
  public Collective allReduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    ReduceKernel kernel = Kernels.of(op, dtype, rules);
    long bytes = in.byteSize();
    int elementBytes = dtype.bytes();
    if (mesh.size() == 2 || bytes <= smallBytes || passesOn(bytes)) {
      return reduceSmall(kernel, elementBytes, in, out, 0, bytes, tag);
    }
    long blockBytes = bytes / elementBytes / mesh.size() * elementBytes;
    long ownOffset = mesh.rank() * blockBytes;
    long tailOffset = mesh.size() * blockBytes;
    return phases
        .clear()
        .then(sumScatter.prepare(kernel, elementBytes, in, blockBytes, out, ownOffset, tag))
        .then(allGather.prepare(out, ownOffset, blockBytes, out, tag))
        .then(reduceSmall(kernel, elementBytes, in, out, tailOffset, bytes - tailOffset, tag));
  }

  /** Of {@code bytes} from {@code base} on, at the same place in both buffers. */
  private Collective reduceSmall(
      ReduceKernel kernel,
      int elementBytes,
      MemorySegment in,
      MemorySegment out,
      long base,
      long bytes,
      int tag) {
    return passesOn(bytes)
        ? bruckReduce.prepare(kernel, elementBytes, in, out, base, (int) bytes, tag)
        : fullReduce.prepare(kernel, elementBytes, in, out, base, bytes, tag);
  }

  private boolean passesOn(long bytes) {
    return mesh.passesOn() && bytes <= bruckGather.longestBlockBytes();
  }

  @Override
  public Collective allGather(MemorySegment in, MemorySegment out, int tag) {
    long bytes = in.byteSize();
    return passesOn(bytes)
        ? bruckGather.prepare(in, (int) bytes, out, tag)
        : allGather.prepare(in, 0, bytes, out, tag);
  }

  @Override
  public Collective sumScatter(Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    ReduceKernel kernel = Kernels.of(ReduceOp.SUM, dtype, rules);
    return sumScatter.prepare(kernel, dtype.bytes(), in, out.byteSize(), out, 0, tag);
  }

  @Override
  public Collective broadcast(MemorySegment data, int root, int tag) {
    exchange.begin(data.byteSize(), tag);
    return mesh.rank() == root
        ? exchange.sends(data, 0).toAll()
        : exchange.receives(data, 0).from(root);
  }

  @Override
  public Collective reduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int root, int tag) {
    return mesh.rank() == root
        ? sumScatter.prepareRoot(Kernels.of(op, dtype, rules), dtype.bytes(), in, out, tag)
        : exchange.begin(in.byteSize(), tag).sends(in, 0).to(root);
  }

  @Override
  public Collective gather(MemorySegment in, MemorySegment out, int root, int tag) {
    long bytes = in.byteSize();
    exchange.begin(bytes, tag);
    if (mesh.rank() != root) {
      return exchange.sends(in, 0).to(root);
    }
    copyOwn(in, out.asSlice(root * bytes, bytes));
    return exchange.receives(out, bytes).fromAll();
  }

  @Override
  public Collective scatter(MemorySegment in, MemorySegment out, int root, int tag) {
    long bytes = out.byteSize();
    exchange.begin(bytes, tag);
    if (mesh.rank() != root) {
      return exchange.receives(out, 0).from(root);
    }
    copyOwn(in.asSlice(root * bytes, bytes), out);
    return exchange.sends(in, bytes).toAll();
  }

  @Override
  public Collective allToAll(MemorySegment in, MemorySegment out, int tag) {
    long bytes = in.byteSize() / mesh.size();
    copyOwn(in.asSlice(mesh.rank() * bytes, bytes), out.asSlice(mesh.rank() * bytes, bytes));
    return exchange.begin(bytes, tag).sends(in, bytes).toAll().receives(out, bytes).fromAll();
  }

  private static void copyOwn(MemorySegment from, MemorySegment to) {
    if (from.address() != to.address()) {
      to.copyFrom(from);
    }
  }

  @Override
  public boolean reaches(int peer) {
    return true;
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
  public Collective barrier(int tag) {
    return reduceSmall(barrierKernel, BARRIER_BYTES, barrierIn, barrierOut, 0, BARRIER_BYTES, tag);
  }

  @Override
  public Traffic traffic() {
    return mesh.traffic();
  }

  @Override
  public String describe() {
    return "mesh of "
        + mesh.size()
        + " (all-reduce "
        + choices()
        + "; reduced in rank order by "
        + Kernels.providerName()
        + " kernels)";
  }

  private String choices() {
    if (mesh.size() == 2) {
      return "sends all to all at any size, since there are two ranks";
    }
    String small = "";
    long limit = -1;
    if (mesh.passesOn()) {
      limit = bruckGather.longestBlockBytes();
      small = "passes all inputs on up to " + limit + " bytes, above that ";
    }
    if (limit < smallBytes) {
      small += "sends all to all up to " + smallBytes + " bytes, above that ";
    }
    return small + "reduce-scatter and all-gather";
  }
}
