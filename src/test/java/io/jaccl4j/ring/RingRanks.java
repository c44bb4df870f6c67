package io.jaccl4j.ring;

import io.jaccl4j.testing.LocalRanks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** All ranks of a TCP ring in one JVM, each with a calling thread of its own. */
public final class RingRanks implements AutoCloseable {
  private final List<MlxRing> rings = new ArrayList<>();
  private final ExecutorService callers;

  private RingRanks(int size) {
    callers = Executors.newFixedThreadPool(size);
  }

  /** Connects all ranks over addresses of the loopback interface. */
  public static RingRanks form(int size, int connections, RingOptions options) {
    return form(hosts(size, connections), options);
  }

  static RingRanks form(RingHosts hosts, RingOptions options) {
    RingRanks ranks = new RingRanks(hosts.size());
    List<CompletableFuture<MlxRing>> connecting = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      connecting.add(connect(ranks.callers, hosts, rank, options));
    }
    connecting.forEach(ring -> ranks.rings.add(LocalRanks.get(ring)));
    return ranks;
  }

  private static CompletableFuture<MlxRing> connect(
      ExecutorService callers, RingHosts hosts, int rank, RingOptions options) {
    return CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, rank, options), callers);
  }

  /** Addresses with ports that are free now. */
  public static RingHosts hosts(int size, int connections) {
    return hosts(size, connections, InetAddress.getLoopbackAddress());
  }

  static RingHosts hosts(int size, int connections, InetAddress host) {
    List<ServerSocket> reserved = new ArrayList<>();
    List<List<InetSocketAddress>> rows = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        List<InetSocketAddress> row = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
          ServerSocket socket = new ServerSocket(0, 1, host);
          reserved.add(socket);
          row.add(new InetSocketAddress(host, socket.getLocalPort()));
        }
        rows.add(row);
      }
      for (ServerSocket socket : reserved) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new RingHosts(rows);
  }

  public MlxRing ring(int rank) {
    return rings.get(rank);
  }

  int size() {
    return rings.size();
  }

  /** Starts a function for each rank at once. */
  List<CompletableFuture<Void>> start(Consumer<MlxRing> body) {
    return rings.stream()
        .map(ring -> CompletableFuture.runAsync(() -> body.accept(ring), callers))
        .toList();
  }

  /** Runs a function for each rank at once. */
  void runOnAll(Consumer<MlxRing> body) {
    start(body).forEach(LocalRanks::get);
  }

  @Override
  public void close() {
    rings.forEach(MlxRing::close);
    callers.close();
  }
}
