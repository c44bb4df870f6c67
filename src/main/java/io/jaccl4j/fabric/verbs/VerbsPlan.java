package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;

/**
 * What a rank will ask of its devices.
 *
 * @param queuePair what each queue pair is made with
 * @param links number of queue pairs of this rank
 * @param slotBytes longest message
 * @param slabBytes memory that is registered with every device
 */
record VerbsPlan(QueuePairPlan queuePair, int links, int slotBytes, long slabBytes) {

  /**
   * Plans.
   *
   * @param thunderbolt whether the provider is Apple's, which has unreliable connections alone
   */
  static VerbsPlan of(FabricRequest request, boolean thunderbolt) {
    boolean whole = request.settings().wire() == WireMode.MLX;
    int sends = whole ? WholeBufferLink.SENDS : CreditLink.SENDS;
    int receives = whole ? WholeBufferLink.RECEIVES : CreditLink.RECEIVES;
    int links = (int) request.wires().stream().filter(wire -> wire.ends(request.rank())).count();
    return new VerbsPlan(
        new QueuePairPlan(
            type(request.settings().verbs().queuePair(), thunderbolt),
            sends,
            receives,
            QueuePairPlan.timeoutExponent(request.settings().operationTimeout())),
        links,
        request.settings().memory().slotBytes(),
        VerbsMemory.bytes(
            request.settings().memory().slotBytes(),
            request.sendSlots(),
            links,
            receives,
            request.settings().memory().registeredBytes()));
  }

  private static int type(QueuePairType wanted, boolean thunderbolt) {
    return switch (wanted) {
      case RC -> IbvConstants.IBV_QPT_RC;
      case UC -> IbvConstants.IBV_QPT_UC;
      case AUTO -> thunderbolt ? IbvConstants.IBV_QPT_UC : IbvConstants.IBV_QPT_RC;
    };
  }

  /** How the slab is registered with a device. */
  RegionPlan regions(DeviceLimits limits) {
    return RegionPlan.of(slabBytes, slotBytes, limits.maxRegionBytes());
  }

  /** What this rank makes of a device that some of the links use. */
  DeviceShare share(DeviceLimits limits, int linksOfDevice) {
    return new DeviceShare(linksOfDevice, regions(limits).count(), 1, 1);
  }

  /** Entries of a completion queue for some of the links. */
  int completionEntries(int linksOfDevice) {
    return linksOfDevice * (queuePair.sends() + queuePair.receives());
  }
}
