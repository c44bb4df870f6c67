package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.Wire;

/**
 * One connection that a group needs at this rank: one socket of one wire. The lower rank connects.
 *
 * @param peer rank at the other end
 * @param dialled whether this rank is the one that connects
 */
record Place(Wire wire, int socket, int peer, boolean dialled) {

  static Place of(Wire wire, int socket, int rank) {
    int peer = wire.peerOf(rank);
    return new Place(wire, socket, peer, rank < peer);
  }

  @Override
  public String toString() {
    return "wire " + wire.number() + ", socket " + socket;
  }
}
