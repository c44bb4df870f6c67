package io.jaccl4j.cli.bench.sockets;

import io.jaccl4j.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;

/** Ports of the loopback interface that nobody listens on. */
public final class FreePorts {

  private FreePorts() {}

  /** One address for every rank of a session, in rank order; all ranks call it. */
  public static List<InetSocketAddress> agree(Session session) {
    // Every rank holds its port until all have one, so that no two get the same.
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return exchange(session, free.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException("rank " + session.rank() + " finds no free port", e);
    }
  }

  /** The ranks tell each other a port each. */
  static List<InetSocketAddress> exchange(Session session, int ownPort) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, ownPort);
      MemorySegment all = arena.allocate(ValueLayout.JAVA_INT, session.size());
      session.allGather(own, all);
      return Arrays.stream(all.toArray(ValueLayout.JAVA_INT))
          .mapToObj(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
          .toList();
    }
  }
}
