package io.jaccl4j.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Orders in which a rank may have reduced what it received. */
final class Orders {
  /** Beyond it all orders are too many to be tried for every element. */
  private static final int MOST_RANKS_IN_ANY_ORDER = 5;

  private static final Map<Key, List<int[]>> KNOWN = new ConcurrentHashMap<>();

  private record Key(int size, int first, boolean any) {}

  private Orders() {}

  /**
   * All orders that begin with a rank, the one by rank first.
   *
   * @param any whether what follows comes in any order; then of few ranks all orders, of many the
   *     one by rank alone, which a group of this library keeps to
   */
  static List<int[]> of(int size, int first, boolean any) {
    return KNOWN.computeIfAbsent(new Key(size, first, any), Orders::compute);
  }

  private static List<int[]> compute(Key key) {
    List<Integer> rest = new ArrayList<>();
    for (int rank = 0; rank < key.size(); rank++) {
      if (rank != key.first()) {
        rest.add(rank);
      }
    }
    List<int[]> orders = new ArrayList<>();
    boolean all = key.any() && key.size() <= MOST_RANKS_IN_ANY_ORDER;
    permute(new ArrayList<>(List.of(key.first())), rest, all, orders);
    return orders;
  }

  private static void permute(
      List<Integer> taken, List<Integer> rest, boolean all, List<int[]> orders) {
    if (rest.isEmpty()) {
      orders.add(taken.stream().mapToInt(Integer::intValue).toArray());
      return;
    }
    for (int i = 0; i < (all ? rest.size() : 1); i++) {
      List<Integer> longer = new ArrayList<>(taken);
      longer.add(rest.get(i));
      List<Integer> shorter = new ArrayList<>(rest);
      shorter.remove(i);
      permute(longer, shorter, all, orders);
    }
  }
}
