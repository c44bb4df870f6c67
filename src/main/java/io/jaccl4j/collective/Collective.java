package io.jaccl4j.collective;

import io.jaccl4j.fabric.CompletionHandler;

/**
 * One operation under way. {@link #start()} posts what can be posted; each completion moves it on;
 * it is over when {@link #isDone()}. A failure is thrown out of these methods and leaves the links
 * in an unknown state: the group has failed.
 */
public interface Collective extends CompletionHandler {

  /** Posts what can be posted at once. */
  void start();

  /** Whether this rank's part is complete and its buffers are free. */
  boolean isDone();

  /** The rank that holds this operation up, or -1 if it holds itself up. */
  int awaitedPeer();

  /** For errors: what exactly is awaited. */
  String awaiting();
}
