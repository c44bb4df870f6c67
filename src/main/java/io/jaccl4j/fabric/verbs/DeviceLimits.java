package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.MemorySegment;

/**
 * What a device says it can do.
 *
 * @param maxQueuePairs per device, over all processes
 * @param maxWorkRequests posted at one time in one queue
 * @param maxCompletionEntries of one completion queue
 * @param maxCompletionQueues per device, over all processes
 * @param maxMemoryRegions per device, over all processes
 * @param maxProtectionDomains per device, over all processes
 * @param maxRegionBytes of one memory region, 0 if it does not say
 */
record DeviceLimits(
    int maxQueuePairs,
    int maxWorkRequests,
    int maxCompletionEntries,
    int maxCompletionQueues,
    int maxMemoryRegions,
    int maxProtectionDomains,
    long maxRegionBytes) {

  /** Of a device that does not say. */
  static final DeviceLimits UNKNOWN = new DeviceLimits(-1, -1, -1, -1, -1, -1, 0);

  /** Apple's provider: documented, and less than its attributes say. */
  private static final int MAX_QUEUE_PAIRS_THUNDERBOLT = 10;

  private static final int MAX_MEMORY_REGIONS_THUNDERBOLT = 100;

  /** A larger region corrupts data from 4 GiB up; this keeps well away. */
  private static final long MAX_REGION_BYTES_THUNDERBOLT = 1L << 30;

  static DeviceLimits read(MemorySegment attr) {
    return new DeviceLimits(
        field(attr, "max_qp"),
        field(attr, "max_qp_wr"),
        field(attr, "max_cqe"),
        field(attr, "max_cq"),
        field(attr, "max_mr"),
        field(attr, "max_pd"),
        attr.get(JAVA_LONG, IbvStructs.offset(IbvStructs.IBV_DEVICE_ATTR, "max_mr_size")));
  }

  /** The same, where they are not lower than what Apple's provider is known to take. */
  DeviceLimits onThunderbolt() {
    return new DeviceLimits(
        atMost(maxQueuePairs, MAX_QUEUE_PAIRS_THUNDERBOLT),
        maxWorkRequests,
        maxCompletionEntries,
        maxCompletionQueues,
        atMost(maxMemoryRegions, MAX_MEMORY_REGIONS_THUNDERBOLT),
        maxProtectionDomains,
        maxRegionBytes == 0
            ? MAX_REGION_BYTES_THUNDERBOLT
            : leastUnsigned(maxRegionBytes, MAX_REGION_BYTES_THUNDERBOLT));
  }

  /** What is not told, or cannot be held in an int, is what is known. */
  private static int atMost(int told, int known) {
    return told <= 0 ? known : Math.min(told, known);
  }

  private static long leastUnsigned(long first, long second) {
    return Long.compareUnsigned(first, second) < 0 ? first : second;
  }

  private static int field(MemorySegment attr, String name) {
    return attr.get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_DEVICE_ATTR, name));
  }
}
