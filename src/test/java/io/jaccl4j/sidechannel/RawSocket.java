package io.jaccl4j.sidechannel;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A peer that sends and receives what a test says. */
final class RawSocket implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final HexFormat HEX = HexFormat.of();

  private final Socket socket;
  private final DataInputStream in;

  RawSocket(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** Connects, as soon as somebody listens. */
  static RawSocket connect(InetSocketAddress address) throws IOException {
    long untilNanos = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (true) {
      try {
        return new RawSocket(new Socket(address.getAddress(), address.getPort()));
      } catch (IOException e) {
        if (System.nanoTime() - untilNanos > 0) {
          throw e;
        }
        Thread.yield();
      }
    }
  }

  static ServerSocket listen(InetSocketAddress address) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.setSoTimeout(PATIENCE_MILLIS);
    listener.bind(address);
    return listener;
  }

  /** A port of this machine that nobody uses just now. */
  static InetSocketAddress freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  void send(String hex) throws IOException {
    socket.getOutputStream().write(HEX.parseHex(hex));
    socket.getOutputStream().flush();
  }

  void sendText(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  String receive(int bytes) throws IOException {
    byte[] received = new byte[bytes];
    in.readFully(received);
    return HEX.formatHex(received);
  }

  /** Everything until the peer ends. */
  String receiveAll() throws IOException {
    return HEX.formatHex(in.readAllBytes());
  }

  /** Whether the peer ends the connection without a further byte. */
  boolean isEnded() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  void endSending() throws IOException {
    socket.shutdownOutput();
  }

  int localPort() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
