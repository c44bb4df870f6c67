package io.jaccl4j.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How both ends of a new connection prove that they know the ring's key, before any data. The left
 * neighbour, which connects, speaks first:
 *
 * <pre>
 *   hello       introduction, nonce
 *   challenge   introduction, nonce, HMAC-SHA256(key, "challenge" hello introduction nonce)
 *   proof       HMAC-SHA256(key, "proof" hello introduction nonce)
 * </pre>
 *
 * Either code covers the other end's fresh nonce, and they differ by their first word, so that
 * nothing can be replayed or reflected. Without a key there are only the two introductions. One
 * instance per connection, non-blocking.
 */
final class Handshake {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int NONCE_BYTES = 32;
  private static final int CODE_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private enum Phase {
    SEND_HELLO,
    AWAIT_CHALLENGE,
    SEND_PROOF,
    AWAIT_HELLO,
    SEND_CHALLENGE,
    AWAIT_PROOF,
    DONE
  }

  private final byte[] key;
  private final Introduction own;
  private final Set<Introduction> expected;
  private final ByteBuffer hello;
  private final ByteBuffer challenge;
  private final ByteBuffer proof = ByteBuffer.allocate(CODE_BYTES);
  private Phase phase;
  private Introduction peer;

  private Handshake(byte[] key, Introduction own, Set<Introduction> expected, Phase first) {
    this.key = key;
    this.own = own;
    this.expected = Set.copyOf(expected);
    int provenBytes = Introduction.BYTES + (key == null ? 0 : NONCE_BYTES);
    this.hello = ByteBuffer.allocate(provenBytes);
    this.challenge = ByteBuffer.allocate(provenBytes + (key == null ? 0 : CODE_BYTES));
    this.phase = first;
  }

  /**
   * The end that connected.
   *
   * @param key or null
   */
  static Handshake ofConnecting(byte[] key, Introduction own, Introduction expected) {
    Handshake handshake = new Handshake(key, own, Set.of(expected), Phase.SEND_HELLO);
    own.write(handshake.hello);
    if (key != null) {
      handshake.hello.put(nonce());
    }
    handshake.hello.flip();
    return handshake;
  }

  /**
   * The end that accepted.
   *
   * @param key or null
   * @param expected whoever may have connected
   */
  static Handshake ofAccepting(byte[] key, Introduction own, Set<Introduction> expected) {
    return new Handshake(key, own, expected, Phase.AWAIT_HELLO);
  }

  private static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  boolean isDone() {
    return phase == Phase.DONE;
  }

  /** Which of the expected the other end is; known at the end. */
  Introduction peer() {
    return peer;
  }

  int interest() {
    return switch (phase) {
      case SEND_HELLO, SEND_CHALLENGE, SEND_PROOF -> SelectionKey.OP_WRITE;
      case AWAIT_HELLO, AWAIT_CHALLENGE, AWAIT_PROOF -> SelectionKey.OP_READ;
      case DONE -> 0;
    };
  }

  /** For errors: what the other end has not done yet. */
  String awaiting() {
    return switch (phase) {
      case AWAIT_CHALLENGE ->
          "has not answered to an introduction; does that rank have the same options and version?";
      case AWAIT_HELLO ->
          "has not introduced itself; does that rank have the same options and version?";
      case AWAIT_PROOF -> "has not proved that it knows the key";
      case SEND_HELLO, SEND_CHALLENGE, SEND_PROOF -> "does not read";
      case DONE -> "is there";
    };
  }

  /**
   * Moves on as far as possible without waiting. Reads no byte beyond its own.
   *
   * @throws HandshakeException if the other end is not the expected one
   */
  void advance(SocketChannel channel) throws IOException {
    Phase before;
    do {
      before = phase;
      switch (phase) {
        case SEND_HELLO -> {
          if (send(channel, hello)) {
            phase = Phase.AWAIT_CHALLENGE;
          }
        }
        case AWAIT_HELLO -> {
          if (receive(channel, hello)) {
            onHello();
          }
        }
        case SEND_CHALLENGE -> {
          if (send(channel, challenge)) {
            onChallengeSent();
          }
        }
        case AWAIT_CHALLENGE -> {
          if (receive(channel, challenge)) {
            onChallenge();
          }
        }
        case SEND_PROOF -> {
          if (send(channel, proof)) {
            // Only now, so that the other end learns of a difference as well.
            checkExpected();
            phase = Phase.DONE;
          }
        }
        case AWAIT_PROOF -> {
          if (receive(channel, proof)) {
            checkCode("proof", proof.array());
            checkExpected();
            phase = Phase.DONE;
          }
        }
        case DONE -> {}
      }
    } while (phase != before);
  }

  private static boolean send(SocketChannel channel, ByteBuffer message) throws IOException {
    channel.write(message);
    return !message.hasRemaining();
  }

  private boolean receive(SocketChannel channel, ByteBuffer message) throws IOException {
    if (channel.read(message) < 0) {
      throw new HandshakeException("closed the connection and " + awaiting(), false);
    }
    return !message.hasRemaining();
  }

  private void onHello() {
    peer = Introduction.read(hello.flip());
    own.write(challenge);
    if (key != null) {
      challenge.put(nonce());
      challenge.put(code("challenge"));
    }
    challenge.flip();
    phase = Phase.SEND_CHALLENGE;
  }

  private void onChallengeSent() {
    if (key == null) {
      checkExpected();
      phase = Phase.DONE;
    } else {
      phase = Phase.AWAIT_PROOF;
    }
  }

  private void onChallenge() {
    peer = Introduction.read(challenge.flip());
    if (key == null) {
      checkExpected();
      phase = Phase.DONE;
      return;
    }
    byte[] code = new byte[CODE_BYTES];
    challenge.get(Introduction.BYTES + NONCE_BYTES, code);
    checkCode("challenge", code);
    proof.put(code("proof")).flip();
    phase = Phase.SEND_PROOF;
  }

  private void checkCode(String message, byte[] code) {
    if (!MessageDigest.isEqual(code, code(message))) {
      throw new HandshakeException("does not know this ring's key", message.equals("challenge"));
    }
  }

  private void checkExpected() {
    if (!expected.contains(peer)) {
      String wanted =
          expected.stream()
              .map(Introduction::toString)
              .sorted()
              .collect(Collectors.joining(" or "));
      throw new HandshakeException(
          "is " + peer + ", want " + wanted + "; give all ranks the same hosts and options", true);
    }
  }

  private byte[] code(String message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(message.getBytes(StandardCharsets.US_ASCII));
      mac.update(hello.array());
      mac.update(challenge.array(), 0, Introduction.BYTES + NONCE_BYTES);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
    }
  }
}
