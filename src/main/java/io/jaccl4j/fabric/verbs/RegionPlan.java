package io.jaccl4j.fabric.verbs;

/**
 * How a slab is cut into memory regions: one, unless the device takes none as large. Each begins a
 * stride after the one before it and ends a slot later than the next one begins, so that whatever a
 * message sends or fills lies in one region as a whole, wherever it begins.
 *
 * @param slabBytes all of it
 * @param slotBytes longest message
 * @param strideBytes from the beginning of a region to the beginning of the next
 * @param count number of regions
 */
record RegionPlan(long slabBytes, int slotBytes, long strideBytes, int count) {

  /**
   * Plans.
   *
   * @param maxRegionBytes largest region, unsigned; 0 if the device does not say
   */
  static RegionPlan of(long slabBytes, int slotBytes, long maxRegionBytes) {
    if (maxRegionBytes == 0 || Long.compareUnsigned(slabBytes, maxRegionBytes) <= 0) {
      return new RegionPlan(slabBytes, slotBytes, slabBytes, 1);
    }
    // A limit that is too low even for this is a finding of the preflight.
    long bytes = Math.max(maxRegionBytes, smallestBytes(slotBytes));
    long strideBytes = (bytes - slotBytes) & -VerbsMemory.ALIGNMENT_BYTES;
    return new RegionPlan(
        slabBytes, slotBytes, strideBytes, Math.toIntExact(Math.ceilDiv(slabBytes, strideBytes)));
  }

  /** The smallest region that a slab can be cut into, if it must be cut. */
  static long smallestBytes(int slotBytes) {
    return slotBytes + VerbsMemory.ALIGNMENT_BYTES;
  }

  /** Where a region begins in the slab. */
  long offset(int region) {
    return region * strideBytes;
  }

  /** How long a region is. */
  long bytes(int region) {
    long end = Math.min(slabBytes, offset(region) + strideBytes + slotBytes);
    return (count == 1 ? slabBytes : end) - offset(region);
  }

  /** The region of what begins at an offset of the slab. */
  int regionOf(long offset) {
    return count == 1 ? 0 : (int) (offset / strideBytes);
  }
}
