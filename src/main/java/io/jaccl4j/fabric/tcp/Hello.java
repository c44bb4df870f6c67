package io.jaccl4j.fabric.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The first bytes in each direction of a connection: who speaks, to whom, and for which socket of
 * which wire of which group. Little-endian.
 *
 * <pre>
 * 0    magic      int64
 * 8    version    int32
 * 12   sockets    int32     per wire
 * 16   group      int64     hash of the group's name
 * 24   epoch      int64
 * 32   from       int32     rank
 * 36   to         int32     rank
 * 40   wire       int32
 * 44   socket     int32
 * 48   token      16 bytes  of the rank that it goes to
 * </pre>
 *
 * <p>The rank that has connected sends its hello first, the other one answers with its own, and the
 * first one confirms with one byte; only then does the connection take a place. A connection that
 * was given up by its maker meanwhile therefore takes none.
 */
record Hello(
    int sockets, long group, long epoch, int from, int to, int wire, int socket, byte[] token) {
  static final int BYTES = 64;
  static final byte CONFIRMATION = 0x4A;

  private static final long MAGIC = 0x7063742D6C63636AL;
  private static final int VERSION = 1;

  /** A hash of a group's name. */
  static long group(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The hello that the other end must answer with. */
  Hello answeredWith(byte[] tokenOfThisEnd) {
    return new Hello(sockets, group, epoch, to, from, wire, socket, tokenOfThisEnd);
  }

  ByteBuffer encode() {
    return ByteBuffer.allocateDirect(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(MAGIC)
        .putInt(VERSION)
        .putInt(sockets)
        .putLong(group)
        .putLong(epoch)
        .putInt(from)
        .putInt(to)
        .putInt(wire)
        .putInt(socket)
        .put(token)
        .flip();
  }

  /** Reads a hello whose magic and version {@link #obstacle} has accepted. */
  static Hello decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(12).limit(BYTES);
    int sockets = in.getInt();
    long group = in.getLong();
    long epoch = in.getLong();
    int from = in.getInt();
    int to = in.getInt();
    int wire = in.getInt();
    int socket = in.getInt();
    byte[] token = new byte[TcpDestination.TOKEN_BYTES];
    in.get(token);
    return new Hello(sockets, group, epoch, from, to, wire, socket, token);
  }

  /** Why bytes are no hello at all; empty if they are one. */
  static Optional<String> obstacle(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getLong(0) != MAGIC) {
      return Optional.of("it is no hello of jaccl4j");
    }
    int version = in.getInt(8);
    return version == VERSION
        ? Optional.empty()
        : Optional.of("its hello has version " + version + ", want " + VERSION);
  }

  /** In what a hello differs from the one that is wanted; empty if in nothing. */
  static Optional<String> difference(Hello got, Hello want) {
    if (got.group != want.group) {
      return Optional.of("it belongs to another group");
    }
    if (got.epoch != want.epoch) {
      return Optional.of("it belongs to epoch " + got.epoch + ", want " + want.epoch);
    }
    // No early end on a difference: its time would tell how much of a guess is right.
    if (!MessageDigest.isEqual(got.token, want.token)) {
      return Optional.of("its token is not the one that this rank has told its peers");
    }
    if (got.from != want.from || got.to != want.to) {
      return Optional.of(
          "it goes from rank "
              + got.from
              + " to rank "
              + got.to
              + ", want from "
              + want.from
              + " to "
              + want.to);
    }
    if (got.sockets != want.sockets) {
      return Optional.of("it has " + got.sockets + " sockets per wire, want " + want.sockets);
    }
    if (got.wire != want.wire || got.socket != want.socket) {
      return Optional.of(
          "it is for socket "
              + got.socket
              + " of wire "
              + got.wire
              + ", want socket "
              + want.socket
              + " of wire "
              + want.wire);
    }
    return Optional.empty();
  }
}
