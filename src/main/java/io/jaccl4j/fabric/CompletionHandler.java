package io.jaccl4j.fabric;

import java.lang.foreign.MemorySegment;

/** Receives the completions of a {@link Fabric#poll}, on the thread that polls. */
public interface CompletionHandler {

  /** The memory of a send may be reused. */
  void onSendComplete(Link link, long workId);

  /**
   * A message is there. It stays readable until {@link Link#release()}.
   *
   * @param memory where it is; not necessarily memory of this rank
   * @param offset of its first byte
   */
  void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate);
}
