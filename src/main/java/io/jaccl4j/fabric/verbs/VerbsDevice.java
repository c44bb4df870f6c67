package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.IbvContextOps;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What one rank has of one device: context, protection domain, completion queue, the registration
 * of the slab, queue pairs. Given back in the order that every provider takes: queue pairs,
 * regions, completion queue, domain, context.
 */
final class VerbsDevice implements AutoCloseable {
  private final DeviceContext context;
  private final Gid gid;
  private final PortState port;
  private final IbvContextOps ops;
  private final AsyncEvents asyncEvents;
  private final DeviceLedger.Entry share;
  private final RegionPlan regionPlan;
  private final List<QueuePair> queuePairs = new ArrayList<>();
  private NativeObject protectionDomain;
  private NativeObject completionChannel;
  private CompletionQueue completions;
  private SlabRegions regions;

  /**
   * Takes a device over.
   *
   * @param share what is set aside of it for this rank
   * @param regionPlan how the slab is registered
   * @param gid the address of its port, all zero on InfiniBand
   */
  VerbsDevice(
      DeviceContext context,
      DeviceLedger.Entry share,
      RegionPlan regionPlan,
      PortState port,
      Gid gid) {
    this.context = context;
    this.share = share;
    this.regionPlan = regionPlan;
    this.port = port;
    this.gid = gid;
    this.ops = context.verbs().ops(context.pointer());
    this.asyncEvents = new AsyncEvents(context);
  }

  /**
   * Makes domain and completion queue, and registers the slab.
   *
   * @param events whether a thread will sleep until there is a completion
   */
  void allocate(Arena arena, int completionEntries, boolean events, MemorySegment slab) {
    Ibverbs verbs = context.verbs();
    protectionDomain =
        NativeObject.make(
            verbs,
            context.name(),
            "ibv_alloc_pd",
            () -> verbs.ibv_alloc_pd(context.pointer()),
            () ->
                "; stale resources of earlier processes, or a port that is down: a restart of the"
                    + " machine may be needed",
            "ibv_dealloc_pd",
            verbs::ibv_dealloc_pd);
    if (events) {
      completionChannel =
          NativeObject.make(
              verbs,
              context.name(),
              "ibv_create_comp_channel",
              () -> verbs.ibv_create_comp_channel(context.pointer()),
              () -> "; set jaccl4j.idle.events = off",
              "ibv_destroy_comp_channel",
              verbs::ibv_destroy_comp_channel);
    }
    completions = new CompletionQueue(context, ops, arena, completionEntries, completionChannel());
    regions = SlabRegions.register(context, protectionDomain, slab, regionPlan);
  }

  /** A queue pair in {@code INIT}. */
  QueuePair queuePair(QueuePairPlan plan, String link) {
    QueuePair queuePair = new QueuePair(context, protectionDomain, completions, plan, link);
    queuePairs.add(queuePair);
    queuePair.init();
    return queuePair;
  }

  /** Gives one queue pair back before all others. */
  void destroy(QueuePair queuePair) {
    queuePairs.remove(queuePair);
    queuePair.destroy();
  }

  String name() {
    return context.name();
  }

  Gid gid() {
    return gid;
  }

  PortState port() {
    return port;
  }

  IbvContextOps ops() {
    return ops;
  }

  CompletionQueue completions() {
    return completions;
  }

  /** What a completion wakes a sleeper through, or a null pointer. */
  MemorySegment completionChannel() {
    return completionChannel == null ? MemorySegment.NULL : completionChannel.pointer();
  }

  /** The slab, for work requests of this device. */
  SlabRegions regions() {
    return regions;
  }

  /**
   * Looks for trouble that no completion tells.
   *
   * @throws FabricException if the device or its port has failed
   */
  void check() {
    asyncEvents.check();
  }

  /** Idempotent; goes on to the end whatever fails, and throws the first failure. */
  @Override
  public void close() {
    List<Runnable> steps = new ArrayList<>();
    queuePairs.forEach(queuePair -> steps.add(queuePair::destroy));
    if (regions != null) {
      steps.add(regions::destroy);
    }
    if (completions != null) {
      steps.add(completions::destroy);
    }
    if (completionChannel != null) {
      steps.add(completionChannel::destroy);
    }
    if (protectionDomain != null) {
      steps.add(protectionDomain::destroy);
    }
    steps.add(context::close);
    steps.add(share::release);
    Cleanup.runAll(steps);
  }
}
