package io.jaccl4j.engine;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import java.util.Optional;

/** Hears what happens in an engine, on the engine thread: return at once, never throw. */
public interface EngineListener {

  /** Links came up, or an operation is slow. */
  void onEvent(GroupEvent event);

  /**
   * The engine has ended; nothing follows. Not called if the group never became ready.
   *
   * @param failure the first cause, or empty if this rank closed the group
   * @param completedCollectives how many collectives this rank had completed
   */
  void onTerminated(Optional<GroupFailure> failure, long completedCollectives);
}
