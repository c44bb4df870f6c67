package io.jaccl4j.sidechannel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;

/** A connection to rank 0 that has not said, or not proved, which rank it is. */
final class Guest {
  private final PeerConnection connection;
  private final int size;

  /** Null where ranks need no key. */
  private final KeyHandshake handshake;

  private KeyHandshake.Opening opening;
  private boolean proved;
  private String refusal;

  Guest(PeerConnection connection, int size, Optional<byte[]> key) {
    this.connection = connection;
    this.size = size;
    this.handshake = key.map(KeyHandshake::new).orElse(null);
  }

  PeerConnection connection() {
    return connection;
  }

  /** Why it is refused, or null. */
  String refusal() {
    return refusal;
  }

  /** Goes as far as the bytes that have arrived allow. Returns the rank once it is known. */
  OptionalInt advance() {
    connection.fill(KeyHandshake.OPENING_BYTES);
    if (handshake != null && !proved) {
      prove();
    }
    if (refusal == null && (handshake == null || proved)) {
      if (connection.available() >= Integer.BYTES) {
        return hello();
      }
    }
    if (refusal == null && connection.isEnded()) {
      refusal = "left before it said its rank: " + connection.end();
    }
    return OptionalInt.empty();
  }

  private void prove() {
    if (opening == null) {
      readOpening();
    }
    if (opening != null && refusal == null && connection.available() >= KeyHandshake.PROOF_BYTES) {
      proved = handshake.accepts(opening, connection.take(KeyHandshake.PROOF_BYTES));
      if (!proved) {
        refusal = "has another key";
      }
    }
  }

  private void readOpening() {
    int known = Math.min(connection.available(), KeyHandshake.MAGIC.length);
    for (int i = 0; i < known; i++) {
      if (connection.peek(i) != KeyHandshake.MAGIC[i]) {
        refusal = "did not begin with the key handshake: it has no key, or is a stranger";
        return;
      }
    }
    if (connection.available() < KeyHandshake.OPENING_BYTES) {
      return;
    }
    opening = KeyHandshake.Opening.of(connection.take(KeyHandshake.OPENING_BYTES));
    if (opening.size() != size) {
      refusal = "is of a group of " + opening.size() + " ranks, want " + size;
      return;
    }
    connection.send(handshake.answer(opening));
  }

  private OptionalInt hello() {
    byte[] bytes = connection.take(Integer.BYTES);
    int rank = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (opening != null && rank != opening.rank()) {
      refusal = "proved to be rank " + opening.rank() + ", but said " + rank;
    } else if (handshake == null && beginsKeyHandshake(bytes)) {
      refusal = "has a key, but this rank has none";
    } else if (rank < 1 || rank >= size) {
      refusal = "said rank " + rank + ", want 1 to " + (size - 1);
    }
    return refusal == null ? OptionalInt.of(rank) : OptionalInt.empty();
  }

  private static boolean beginsKeyHandshake(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != KeyHandshake.MAGIC[i]) {
        return false;
      }
    }
    return true;
  }
}
