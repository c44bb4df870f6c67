/**
 * What the caller's memory must be like for an operation: where it lies, who may touch it, how long
 * it is, what it overlaps. The same for every way to carry out a collective, so the engine and
 * MLX's ring share it. No thread of its own; may use the public API alone.
 */
package io.jaccl4j.buffer;
