package io.jaccl4j.ring;

/** One operation under way, moved on by the ring's thread until it is done. */
interface Activity {

  /** Moves what can be moved without waiting; how many bytes that was. */
  long advance();

  boolean isDone();

  /** Selection operations that this waits for on a connection. */
  int interest(Connection connection);

  /** Whether it cannot be completed without this connection. */
  boolean needs(Connection connection);

  /** The rank that holds it up. */
  int awaitedPeer();

  /** For errors: how far it got with whom. */
  String awaiting();
}
