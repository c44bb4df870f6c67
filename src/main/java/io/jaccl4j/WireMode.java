package io.jaccl4j;

/** What a message on a link carries. The same on all ranks of a group. */
public enum WireMode {
  /**
   * Payload bytes only, with an immediate value that names the operation. Between ranks of this
   * library.
   */
  EXACT,
  /**
   * JACCL's messages: whole buffers, nothing that names the operation. For groups that a rank of
   * MLX is part of.
   */
  MLX
}
