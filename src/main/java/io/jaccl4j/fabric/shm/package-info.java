/**
 * Links between ranks on one host: one mapped file per group, a ring of descriptors per ordered
 * pair of ranks, payloads read in place from the sender's memory. Polled by the engine thread; no
 * thread of its own, no system call on the data path.
 */
package io.jaccl4j.fabric.shm;
