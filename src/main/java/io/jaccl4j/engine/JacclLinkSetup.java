package io.jaccl4j.engine;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.collective.MeshAlgorithms;
import io.jaccl4j.collective.RingAlgorithms;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.JacclFabric;
import io.jaccl4j.sidechannel.TypedGathers;
import io.jaccl4j.sidechannel.UniformAllGather;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Brings the links of one rank up as JACCL's ranks do, gather for gather.
 *
 * <pre>
 * mesh    a vector of destinations, one per rank: what rank p needs to reach me is at place p;
 *         a barrier once connected
 * ring    a vector of destinations towards the left neighbour, one per wire; one towards the right;
 *         a barrier once connected
 * </pre>
 *
 * <p>There is no way to tell the others of a failure: a rank that fails closes the channel.
 */
final class JacclLinkSetup {
  private final Formation formation;
  private final boolean ring;
  private final TypedGathers gathers;

  JacclLinkSetup(Formation formation, boolean ring, NanoClock clock) {
    this.formation = formation;
    this.ring = ring;
    this.gathers =
        new TypedGathers(
            UniformAllGather.over(formation.sideChannel(), formation.rank(), formation.size()),
            formation.remainingNanos(),
            clock::nanoTime);
  }

  /** Returns the connected fabric, or closes it and throws. */
  Fabric connect(Supplier<Fabric> opener) {
    Fabric opened = opener.get();
    try {
      if (!(opened instanceof JacclFabric fabric)) {
        throw new FormationException(
            Reason.FABRIC,
            "ranks of JACCL cannot be reached over the fabric [" + opened.name() + "]");
      }
      if (ring) {
        connectRing(fabric);
      } else {
        connectMesh(fabric);
      }
      gathers.barrier();
      fabric.established();
      return fabric;
    } catch (RuntimeException e) {
      closeAfter(e, opened);
      throw e;
    }
  }

  private void connectMesh(JacclFabric fabric) {
    int rank = formation.rank();
    int size = formation.size();
    ByteBuffer own = ByteBuffer.allocate(size * JacclFabric.DESTINATION_BYTES);
    for (int peer = 0; peer < size; peer++) {
      own.put(
          peer == rank
              ? fabric.jacclSelf()
              : fabric.jacclDestination(MeshAlgorithms.wire(size, rank, peer)));
    }
    List<byte[]> all = vectors(own.array(), size);
    byte[][] ofWire = new byte[MeshAlgorithms.wires(size).size()][];
    for (int peer = 0; peer < size; peer++) {
      if (peer != rank) {
        ofWire[MeshAlgorithms.wire(size, rank, peer)] = entry(all.get(peer), rank);
      }
    }
    fabric.connectJaccl(wire -> ofWire[wire]);
  }

  private void connectRing(JacclFabric fabric) {
    int rank = formation.rank();
    int size = formation.size();
    int wires = formation.settings().ring().wires();
    int leftNeighbour = Math.floorMod(rank - 1, size);
    int rightNeighbour = (rank + 1) % size;
    List<byte[]> left = vectors(destinations(fabric, leftNeighbour, wires), wires);
    List<byte[]> right = vectors(destinations(fabric, rank, wires), wires);
    byte[][] ofWire = new byte[size * wires][];
    for (int lane = 0; lane < wires; lane++) {
      ofWire[RingAlgorithms.wire(leftNeighbour, lane, wires)] =
          entry(right.get(leftNeighbour), lane);
      ofWire[RingAlgorithms.wire(rank, lane, wires)] = entry(left.get(rightNeighbour), lane);
    }
    fabric.connectJaccl(wire -> ofWire[wire]);
  }

  /** This rank's ends of a cable's wires. */
  private static byte[] destinations(JacclFabric fabric, int cable, int wires) {
    ByteBuffer own = ByteBuffer.allocate(wires * JacclFabric.DESTINATION_BYTES);
    for (int lane = 0; lane < wires; lane++) {
      own.put(fabric.jacclDestination(RingAlgorithms.wire(cable, lane, wires)));
    }
    return own.array();
  }

  private List<byte[]> vectors(byte[] own, int entries) {
    List<byte[]> all = gathers.vector(own, JacclFabric.DESTINATION_BYTES);
    for (int rank = 0; rank < all.size(); rank++) {
      if (all.get(rank).length != own.length) {
        throw new FormationException(
            Reason.SETTINGS_DIFFER,
            formation.members().get(rank)
                + " tells "
                + all.get(rank).length / JacclFabric.DESTINATION_BYTES
                + " queue pairs, want "
                + entries
                + "; do all ranks have the same device matrix and topology?");
      }
    }
    return all;
  }

  private static byte[] entry(byte[] vector, int index) {
    int begin = index * JacclFabric.DESTINATION_BYTES;
    return Arrays.copyOfRange(vector, begin, begin + JacclFabric.DESTINATION_BYTES);
  }

  private static void closeAfter(RuntimeException cause, Fabric fabric) {
    try {
      fabric.close();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
