package io.jaccl4j.ring;

import java.util.List;
import java.util.stream.Stream;

/**
 * All connections of one rank to its neighbours.
 *
 * @param left in the order of this rank's addresses
 * @param right in the order of the right neighbour's addresses
 * @param relays one connection to the left and one to the right for what is passed on between ranks
 *     that are not neighbours; none if there are no such ranks
 */
record Neighbours(List<Connection> left, List<Connection> right, List<Connection> relays) {
  Neighbours {
    left = List.copyOf(left);
    right = List.copyOf(right);
    relays = List.copyOf(relays);
  }

  List<Connection> of(Side side) {
    return side == Side.LEFT ? left : right;
  }

  /** Connections that carry operations. */
  List<Connection> direct() {
    return Stream.concat(left.stream(), right.stream()).toList();
  }

  List<Connection> all() {
    return Stream.concat(direct().stream(), relays.stream()).toList();
  }
}
