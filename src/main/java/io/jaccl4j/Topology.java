package io.jaccl4j;

/** How the ranks of a group are linked. */
public enum Topology {
  /** Whatever the fabric and the cabling allow, a mesh first. */
  AUTO,
  /** Every rank is linked to every other. */
  MESH,
  /** Every rank is linked to the next and the previous one. */
  RING
}
