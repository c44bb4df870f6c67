package io.jaccl4j.process;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A name server (RFC 1035, RFC 2782) on loopback that knows one service: SRV records with the
 * addresses of their targets beside them, as the DNS of Kubernetes answers for a headless service.
 * All targets are at 127.0.0.1.
 */
final class LoopbackDns implements AutoCloseable {
  private static final int A = 1;
  private static final int SRV = 33;
  private static final int IN = 1;
  private static final int TTL_SECONDS = 1;
  private static final int HEADER_BYTES = 12;
  private static final int RESPONSE_AUTHORITATIVE = 0x8400;
  private static final int NO_SUCH_NAME = 3;
  private static final byte[] ADDRESS = {127, 0, 0, 1};

  private final String service;
  private final DatagramSocket socket;
  private final Map<String, Integer> portByTarget = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /**
   * Starts to answer.
   *
   * @param service the owner of the SRV records
   */
  LoopbackDns(String service) throws IOException {
    this.service = service;
    this.socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.ofPlatform().daemon().name("loopback-dns").start(this::serve);
  }

  int port() {
    return socket.getLocalPort();
  }

  /** From now on the service is at this port, too. */
  void add(String target, int port) {
    portByTarget.put(target, port);
  }

  /** What was asked, as type and name. */
  List<String> asked() {
    return asked;
  }

  private void serve() {
    byte[] buffer = new byte[512];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(packet);
        byte[] answer = answer(ByteBuffer.wrap(buffer, 0, packet.getLength()));
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException e) {
        // Closed; or a peer that is gone, which asks no more.
      }
    }
  }

  private byte[] answer(ByteBuffer query) throws IOException {
    final int id = Short.toUnsignedInt(query.getShort(0));
    query.position(HEADER_BYTES);
    String name = readName(query);
    int type = Short.toUnsignedInt(query.getShort());
    asked.add(type + " " + name);

    Map<String, Integer> targets = new LinkedHashMap<>();
    if (name.equals(service)) {
      targets.putAll(portByTarget);
    }
    boolean known = name.equals(service) || portByTarget.containsKey(name);
    boolean addressAsked = portByTarget.containsKey(name) && type == A;
    boolean serviceAsked = name.equals(service) && type == SRV;
    int answers = serviceAsked ? targets.size() : addressAsked ? 1 : 0;

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(id);
    out.writeShort(RESPONSE_AUTHORITATIVE | (known ? 0 : NO_SUCH_NAME));
    out.writeShort(1);
    out.writeShort(answers);
    out.writeShort(0);
    out.writeShort(serviceAsked ? targets.size() : 0);
    writeName(out, name);
    out.writeShort(type);
    out.writeShort(IN);
    if (addressAsked) {
      writeRecord(out, name, A, ADDRESS);
    }
    if (serviceAsked) {
      for (Map.Entry<String, Integer> target : targets.entrySet()) {
        writeRecord(out, name, SRV, serviceData(target.getKey(), target.getValue()));
      }
      for (String target : targets.keySet()) {
        writeRecord(out, target, A, ADDRESS);
      }
    }
    return bytes.toByteArray();
  }

  /** Priority, weight, port, target. */
  private static byte[] serviceData(String target, int port) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(0);
    out.writeShort(1);
    out.writeShort(port);
    writeName(out, target);
    return bytes.toByteArray();
  }

  private static void writeRecord(DataOutputStream out, String name, int type, byte[] data)
      throws IOException {
    writeName(out, name);
    out.writeShort(type);
    out.writeShort(IN);
    out.writeInt(TTL_SECONDS);
    out.writeShort(data.length);
    out.write(data);
  }

  private static void writeName(DataOutputStream out, String name) throws IOException {
    for (String label : name.split("\\.")) {
      out.writeByte(label.length());
      out.write(label.getBytes(StandardCharsets.US_ASCII));
    }
    out.writeByte(0);
  }

  private static String readName(ByteBuffer query) {
    StringBuilder name = new StringBuilder();
    for (int length = query.get(); length > 0; length = query.get()) {
      byte[] label = new byte[length];
      query.get(label);
      name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
    }
    return name.toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    socket.close();
  }
}
