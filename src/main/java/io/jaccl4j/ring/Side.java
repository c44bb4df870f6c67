package io.jaccl4j.ring;

/** Which neighbour: the one whose connections this rank accepts, or the one it connects to. */
enum Side {
  LEFT,
  RIGHT;

  Side opposite() {
    return this == LEFT ? RIGHT : LEFT;
  }

  /** The neighbour's rank. */
  int of(int rank, int size) {
    return Math.floorMod(this == LEFT ? rank - 1 : rank + 1, size);
  }
}
