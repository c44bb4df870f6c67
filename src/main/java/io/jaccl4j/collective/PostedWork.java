package io.jaccl4j.collective;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import java.util.Locale;

/**
 * The receives, or the sends, of one link that have not completed. Each gets an id that no other
 * has in the life of its group, and they complete in the order of posting. So a completion that a
 * fabric repeats, makes up or reports for another link is told apart and never taken for data.
 *
 * <pre>
 * id   bit  0        kind
 *      bits 1-16     wire
 *      bits 17-63    number on that link
 * </pre>
 */
final class PostedWork {
  /** More than any operation has under way on one link. A power of two. */
  private static final int CAPACITY = 16;

  private static final int WIRE_SHIFT = 1;
  private static final int NUMBER_SHIFT = 17;

  /** What is posted. */
  enum Kind {
    RECEIVE,
    SEND
  }

  private final int idBase;
  private final int[] places = new int[CAPACITY];
  private long posted;
  private long completed;

  PostedWork(Kind kind, int wire) {
    this.idBase = wire << WIRE_SHIFT | kind.ordinal();
  }

  /** The id of the next request. */
  long post() {
    return post(0);
  }

  /**
   * The id of the next request.
   *
   * @param place given back when it completes
   */
  long post(int place) {
    if (posted - completed == CAPACITY) {
      throw new IllegalStateException("more than " + CAPACITY + " requests under way on one link");
    }
    places[(int) posted & (CAPACITY - 1)] = place;
    return id(posted++);
  }

  /** Takes the completion of the oldest request and returns its place. */
  int complete(Link link, long workId) {
    if (completed == posted || workId != id(completed)) {
      throw unexpected(link, workId);
    }
    return places[(int) completed++ & (CAPACITY - 1)];
  }

  private long id(long number) {
    return number << NUMBER_SHIFT | idBase;
  }

  private FabricException unexpected(Link link, long workId) {
    return new FabricException(
        link.peer(),
        "unexpected completion of "
            + describe(workId)
            + " on wire "
            + link.wire()
            + " to rank "
            + link.peer()
            + ", want "
            + (completed == posted ? "none" : describe(id(completed)))
            + "; the fabric repeated, invented or misdirected it",
        null);
  }

  private static String describe(long workId) {
    int kind = (int) workId & 1;
    return Kind.values()[kind].name().toLowerCase(Locale.ROOT)
        + " "
        + (workId >> NUMBER_SHIFT)
        + " of wire "
        + ((int) (workId >> WIRE_SHIFT) & 0xFFFF);
  }
}
