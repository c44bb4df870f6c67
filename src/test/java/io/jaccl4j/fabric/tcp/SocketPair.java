package io.jaccl4j.fabric.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Two ends of one connection over loopback, non-blocking. */
record SocketPair(SocketChannel first, SocketChannel second) {

  /** Opens a pair whose kernel buffers are as small as the system allows if that is wanted. */
  static SocketPair open(boolean smallBuffers) {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      if (smallBuffers) {
        listener.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      }
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel first = SocketChannel.open();
      if (smallBuffers) {
        first.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
        first.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      }
      first.connect(listener.getLocalAddress());
      SocketChannel second = listener.accept();
      first.configureBlocking(false);
      second.configureBlocking(false);
      first.setOption(StandardSocketOptions.TCP_NODELAY, true);
      second.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new SocketPair(first, second);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
