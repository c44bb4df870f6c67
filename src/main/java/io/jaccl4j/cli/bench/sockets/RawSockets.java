package io.jaccl4j.cli.bench.sockets;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.sockets.Wiring.Edge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The sockets of one rank. */
public final class RawSockets implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int VAIN_ROUNDS_PER_LOOK = 1 << 12;

  private final int rank;
  private final List<Lane> lanes = new ArrayList<>();
  private final boolean yields;
  private final LongSupplier nanoClock;

  private RawSockets(int rank, boolean yields, LongSupplier nanoClock) {
    this.rank = rank;
    this.yields = yields;
    this.nanoClock = nanoClock;
  }

  /**
   * Connects the ranks of a session, all of which call it, over the loopback interface.
   *
   * @param maxBytes that a rank will have to move in one direction at once
   * @param yields whether a rank that waits gives its processor away, as it must where there are
   *     fewer processors than ranks
   */
  public static RawSockets connect(
      Session session, Wiring wiring, long maxBytes, boolean yields, LongSupplier nanoClock) {
    RawSockets sockets = new RawSockets(session.rank(), yields, nanoClock);
    List<Edge> edges = wiring.edges(session.size());
    SocketChannel[] channels = new SocketChannel[edges.size()];
    try {
      connect(session, edges, channels);
      sockets.add(edges, channels, maxBytes);
      return sockets;
    } catch (IOException e) {
      closeAll(channels);
      throw new UncheckedIOException(
          "raw sockets of rank "
              + session.rank()
              + " over loopback: "
              + e.getMessage()
              + "; look whether the other ranks still run",
          e);
    }
  }

  private static void connect(Session session, List<Edge> edges, SocketChannel[] channels)
      throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), edges.size());
      listener.socket().setSoTimeout((int) PATIENCE.toMillis());
      List<InetSocketAddress> addresses =
          FreePorts.exchange(session, listener.socket().getLocalPort());
      for (int number = 0; number < channels.length; number++) {
        Edge edge = edges.get(number);
        if (edge.from() == session.rank()) {
          channels[number] = SocketChannel.open();
          greet(channels[number], addresses.get(edge.to()), number);
        }
      }
      for (Edge edge : edges) {
        if (edge.to() == session.rank()) {
          Socket accepted = listener.socket().accept();
          channels[readNumber(accepted)] = accepted.getChannel();
        }
      }
    }
  }

  private static void closeAll(SocketChannel[] channels) {
    for (SocketChannel channel : channels) {
      if (channel != null) {
        try {
          channel.close();
        } catch (IOException e) {
          throw new UncheckedIOException("closing a raw socket failed", e);
        }
      }
    }
  }

  /** The number of the edge is the first that travels, so that both ends know which one it is. */
  private static void greet(SocketChannel channel, InetSocketAddress address, int number)
      throws IOException {
    channel.socket().connect(address, (int) PATIENCE.toMillis());
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.write(ByteBuffer.allocate(1).put(0, (byte) number));
  }

  private static int readNumber(Socket accepted) throws IOException {
    accepted.setSoTimeout((int) PATIENCE.toMillis());
    accepted.setTcpNoDelay(true);
    int number = accepted.getInputStream().read();
    if (number < 0) {
      throw new IOException("a peer closed its socket at once");
    }
    return number;
  }

  private void add(List<Edge> edges, SocketChannel[] channels, long maxBytes) throws IOException {
    for (int number = 0; number < channels.length; number++) {
      if (channels[number] != null) {
        Edge edge = edges.get(number);
        channels[number].configureBlocking(false);
        lanes.add(
            new Lane(channels[number], edge.from() == rank ? edge.to() : edge.from(), maxBytes));
      }
    }
  }

  /** How many sockets this rank has. */
  public int count() {
    return lanes.size();
  }

  /** Sends so many bytes and receives as many, spread over all sockets; all ranks call it. */
  public void exchange(long bytes) {
    // Rounded up, so that both ends of a socket expect the same.
    long share = Math.ceilDiv(bytes, lanes.size());
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).begin(share, share);
    }
    complete();
  }

  /** Ranks 0 and 1: so many bytes there, and as many back. */
  public void roundTrip(long bytes) {
    Lane lane = lanes.stream().filter(one -> one.peer() == 1 - rank).findFirst().orElseThrow();
    lane.begin(rank == 0 ? bytes : 0, rank == 0 ? 0 : bytes);
    complete();
    lane.begin(rank == 0 ? 0 : bytes, rank == 0 ? bytes : 0);
    complete();
  }

  private void complete() {
    int vainRounds = 0;
    long untilNanos = 0;
    while (!isDone()) {
      long moved = 0;
      for (int i = 0; i < lanes.size(); i++) {
        moved += lanes.get(i).advance();
      }
      if (moved > 0) {
        vainRounds = 0;
        untilNanos = 0;
        continue;
      }
      if (++vainRounds % VAIN_ROUNDS_PER_LOOK == 0) {
        long nowNanos = nanoClock.getAsLong();
        untilNanos = untilNanos == 0 ? nowNanos + PATIENCE.toNanos() : untilNanos;
        if (nowNanos - untilNanos >= 0) {
          throw new IllegalStateException(
              "raw sockets of rank "
                  + rank
                  + ": nothing moved within "
                  + PATIENCE.toSeconds()
                  + " s, still to move "
                  + lanes
                  + "; look whether that process still runs");
        }
      }
      if (yields) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private boolean isDone() {
    for (int i = 0; i < lanes.size(); i++) {
      if (!lanes.get(i).isDone()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    for (Lane lane : lanes) {
      try {
        lane.close();
      } catch (IOException e) {
        throw new UncheckedIOException("raw socket to rank " + lane.peer(), e);
      }
    }
  }
}
