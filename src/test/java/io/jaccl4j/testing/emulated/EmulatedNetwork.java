package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * The wires between all ranks of one formation, in this JVM. Every rank opens its fabric from the
 * same {@link #provider()}. What the network does is written in its {@link NetworkScript}; what
 * happened stands in its {@link #log()}. For any thread.
 *
 * <p>A message is copied into a receive that its receiver has posted; whoever polls moves the wires
 * that it is at. A rank that closes takes its undelivered messages with it, as a destroyed queue
 * pair does.
 */
public final class EmulatedNetwork {
  private final NetworkScript script;
  private final NetworkLog log = new NetworkLog();
  private final List<String> violations = new ArrayList<>();
  private final LiveObjects live = new LiveObjects();
  private final List<Wire> wires = new ArrayList<>();
  private final List<Channel> channels = new ArrayList<>();
  private RankState[] states = {};
  private EmulatedFabric[] fabrics = {};

  /** A network without ranks. */
  public EmulatedNetwork(NetworkScript script) {
    this.script = script;
  }

  /** Opens the fabrics of this network. */
  public FabricProvider provider() {
    return new EmulatedProvider(this);
  }

  /** What was posted and delivered. */
  public NetworkLog log() {
    return log;
  }

  /** A wire delivers nothing from now on, in neither direction. */
  public synchronized void cut(int wire) {
    channels.get(2 * wire).kill();
    channels.get(2 * wire + 1).kill();
  }

  /** Nothing of a rank moves: it can post, but it neither sends nor receives nor finds anything. */
  public synchronized void freeze(int rank) {
    states[rank].freeze(true);
  }

  /** Undoes {@link #freeze}. */
  public synchronized void thaw(int rank) {
    states[rank].freeze(false);
  }

  /** Nothing of a rank moves any more, and its posts are refused. */
  public synchronized void kill(int rank) {
    states[rank].die();
  }

  /** The wire between two ranks, the lowest number of several. */
  public synchronized int wireBetween(int rank, int peer) {
    return wires.stream()
        .filter(wire -> wire.ends(rank) && wire.peerOf(rank) == peer)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "ranks " + rank + " and " + peer + " have no wire; want neighbours"))
        .number();
  }

  /** Whether a rank was killed, or reached the post at which its script lets it die. */
  public synchronized boolean isDead(int rank) {
    return states[rank].isDead();
  }

  /** Whether a rank is frozen or dead. */
  public synchronized boolean isStopped(int rank) {
    return !states[rank].moves();
  }

  /** Counts of every wire and direction so far, also after the ranks have closed. */
  public synchronized List<ChannelBalance> balances() {
    return channels.stream().map(Channel::balance).toList();
  }

  /** Memory that was touched while it was the network's, and other misuse; empty if all is well. */
  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** Between operations: every message was delivered and used, and no receive is left over. */
  public synchronized void checkQuiet() {
    checkSound();
    List<ChannelBalance> unquiet =
        channels.stream().map(Channel::balance).filter(balance -> !balance.isQuiet()).toList();
    if (!unquiet.isEmpty()) {
      throw new AssertionError("not all queues are empty: " + unquiet + "; " + script);
    }
  }

  /** At any time: nobody misused memory. */
  public synchronized void checkSound() {
    if (!violations.isEmpty()) {
      throw new AssertionError(String.join("; ", violations) + "; " + script);
    }
  }

  /** After all ranks have closed: nothing is left. */
  public synchronized void checkReleased() {
    checkSound();
    if (!live.areNone()) {
      throw new AssertionError("left after close: " + live + "; " + script);
    }
  }

  synchronized Fabric open(FabricRequest request) {
    if (fabrics.length == 0) {
      build(request);
    }
    if (!wires.equals(request.wires()) || fabrics.length != request.size()) {
      throw new FabricException(
          "wires " + request.wires() + " of rank " + request.rank() + ", want " + wires, null);
    }
    if (fabrics[request.rank()] != null) {
      throw new FabricException(
          "rank " + request.rank() + " was open before; take a new network for a new formation",
          null);
    }
    fabrics[request.rank()] = new EmulatedFabric(this, request);
    return fabrics[request.rank()];
  }

  private void build(FabricRequest request) {
    fabrics = new EmulatedFabric[request.size()];
    states = new RankState[request.size()];
    for (int rank = 0; rank < states.length; rank++) {
      states[rank] = new RankState(rank, script);
    }
    wires.addAll(request.wires());
    for (Wire wire : wires) {
      addChannel(wire.number(), wire.first(), wire.second());
      addChannel(wire.number(), wire.second(), wire.first());
    }
  }

  private void addChannel(int wire, int sender, int receiver) {
    channels.add(new Channel(channels.size(), wire, sender, receiver, script, log, violations));
  }

  /** The direction of a wire in which this rank sends. */
  Channel channel(int wire, int sender) {
    return channels.get(wires.get(wire).first() == sender ? 2 * wire : 2 * wire + 1);
  }

  NetworkScript script() {
    return script;
  }

  RankState state(int rank) {
    return states[rank];
  }

  LiveObjects live() {
    return live;
  }

  boolean allConnected() {
    for (EmulatedFabric fabric : fabrics) {
      if (fabric == null || !fabric.isConnected()) {
        return false;
      }
    }
    return true;
  }

  void violate(String what) {
    violations.add(what);
  }

  /** Another link of the same rank. */
  EmulatedLink otherLink(EmulatedLink link, int rank) {
    return fabrics[rank].otherThan(link);
  }
}
