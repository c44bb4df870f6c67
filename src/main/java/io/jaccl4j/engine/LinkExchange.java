package io.jaccl4j.engine;

/** What ranks say to each other over the side channel while they bring their links up. */
public enum LinkExchange {
  /** Our own: contributions of any length, failures told, the channel closed once links are up. */
  OWN,
  /**
   * {@link #OWN}, but the channel stays open as long as the group, and a peer that closes it is
   * lost; for ranks that hear of each other in no other way.
   */
  OWN_WATCHED,
  /**
   * JACCL's: exactly the gathers of its ranks, so that they can be among ours. The channel stays
   * open as long as the group, and a peer that closes it is lost.
   */
  JACCL
}
