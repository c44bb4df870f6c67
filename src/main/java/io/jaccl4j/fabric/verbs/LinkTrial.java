package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Sends this rank's name through some links and listens for the peer's. The links are connected at
 * both ends, and nothing else is sent over them meanwhile.
 */
final class LinkTrial implements CompletionHandler {
  /** Mostly asleep: the wait may be long, and the peer may need this processor. */
  private static final long PAUSE_NANOS = 20_000;

  private final FabricRequest request;
  private final VerbsLinks table;
  private final VerbsMemory memory;
  private final VerbsDevice[] devices;
  private final List<VerbsLink> tried;

  /** What is still missing of each link that is not proven yet. */
  private final Map<Link, Awaited> awaited = new HashMap<>();

  private final Map<Integer, String> obstacles = new TreeMap<>();

  private static final class Awaited {
    private boolean sent;
    private boolean heard;

    boolean isOver() {
      return sent && heard;
    }
  }

  LinkTrial(
      FabricRequest request,
      VerbsLinks table,
      VerbsMemory memory,
      VerbsDevice[] devices,
      List<VerbsLink> tried) {
    this.request = request;
    this.table = table;
    this.memory = memory;
    this.devices = devices;
    this.tried = tried;
  }

  /**
   * Tries them.
   *
   * @return by number of a wire, what is wrong with it; empty if nothing is
   */
  Map<Integer, String> run(LongSupplier nanoClock, long untilNanos) {
    for (VerbsLink link : tried) {
      awaited.put(link, new Awaited());
      EndName name =
          new EndName(request.epoch(), request.rank(), link.wire(), link.device().name());
      long offset = memory.nameOffset(link.index());
      int bytes = name.write(memory.segment(), offset);
      link.postReceive(0, VerbsMemory.NAME_BYTES);
      link.postSend(0, offset, bytes, 0);
    }
    while (!awaited.isEmpty() && nanoClock.getAsLong() - untilNanos < 0) {
      if (poll() == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    for (VerbsLink link : tried) {
      Awaited missing = awaited.get(link);
      if (missing != null) {
        obstacles.putIfAbsent(
            link.wire(), missing.heard ? "what was sent does not arrive" : "nothing arrives");
      }
    }
    return obstacles;
  }

  private int poll() {
    int found = 0;
    for (VerbsDevice device : devices) {
      CompletionQueue queue = device.completions();
      int count = queue.poll();
      for (int i = 0; i < count; i++) {
        VerbsLink link = table.of(queue, i);
        if (queue.status(i) == IbvConstants.IBV_WC_SUCCESS) {
          link.onCompletion(queue, i);
        } else {
          // What follows on this link is an echo.
          fail(link, IbvNames.status(queue.status(i)) + IbvNames.statusHint(queue.status(i)));
        }
      }
      found += count;
    }
    for (VerbsLink link : tried) {
      link.deliver(this);
    }
    return found;
  }

  private void fail(VerbsLink link, String obstacle) {
    obstacles.putIfAbsent(link.wire(), obstacle);
    awaited.remove(link);
  }

  @Override
  public void onSendComplete(Link link, long workId) {
    Awaited missing = awaited.get(link);
    if (missing != null) {
      missing.sent = true;
      conclude(link, missing);
    }
  }

  @Override
  public void onReceive(
      Link link, long workId, MemorySegment slab, long offset, int bytes, int immediate) {
    EndName name = EndName.read(slab, offset, bytes);
    link.release();
    Awaited missing = awaited.get(link);
    if (missing == null) {
      return;
    }
    if (name == null || !isMeant(link, name)) {
      fail((VerbsLink) link, "what arrives is of " + (name == null ? "a stranger" : name));
      return;
    }
    missing.heard = true;
    conclude(link, missing);
  }

  private boolean isMeant(Link link, EndName name) {
    return name.epoch() == request.epoch()
        && name.rank() == link.peer()
        && name.wire() == link.wire();
  }

  private void conclude(Link link, Awaited missing) {
    if (missing.isOver()) {
      awaited.remove(link);
    }
  }
}
