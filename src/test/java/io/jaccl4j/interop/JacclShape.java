package io.jaccl4j.interop;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.testing.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A group that runs JACCL's sequence.
 *
 * @param wires between two neighbours of a ring; 1 in a mesh
 */
record JacclShape(boolean ring, int size, int wires) {
  private static final int MAX_RECORDED_SIZE = 4;

  /** Those of which JACCL's own ranks were recorded. */
  static List<JacclShape> recorded() {
    List<JacclShape> shapes = new ArrayList<>();
    for (int size = 2; size <= MAX_RECORDED_SIZE; size++) {
      shapes.add(new JacclShape(false, size, 1));
    }
    for (int size = 2; size <= MAX_RECORDED_SIZE; size++) {
      shapes.add(new JacclShape(true, size, 1));
      shapes.add(new JacclShape(true, size, 2));
    }
    return shapes;
  }

  boolean isRecorded() {
    return size <= MAX_RECORDED_SIZE;
  }

  /** As its recording is called. */
  String name() {
    return (ring ? "ring-" : "mesh-") + size + "-" + wires;
  }

  GroupSettings settings() {
    return TestSettings.of("interop", size)
        .withTopology(ring ? Topology.RING : Topology.MESH)
        .withWire(WireMode.MLX)
        .withRing(new GroupSettings.Ring(wires, 32768, 65536, false));
  }

  Expectation expectation() {
    return new Expectation(ring, size, wires);
  }

  List<Step> steps() {
    return JacclSequence.steps(ring, size);
  }

  /** Queue pairs of each rank. */
  int queuePairs() {
    return ring ? 2 * wires : size - 1;
  }

  /** The number of the wire in our group that one of JACCL's queue pairs is at. */
  int wire(int rank, int queuePair) {
    if (ring) {
      int cable = queuePair < wires ? Math.floorMod(rank - 1, size) : rank;
      return cable * wires + queuePair % wires;
    }
    int peer = queuePair < rank ? queuePair : queuePair + 1;
    int low = Math.min(rank, peer);
    int high = Math.max(rank, peer);
    return low * (2 * size - low - 1) / 2 + high - low - 1;
  }

  /** The place of one of JACCL's queue pairs among ours of the same rank, which go by wires. */
  int ordinal(int rank, int queuePair) {
    int wire = wire(rank, queuePair);
    return (int) IntStream.range(0, queuePairs()).filter(q -> wire(rank, q) < wire).count();
  }

  @Override
  public String toString() {
    return (ring ? "ring " : "mesh ") + size + (wires == 1 ? "" : " with " + wires + " wires");
  }
}
