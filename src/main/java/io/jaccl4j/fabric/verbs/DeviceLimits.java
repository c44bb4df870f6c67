package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * What a device says it can do.
 *
 * @param maxQueuePairs per device, over all processes
 * @param maxWorkRequests posted at one time in one queue
 * @param maxCompletionEntries of one completion queue
 * @param maxMemoryRegions per device, over all processes
 * @param maxRegionBytes of one memory region
 */
record DeviceLimits(
    int maxQueuePairs,
    int maxWorkRequests,
    int maxCompletionEntries,
    int maxMemoryRegions,
    long maxRegionBytes) {

  /** Of a device that does not say. */
  static final DeviceLimits UNKNOWN = new DeviceLimits(-1, -1, -1, -1, 0);

  static DeviceLimits read(MemorySegment attr) {
    return new DeviceLimits(
        field(attr, "max_qp"),
        field(attr, "max_qp_wr"),
        field(attr, "max_cqe"),
        field(attr, "max_mr"),
        attr.get(JAVA_LONG, IbvStructs.offset(IbvStructs.IBV_DEVICE_ATTR, "max_mr_size")));
  }

  private static int field(MemorySegment attr, String name) {
    return attr.get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_DEVICE_ATTR, name));
  }
}
