package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.fabric.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** One rank's fabric in an emulated network. */
final class EmulatedFabric implements Fabric {
  private final EmulatedNetwork network;
  private final FabricRequest request;
  private final EmulatedMemory memory;
  private final EmulatedLink[] links;
  private final List<Completion> found = new ArrayList<>();
  private EmulatedLink[] ownLinks = {};
  private boolean connected;
  private boolean closed;

  /** The network's lock is held. */
  EmulatedFabric(EmulatedNetwork network, FabricRequest request) {
    this.network = network;
    this.request = request;
    this.links = new EmulatedLink[request.wires().size()];
    this.memory =
        new EmulatedMemory(
            request.settings().memory().slotBytes(),
            request.sendSlots(),
            request.settings().memory().registeredBytes());
    network.live().made(LiveObjects.Kind.FABRIC);
    network.live().made(LiveObjects.Kind.MEMORY);
  }

  @Override
  public String name() {
    return EmulatedProvider.NAME;
  }

  @Override
  public byte[] destination() {
    return destination(request.rank());
  }

  private byte[] destination(int rank) {
    String text = request.settings().name() + "/" + request.epoch() + "/" + rank;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void connect(List<byte[]> destinations) {
    for (int rank = 0; rank < request.size(); rank++) {
      if (!Arrays.equals(destinations.get(rank), destination(rank))) {
        throw new FabricException(
            rank,
            "destination of rank "
                + rank
                + " is "
                + new String(destinations.get(rank), StandardCharsets.UTF_8),
            null);
      }
    }
    synchronized (network) {
      for (Wire wire : request.wires()) {
        if (wire.ends(request.rank())) {
          links[wire.number()] =
              new EmulatedLink(
                  network, request.rank(), wire.number(), wire.peerOf(request.rank()), memory);
        }
      }
      ownLinks = Arrays.stream(links).filter(Objects::nonNull).toArray(EmulatedLink[]::new);
      connected = true;
    }
  }

  @Override
  public void established() {
    synchronized (network) {
      if (!network.allConnected()) {
        network.violate("rank " + request.rank() + " is established before all have connected");
      }
    }
  }

  @Override
  public Link link(int wire) {
    return links[wire];
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public int poll(CompletionHandler handler) {
    found.clear();
    synchronized (network) {
      RankState state = network.state(request.rank());
      long poll = state.nextPoll();
      for (int turn = 0; turn < ownLinks.length && state.moves(); turn++) {
        int next = network.script().linkInTurn(turn, ownLinks.length, request.rank(), poll);
        ownLinks[next].collect(found);
      }
    }
    // Not under the lock: reductions of several ranks run side by side.
    for (Completion completion : found) {
      completion.deliver(handler);
    }
    return found.size();
  }

  @Override
  public boolean prefersFewMessages() {
    return network.script().prefersFewMessages();
  }

  @Override
  public String describe() {
    return "an emulated network ("
        + network.script()
        + "), "
        + request.sendSlots()
        + " slots of "
        + memory.slotBytes()
        + " bytes and "
        + request.settings().memory().registeredBytes()
        + " registered bytes per rank";
  }

  @Override
  public void close() {
    synchronized (network) {
      if (closed) {
        return;
      }
      closed = true;
      for (EmulatedLink link : ownLinks) {
        link.close();
      }
      memory.close();
      network.live().released(LiveObjects.Kind.MEMORY, 1);
      network.live().released(LiveObjects.Kind.FABRIC, 1);
    }
  }

  boolean isConnected() {
    return connected;
  }

  EmulatedLink otherThan(EmulatedLink link) {
    for (EmulatedLink other : ownLinks) {
      if (other != link) {
        return other;
      }
    }
    throw new IllegalStateException("rank " + request.rank() + " has one link only");
  }
}
