package io.jaccl4j.testing.emulated;

/** What can be scripted to happen when a rank posts a certain request. */
public enum PostFault {
  /** The post is refused with an exception; nothing else changes. */
  REFUSE,
  /**
   * The post is refused, and nothing of this rank moves any more: what its peers see of a crash.
   */
  DIE,
  /** The post is accepted, and nothing of this rank moves until it is thawed. */
  FREEZE,
  /** The post is accepted, and its wire delivers nothing any more. */
  CUT
}
