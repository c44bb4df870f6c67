/**
 * Measures one operation between the ranks of a group, size by size, beside a copy of the same
 * bytes in one process. Written against {@link io.jaccl4j.Session} alone, so that the same code
 * measures the operations on the engine thread and the hand-over from another.
 */
package io.jaccl4j.cli.bench;
