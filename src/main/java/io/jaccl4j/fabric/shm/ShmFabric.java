package io.jaccl4j.fabric.shm;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.fabric.Wire;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The shared-memory links of one rank. Rank 0 makes the file when it opens and takes its name away
 * once all ranks have it mapped; whichever rank closes earlier takes the name away too, so that a
 * failed formation leaves nothing.
 */
final class ShmFabric implements Fabric {
  private final FabricRequest request;
  private final ShmLayout layout;
  private final byte[] destination;
  private final ShmLink[] links;
  private ShmLink[] ownLinks = {};
  private ShmFile file;
  private ShmMemory memory;
  private boolean established;

  ShmFabric(FabricRequest request) {
    this.request = request;
    this.layout =
        new ShmLayout(
            request.size(),
            request.wires().size(),
            request.sendSlots(),
            request.settings().memory().slotBytes(),
            request.settings().memory().registeredBytes());
    this.links = new ShmLink[request.wires().size()];
    byte[] token = new byte[ShmLayout.TOKEN_BYTES];
    if (request.rank() == 0) {
      new SecureRandom().nextBytes(token);
      ShmLeftovers.sweep(request.settings().memory().shmDirectory(), Instant.now());
      file =
          ShmFile.create(
              request.settings().memory().shmDirectory(), request.settings().name(), token, layout);
      destination = new ShmDestination(token, file.path().toAbsolutePath().toString()).encode();
    } else {
      destination = new ShmDestination(token, "").encode();
    }
  }

  @Override
  public String name() {
    return ShmFabricProvider.NAME;
  }

  @Override
  public byte[] destination() {
    return destination.clone();
  }

  @Override
  public void connect(List<byte[]> destinations) {
    if (file == null) {
      ShmDestination first = ShmDestination.decode(0, destinations.getFirst());
      file = ShmFile.open(first.file(), first.token(), layout);
    }
    memory = new ShmMemory(file, request.rank());
    memory.reserveSlots();
    for (Wire wire : request.wires()) {
      if (wire.ends(request.rank())) {
        links[wire.number()] = new ShmLink(file, request.rank(), wire);
      }
    }
    ownLinks = Arrays.stream(links).filter(Objects::nonNull).toArray(ShmLink[]::new);
  }

  @Override
  public void established() {
    if (request.rank() == 0) {
      file.unlink();
    }
    established = true;
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
    int found = 0;
    for (ShmLink link : ownLinks) {
      found += link.poll(handler);
    }
    return found;
  }

  @Override
  public String describe() {
    return "shared memory in "
        + request.settings().memory().shmDirectory()
        + ", "
        + layout.slots()
        + " slots of "
        + layout.slotBytes()
        + " bytes and "
        + layout.heapBytes()
        + " registered bytes per rank";
  }

  @Override
  public void close() {
    if (file == null) {
      return;
    }
    ShmFile closing = file;
    file = null;
    FabricException failure = null;
    if (!established) {
      try {
        closing.unlink();
      } catch (FabricException e) {
        failure = e;
      }
    }
    closing.close();
    if (failure != null) {
      throw failure;
    }
  }
}
