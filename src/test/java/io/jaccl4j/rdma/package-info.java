/**
 * Tests on real RDMA devices, tagged {@code rdma}: they run wherever the verbs library lists a
 * device, and are skipped with a reason elsewhere. {@link io.jaccl4j.rdma.RdmaTests} runs them
 * alone, without Maven, for instance inside a virtual machine that has such devices.
 */
package io.jaccl4j.rdma;
