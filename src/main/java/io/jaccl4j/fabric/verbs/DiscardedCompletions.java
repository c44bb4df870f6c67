package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/** Takes completions that nobody waits for any more. */
enum DiscardedCompletions implements CompletionHandler {
  INSTANCE;

  @Override
  public void onSendComplete(Link link, long workId) {}

  @Override
  public void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {}
}
