package io.jaccl4j.fabric.verbs;

/**
 * What one rank makes of one device, in kinds that a device limits in number. Bytes are none of
 * them: a device limits those of one region, the system those of the process.
 */
record DeviceShare(int queuePairs, int memoryRegions, int completionQueues, int protectionDomains) {

  DeviceShare plus(DeviceShare other) {
    return new DeviceShare(
        queuePairs + other.queuePairs,
        memoryRegions + other.memoryRegions,
        completionQueues + other.completionQueues,
        protectionDomains + other.protectionDomains);
  }
}
