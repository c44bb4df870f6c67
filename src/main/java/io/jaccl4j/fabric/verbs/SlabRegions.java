package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The registration of a rank's slab with one device. */
final class SlabRegions {
  /** What JACCL registers with; a provider of Apple's is said to refuse less. */
  static final int ALL_ACCESS =
      IbvConstants.IBV_ACCESS_LOCAL_WRITE
          | IbvConstants.IBV_ACCESS_REMOTE_WRITE
          | IbvConstants.IBV_ACCESS_REMOTE_READ;

  private final RegionPlan plan;
  private final long slabAddress;
  private final List<NativeObject> regions = new ArrayList<>();
  private final int[] lkeys;

  private SlabRegions(RegionPlan plan, MemorySegment slab) {
    this.plan = plan;
    this.slabAddress = slab.address();
    this.lkeys = new int[plan.count()];
  }

  /** Registers all of a slab, or nothing. */
  static SlabRegions register(
      DeviceContext context, NativeObject domain, MemorySegment slab, RegionPlan plan) {
    SlabRegions registered = new SlabRegions(plan, slab);
    try {
      for (int i = 0; i < plan.count(); i++) {
        NativeObject region = region(context, domain, slab, plan, i);
        registered.regions.add(region);
        registered.lkeys[i] = lkeyOf(region);
      }
    } catch (RuntimeException e) {
      registered.destroyAfter(e);
      throw e;
    }
    return registered;
  }

  private static NativeObject region(
      DeviceContext context, NativeObject domain, MemorySegment slab, RegionPlan plan, int index) {
    Ibverbs verbs = context.verbs();
    MemorySegment part = slab.asSlice(plan.offset(index), plan.bytes(index));
    return NativeObject.make(
        verbs,
        context.name(),
        "ibv_reg_mr",
        () -> register(verbs, domain.pointer(), part),
        () ->
            " for "
                + part.byteSize()
                + " bytes"
                + (plan.count() == 1 ? "" : ", region " + (index + 1) + " of " + plan.count())
                + "; raise the limit of locked memory (ulimit -l), or lower"
                + " jaccl4j.memory.registered-bytes or slot-bytes on all ranks",
        "ibv_dereg_mr",
        verbs::ibv_dereg_mr);
  }

  private static MemorySegment register(Ibverbs verbs, MemorySegment domain, MemorySegment part) {
    MemorySegment localOnly =
        verbs.ibv_reg_mr(domain, part, part.byteSize(), IbvConstants.IBV_ACCESS_LOCAL_WRITE);
    boolean refused = localOnly.equals(MemorySegment.NULL) && verbs.errno() != Errno.ENOMEM;
    return refused ? verbs.ibv_reg_mr(domain, part, part.byteSize(), ALL_ACCESS) : localOnly;
  }

  @SuppressWarnings("restricted") // The head of the library's own structure.
  private static int lkeyOf(NativeObject region) {
    return region
        .pointer()
        .reinterpret(IbvStructs.IBV_MR.byteSize())
        .get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_MR, "lkey"));
  }

  /** Key for a work request whose bytes begin at an offset of the slab. */
  int lkey(long offset) {
    return lkeys[plan.regionOf(offset)];
  }

  /** Address of an offset of the slab. */
  long address(long offset) {
    return slabAddress + offset;
  }

  int count() {
    return lkeys.length;
  }

  /** No queue pair of the domain may be left. Idempotent. */
  void destroy() {
    Cleanup.runAll(regions.stream().map(region -> (Runnable) region::destroy).toList());
  }

  private void destroyAfter(RuntimeException cause) {
    try {
      destroy();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
