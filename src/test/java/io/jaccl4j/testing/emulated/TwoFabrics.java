package io.jaccl4j.testing.emulated;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two connected ranks without engines, and what their polls report, on the test's own thread. */
final class TwoFabrics implements AutoCloseable {
  static final int SLOT_BYTES = 4096;

  private static final int SLOTS = 2;
  private static final long HEAP_BYTES = 4096;

  private final EmulatedNetwork network;
  private final List<Fabric> fabrics = new ArrayList<>();
  private final List<String> reports = new ArrayList<>();
  private MemorySegment received;
  private long receivedOffset;

  TwoFabrics(NetworkScript script, int wires) {
    this.network = new EmulatedNetwork(script);
    List<Wire> all = new ArrayList<>();
    for (int wire = 0; wire < wires; wire++) {
      all.add(new Wire(wire, 0, 1));
    }
    List<GroupMember> members =
        List.of(new GroupMember(0, "a", 0, "host"), new GroupMember(1, "b", 1, "host"));
    GroupSettings settings =
        TestSettings.of("two", 2)
            .withMemory(new GroupSettings.Memory(SLOT_BYTES, HEAP_BYTES, Path.of("/dev/shm")));
    long remainingNanos = settings.formationTimeout().toNanos();
    for (int rank = 0; rank < 2; rank++) {
      fabrics.add(
          network
              .provider()
              .open(
                  new FabricRequest(
                      settings, 1, rank, members, all, SLOTS, remainingNanos, new NativeCalls())));
    }
    List<byte[]> destinations = fabrics.stream().map(Fabric::destination).toList();
    fabrics.forEach(fabric -> fabric.connect(destinations));
    fabrics.forEach(Fabric::established);
  }

  EmulatedNetwork network() {
    return network;
  }

  Fabric fabric(int rank) {
    return fabrics.get(rank);
  }

  Link link(int rank) {
    return fabrics.get(rank).link(0);
  }

  /** Posts a send of the first bytes of a rank's slot 0. */
  void send(int rank, long workId, int bytes) {
    link(rank).postSend(workId, 0, bytes, 7);
  }

  /** Polls a rank so many times; what it reported, all together. */
  List<String> poll(int rank, int times) {
    reports.clear();
    for (int i = 0; i < times; i++) {
      fabrics.get(rank).poll(new Reporter());
    }
    return List.copyOf(reports);
  }

  /** The byte at the beginning of the message that was reported last. */
  byte firstByteReceived() {
    return received.get(ValueLayout.JAVA_BYTE, receivedOffset);
  }

  /** Writes where only the network may. */
  void overwriteReceived() {
    received.set(ValueLayout.JAVA_BYTE, receivedOffset, (byte) 99);
  }

  @Override
  public void close() {
    fabrics.forEach(Fabric::close);
  }

  private final class Reporter implements CompletionHandler {
    @Override
    public void onSendComplete(Link link, long workId) {
      reports.add("sent " + workId + " on " + link.wire());
    }

    @Override
    public void onReceive(
        Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
      received = memory;
      receivedOffset = offset;
      reports.add("received " + workId + " on " + link.wire() + ": " + bytes + "/" + immediate);
    }
  }
}
