package io.jaccl4j.engine;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.JacclException;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.ProvenFabric;
import io.jaccl4j.fabric.WireObstacles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Brings the links of one rank up, in step with the others: open, gather destinations, connect,
 * gather that all have connected, and let the fabric prove its wires. A rank that fails says so in
 * the gather that follows, so that all ranks end with the same words instead of waiting for it.
 *
 * <pre>
 * contribution   0   status   int8: 0 done, 1 failed
 *                1   destination of the fabric, or nothing, or the reason in UTF-8
 * </pre>
 */
final class LinkSetup {
  private static final byte DONE = 0;
  private static final byte FAILED = 1;
  private static final String PROOF = "try links";

  private final Formation formation;
  private final GroupState state;
  private final NanoClock clock;
  private final long deadlineNanos;

  LinkSetup(Formation formation, GroupState state, NanoClock clock) {
    this.formation = formation;
    this.state = state;
    this.clock = clock;
    this.deadlineNanos = clock.nanoTime() + formation.remainingNanos();
  }

  /** Returns the connected fabric, each wire of it proven, or closes it and throws. */
  Fabric connect(GroupLinks links) {
    if (links.canDegrade()) {
      Attempt<Map<Integer, String>> found = Attempt.of(links::unusable);
      byte[] own = found.failed() ? null : new WireObstacles(found.value()).encode();
      leaveOut(links, WireObstacles.of(gather("look at links", found, own)).byWire());
    }
    for (; ; ) {
      Attempt<Fabric> opened = Attempt.of(links::open);
      try {
        Map<Integer, String> useless = connect(opened);
        if (useless.isEmpty()) {
          opened.value().established();
          return opened.value();
        }
        opened.value().close();
        leaveOut(links, useless);
      } catch (RuntimeException e) {
        closeAfter(e, opened);
        throw e;
      }
    }
  }

  /** Connects an open fabric; why wires of the group cannot be used, the same on all ranks. */
  private Map<Integer, String> connect(Attempt<Fabric> opened) {
    List<byte[]> destinations =
        gather("open links", opened, opened.failed() ? null : opened.value().destination());
    Fabric fabric = opened.value();
    Attempt<Fabric> connected =
        Attempt.of(
            () -> {
              fabric.connect(destinations);
              return fabric;
            });
    gather("connect links", connected, new byte[0]);
    return fabric instanceof ProvenFabric proven ? prove(proven) : Map.of();
  }

  private Map<Integer, String> prove(ProvenFabric fabric) {
    try {
      return fabric.prove(
          contribution -> gather(PROOF, new Attempt<>(fabric, null), contribution),
          deadlineNanos - clock.nanoTime());
    } catch (FabricException e) {
      // The others wait for this rank in a gathering, which ends with this one's words.
      gather(PROOF, new Attempt<>(null, e), null);
      throw e;
    }
  }

  private void leaveOut(GroupLinks links, Map<Integer, String> useless) {
    if (!useless.isEmpty() && !links.leaveOut(useless)) {
      throw new FormationException(
          Reason.FABRIC,
          "group ["
              + formation.settings().name()
              + "] has links that do not work: "
              + useless.entrySet().stream()
                  .map(wire -> "wire " + wire.getKey() + ": " + wire.getValue())
                  .collect(Collectors.joining("; ")));
    }
  }

  private List<byte[]> gather(String phase, Attempt<?> attempt, byte[] payload) {
    byte[] contribution =
        attempt.failed()
            ? encode(FAILED, attempt.reason().getBytes(StandardCharsets.UTF_8))
            : encode(DONE, payload);
    List<byte[]> all = exchange(phase, contribution);
    List<byte[]> payloads = new ArrayList<>(all.size());
    for (int rank = 0; rank < all.size(); rank++) {
      byte[] received = all.get(rank);
      if (received.length == 0 || received[0] != DONE) {
        throw refused(phase, rank, received, attempt);
      }
      payloads.add(Arrays.copyOfRange(received, 1, received.length));
    }
    return payloads;
  }

  private List<byte[]> exchange(String phase, byte[] contribution) {
    long remainingNanos = deadlineNanos - clock.nanoTime();
    if (remainingNanos <= 0) {
      throw new FormationException(
          Reason.TIMEOUT,
          "rank "
              + formation.rank()
              + " had no time left to "
              + phase
              + "; raise jaccl4j.formation-timeout");
    }
    AllGather sideChannel = formation.sideChannel();
    try {
      return sideChannel.allGather(contribution, remainingNanos);
    } catch (JacclException e) {
      GroupFailure failure = state.failure();
      if (failure == null) {
        throw e;
      }
      throw new FormationException(
          Reason.PEER_FAILED, "could not " + phase + ": " + failure.detail(), e);
    }
  }

  private FormationException refused(String phase, int rank, byte[] received, Attempt<?> attempt) {
    String reason =
        received.length == 0
            ? "an empty contribution"
            : new String(received, 1, received.length - 1, StandardCharsets.UTF_8);
    return new FormationException(
        rank == formation.rank() ? Reason.FABRIC : Reason.PEER_FAILED,
        formation.members().get(rank) + " could not " + phase + ": " + reason,
        attempt.cause());
  }

  private static byte[] encode(byte status, byte[] payload) {
    byte[] bytes = new byte[payload.length + 1];
    bytes[0] = status;
    System.arraycopy(payload, 0, bytes, 1, payload.length);
    return bytes;
  }

  private static void closeAfter(RuntimeException cause, Attempt<Fabric> opened) {
    if (opened.failed()) {
      return;
    }
    try {
      opened.value().close();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** A value, or why there is none. */
  private record Attempt<T>(T value, RuntimeException cause) {

    static <T> Attempt<T> of(Supplier<T> action) {
      try {
        return new Attempt<>(action.get(), null);
      } catch (RuntimeException e) {
        return new Attempt<>(null, e);
      }
    }

    boolean failed() {
      return cause != null;
    }

    String reason() {
      Throwable root = cause.getCause();
      return root == null ? cause.getMessage() : cause.getMessage() + " (" + root + ")";
    }
  }
}
