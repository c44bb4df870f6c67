package io.jaccl4j.ring;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank of MLX's ring as MLX has it, written from a description of its behaviour and sharing
 * nothing with the code under test: blocking sockets, one address after the other, whole packets of
 * which at most two are under way.
 */
final class ForeignRank implements AutoCloseable {
  private static final int MOST_ATTEMPTS = 1000;
  private static final long PAUSE_NANOS = 10_000_000;
  private static final int SMALL_BUFFER_BYTES = 16 << 10;
  private static final int PATIENCE_MILLIS = 30_000;

  private final RingHosts hosts;
  private final int rank;
  private final int size;
  private final int addresses;
  private final Socket[] left;
  private final Socket[] right;
  private final List<ExecutorService> leftThreads = new ArrayList<>();
  private final List<ExecutorService> rightThreads = new ArrayList<>();
  private final ExecutorService regions = Executors.newCachedThreadPool();
  private final Random random;
  private final int mostBytesPerWrite;
  private boolean smallBuffers;

  /**
   * @param mostBytesPerWrite what is written at once, a random part of it
   */
  ForeignRank(RingHosts hosts, int rank, int mostBytesPerWrite, long seed) {
    this.hosts = hosts;
    this.rank = rank;
    this.size = hosts.size();
    this.addresses = hosts.connections();
    this.left = new Socket[addresses];
    this.right = new Socket[addresses];
    this.mostBytesPerWrite = mostBytesPerWrite;
    this.random = new Random(seed);
    for (int i = 0; i < 2 * addresses; i++) {
      leftThreads.add(Executors.newSingleThreadExecutor());
      rightThreads.add(Executors.newSingleThreadExecutor());
    }
  }

  ForeignRank(RingHosts hosts, int rank) {
    this(hosts, rank, Integer.MAX_VALUE, 0);
  }

  /** Lets hardly anything be on its way. Before it connects. */
  ForeignRank withSmallBuffers() {
    smallBuffers = true;
    return this;
  }

  Socket left(int address) {
    return left[address];
  }

  Socket right(int address) {
    return right[address];
  }

  /** All connections, in MLX's order. */
  ForeignRank connect() {
    if (rank < size - 1) {
      acceptLeft();
      connectRight();
    } else {
      connectRight();
      acceptLeft();
    }
    return this;
  }

  void acceptLeft() {
    for (int i = 0; i < addresses; i++) {
      try (ServerSocket listener = new ServerSocket()) {
        listener.setReuseAddress(true);
        listener.setSoTimeout(PATIENCE_MILLIS);
        if (smallBuffers) {
          listener.setReceiveBufferSize(SMALL_BUFFER_BYTES);
        }
        listener.bind(hosts.address(rank, i), 1);
        left[i] = prepared(listener.accept());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  void connectRight() {
    for (int i = 0; i < addresses; i++) {
      right[i] = connectTo(hosts.address((rank + 1) % size, i));
    }
  }

  private Socket connectTo(InetSocketAddress address) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      try {
        Socket socket = new Socket();
        if (smallBuffers) {
          socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
        }
        socket.connect(address);
        return prepared(socket);
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    throw new AssertionError(address + " does not accept");
  }

  private Socket prepared(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    if (smallBuffers) {
      socket.setSendBufferSize(SMALL_BUFFER_BYTES);
    }
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /** All-reduce of 32-bit integers, in place. */
  void allSum(int[] data) {
    if (data.length < size) {
      int[] padded = new int[size];
      System.arraycopy(data, 0, padded, 0, data.length);
      reduceRegion(padded, 0, size, 0, -1);
      System.arraycopy(padded, 0, data, 0, data.length);
      return;
    }
    long bytes = 4L * data.length;
    int count = (int) Math.max(1, Math.min(2L * addresses, bytes / (size * 262_144L)));
    int step = (data.length + count - 1) / count;
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = i * step;
      int to = Math.min(data.length, from + step);
      int pair = i / 2;
      int direction = i % 2 == 0 ? 1 : -1;
      running.add(
          CompletableFuture.runAsync(() -> reduceRegion(data, from, to, pair, direction), regions));
    }
    running.forEach(CompletableFuture::join);
  }

  private record Packet(CompletableFuture<Void> sent, CompletableFuture<Void> received) {}

  private void reduceRegion(int[] data, int from, int to, int pair, int direction) {
    int length = to - from;
    int segment = (length + size - 1) / size;
    int packet = Math.max(32_768, Math.min((8 << 20) / 4, segment / 2));
    int packets = (segment + packet - 1) / packet;
    int lag = packets == 1 ? 1 : 2;
    List<Packet> posted = new ArrayList<>();
    for (int t = 0; t < 2 * (size - 1); t++) {
      boolean reduces = t < size - 1;
      int sent = Math.floorMod(rank + direction * t, size);
      int received = Math.floorMod(rank + direction * (t + 1), size);
      for (int i = 0; i < packets; i++) {
        if (posted.size() >= lag) {
          Packet before = posted.get(posted.size() - lag);
          before.sent().join();
          before.received().join();
        }
        int[] out = bounds(from, to, sent, segment, packet, i);
        int[] in = bounds(from, to, received, segment, packet, i);
        posted.add(
            new Packet(
                post(direction < 0, true, pair, () -> write(data, out, pair, direction)),
                post(direction > 0, false, pair, () -> read(data, in, pair, direction, reduces))));
      }
    }
    posted.forEach(one -> one.sent().join());
    posted.forEach(one -> one.received().join());
  }

  private static int[] bounds(int from, int to, int number, int segment, int packet, int i) {
    int begin = Math.min(to, from + number * segment);
    int end = Math.min(to, begin + segment);
    int first = Math.min(end, begin + i * packet);
    return new int[] {first, Math.min(end, first + packet)};
  }

  private CompletableFuture<Void> post(boolean toRight, boolean sends, int pair, Runnable work) {
    List<ExecutorService> threads = toRight ? rightThreads : leftThreads;
    return CompletableFuture.runAsync(work, threads.get(2 * pair + (sends ? 0 : 1)));
  }

  private void write(int[] data, int[] bounds, int pair, int direction) {
    ByteBuffer bytes =
        ByteBuffer.allocate(4 * (bounds[1] - bounds[0])).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(data, bounds[0], bounds[1] - bounds[0]);
    write(direction < 0 ? right[pair] : left[pair], bytes.array());
  }

  private void read(int[] data, int[] bounds, int pair, int direction, boolean reduces) {
    byte[] bytes = read(direction < 0 ? left[pair] : right[pair], 4 * (bounds[1] - bounds[0]));
    ByteBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = bounds[0]; i < bounds[1]; i++) {
      data[i] = values.getInt() + (reduces ? data[i] : 0);
    }
  }

  /** All-gather of as many bytes from each rank. */
  byte[] allGather(byte[] own) {
    int bytes = own.length;
    byte[] all = new byte[size * bytes];
    System.arraycopy(own, 0, all, rank * bytes, bytes);
    int count = (int) Math.max(1, Math.min(2L * addresses, bytes / 262_144));
    int part = (bytes + count - 1) / count;
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = i * part;
      int to = Math.min(bytes, from + part);
      int pair = i / 2;
      int direction = i % 2 == 0 ? 1 : -1;
      running.add(
          CompletableFuture.runAsync(
              () -> gatherPart(all, bytes, from, to, pair, direction), regions));
    }
    running.forEach(CompletableFuture::join);
    return all;
  }

  private void gatherPart(byte[] all, int bytes, int from, int to, int pair, int direction) {
    for (int t = 0; t < size - 1; t++) {
      int sent = Math.floorMod(rank + direction * t, size) * bytes;
      int received = Math.floorMod(rank + direction * (t + 1), size) * bytes;
      Socket out = direction < 0 ? right[pair] : left[pair];
      Socket in = direction < 0 ? left[pair] : right[pair];
      byte[] outgoing = Arrays.copyOfRange(all, sent + from, sent + to);
      CompletableFuture<Void> sending = post(direction < 0, true, pair, () -> write(out, outgoing));
      byte[] incoming = read(in, to - from);
      System.arraycopy(incoming, 0, all, received + from, to - from);
      sending.join();
    }
  }

  void send(byte[] data, boolean toRight) {
    int stripe = Math.max(1024, (data.length + addresses - 1) / addresses);
    for (int i = 0; i * stripe < data.length; i++) {
      int to = Math.min(data.length, (i + 1) * stripe);
      Socket socket = toRight ? right[i] : left[i];
      write(socket, Arrays.copyOfRange(data, i * stripe, to));
    }
  }

  byte[] receive(int bytes, boolean fromLeft) {
    byte[] data = new byte[bytes];
    int stripe = Math.max(1024, (bytes + addresses - 1) / addresses);
    for (int i = 0; i * stripe < bytes; i++) {
      int to = Math.min(bytes, (i + 1) * stripe);
      byte[] part = read(fromLeft ? left[i] : right[i], to - i * stripe);
      System.arraycopy(part, 0, data, i * stripe, part.length);
    }
    return data;
  }

  private void write(Socket socket, byte[] bytes) {
    try {
      for (int from = 0; from < bytes.length; ) {
        int most = Math.min(mostBytesPerWrite, bytes.length - from);
        int part = most == mostBytesPerWrite ? 1 + nextInt(most) : most;
        socket.getOutputStream().write(bytes, from, part);
        from += part;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int nextInt(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  static byte[] read(Socket socket, int bytes) {
    byte[] data = new byte[bytes];
    try {
      new DataInputStream(socket.getInputStream()).readFully(data);
    } catch (EOFException e) {
      throw new AssertionError("the connection ended before " + bytes + " bytes had come", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return data;
  }

  /** Closes its sockets so that the other ends see a reset. */
  void reset() {
    forEachSocket(
        socket -> {
          socket.setSoLinger(true, 0);
          socket.close();
        });
  }

  /** Says on all sockets that nothing more comes, and keeps them open. */
  void halfClose() {
    forEachSocket(Socket::shutdownOutput);
  }

  /** Closes its sockets. */
  void leave() {
    forEachSocket(Socket::close);
  }

  private interface SocketAction {
    void on(Socket socket) throws IOException;
  }

  private void forEachSocket(SocketAction action) {
    for (Socket[] side : List.of(left, right)) {
      for (Socket socket : side) {
        try {
          if (socket != null && !socket.isClosed()) {
            action.on(socket);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Override
  public void close() {
    leave();
    leftThreads.forEach(ExecutorService::shutdownNow);
    rightThreads.forEach(ExecutorService::shutdownNow);
    regions.shutdownNow();
  }
}
