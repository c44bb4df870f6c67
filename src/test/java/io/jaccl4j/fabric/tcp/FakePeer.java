package io.jaccl4j.fabric.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A rank of which the test decides every byte. Blocking sockets on loopback. */
final class FakePeer implements AutoCloseable {
  private final byte[] token = new byte[TcpDestination.TOKEN_BYTES];
  private final List<SocketChannel> channels = new ArrayList<>();
  private final ServerSocketChannel listener;
  private final int port;

  private FakePeer(ServerSocketChannel listener, int port) {
    this.listener = listener;
    this.port = port;
    token[0] = 42;
  }

  static FakePeer listening() {
    try {
      ServerSocketChannel listener =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return new FakePeer(listener, ((InetSocketAddress) listener.getLocalAddress()).getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has a port at which nobody listens. */
  static FakePeer absent() {
    FakePeer peer = listening();
    peer.stopListening();
    return peer;
  }

  private void stopListening() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  InetSocketAddress endpoint() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  byte[] token() {
    return token;
  }

  byte[] destination() {
    return new TcpDestination(token, List.of(endpoint())).encode();
  }

  /** Accepts one connection. */
  SocketChannel accept() throws IOException {
    SocketChannel channel = listener.accept();
    channels.add(channel);
    return channel;
  }

  /** Connects to where a rank listens. */
  SocketChannel dial(byte[] destination) throws IOException {
    SocketChannel channel =
        SocketChannel.open(TcpDestination.decode(0, destination).endpoints().getFirst());
    channels.add(channel);
    return channel;
  }

  /** The hello of this rank to another one that has told its destination. */
  static Hello hello(String group, int from, int to, byte[] destination) {
    return new Hello(
        1,
        Hello.group(group),
        FabricThread.EPOCH,
        from,
        to,
        0,
        0,
        TcpDestination.decode(to, destination).token());
  }

  static ByteBuffer read(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
    return buffer.flip();
  }

  /** Waits for the other end to close; what it still sends does not matter. */
  static boolean isClosedByPeer(SocketChannel channel) {
    try {
      ByteBuffer buffer = ByteBuffer.allocate(1024);
      while (channel.read(buffer.clear()) >= 0) {}
    } catch (IOException e) {
      // Reset: closed as well.
      return true;
    }
    return true;
  }

  @Override
  public void close() {
    stopListening();
    for (SocketChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
