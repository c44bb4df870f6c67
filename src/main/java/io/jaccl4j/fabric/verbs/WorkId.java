package io.jaccl4j.fabric.verbs;

/**
 * The id of a work request: what it is, of which link, and which one of that kind on that link. So
 * a completion that a provider repeats, makes up or reports for another link is told apart.
 *
 * <pre>
 * bits  0-39   number on that link
 *      40-55   index of the link
 *      56-63   kind
 * </pre>
 */
final class WorkId {
  static final int RECEIVE = 1;
  static final int SEND = 2;

  private static final int LINK_SHIFT = 40;
  private static final int KIND_SHIFT = 56;
  private static final long NUMBER_MASK = (1L << LINK_SHIFT) - 1;
  private static final int LINK_MASK = 0xFFFF;

  private WorkId() {}

  static long of(int kind, int link, long number) {
    return (long) kind << KIND_SHIFT | (long) link << LINK_SHIFT | number & NUMBER_MASK;
  }

  static int kind(long id) {
    return (int) (id >>> KIND_SHIFT);
  }

  static int link(long id) {
    return (int) (id >>> LINK_SHIFT) & LINK_MASK;
  }

  static boolean hasNumber(long id, long number) {
    return (id & NUMBER_MASK) == (number & NUMBER_MASK);
  }

  static String describe(long id) {
    String kind =
        switch (kind(id)) {
          case RECEIVE -> "receive ";
          case SEND -> "send ";
          default -> "unknown work ";
        };
    return kind + (id & NUMBER_MASK) + " of link " + link(id);
  }
}
