package io.jaccl4j.sidechannel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proof of a shared key in both directions, before the first byte of JACCL's.
 *
 * <pre>
 * rank r sends   "J4JAUTH1"  nonce (32)  r (int32)  size (int32)
 * rank 0 sends   nonce (32)  HMAC-SHA256(key, "rank 0"  both nonces, r, size)
 * rank r sends               HMAC-SHA256(key, "rank r"  both nonces, r, size)
 * </pre>
 *
 * Both nonces are fresh, so that no proof is of use twice; the labels differ, so that none is of
 * use to the side that got it. It keeps strangers out; it does not encrypt, nor protect what
 * follows against somebody who can change packets on their way.
 */
final class KeyHandshake {
  static final byte[] MAGIC = "J4JAUTH1".getBytes(StandardCharsets.US_ASCII);
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;
  static final int OPENING_BYTES = 8 + NONCE_BYTES + 2 * Integer.BYTES;
  static final int ANSWER_BYTES = NONCE_BYTES + PROOF_BYTES;
  static final int MIN_KEY_BYTES = 16;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;
  private final byte[] ownNonce = new byte[NONCE_BYTES];

  /** One handshake, with a fresh nonce. */
  KeyHandshake(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
    RANDOM.nextBytes(ownNonce);
  }

  /** What rank r begins with. */
  byte[] opening(int rank, int size) {
    return littleEndian(OPENING_BYTES).put(MAGIC).put(ownNonce).putInt(rank).putInt(size).array();
  }

  /** Rank 0's answer to an opening. */
  byte[] answer(Opening opening) {
    byte[] proof = proof("rank 0", opening.nonce(), ownNonce, opening.rank(), opening.size());
    return littleEndian(ANSWER_BYTES).put(ownNonce).put(proof).array();
  }

  /**
   * Rank r's proof after an answer.
   *
   * @return null if rank 0 has another key
   */
  byte[] proofAfter(byte[] answer, int rank, int size) {
    byte[] otherNonce = Arrays.copyOf(answer, NONCE_BYTES);
    byte[] otherProof = Arrays.copyOfRange(answer, NONCE_BYTES, ANSWER_BYTES);
    // Takes equally long wherever they differ.
    if (!MessageDigest.isEqual(proof("rank 0", ownNonce, otherNonce, rank, size), otherProof)) {
      return null;
    }
    return proof("rank r", ownNonce, otherNonce, rank, size);
  }

  /** Whether rank r has the key. */
  boolean accepts(Opening opening, byte[] otherProof) {
    return MessageDigest.isEqual(
        proof("rank r", opening.nonce(), ownNonce, opening.rank(), opening.size()), otherProof);
  }

  private byte[] proof(String label, byte[] rankNonce, byte[] rootNonce, int rank, int size) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update(rankNonce);
      mac.update(rootNonce);
      mac.update(littleEndian(2 * Integer.BYTES).putInt(rank).putInt(size).array());
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "this JVM cannot compute " + ALGORITHM + ", which every JVM must", e);
    }
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** What rank r began with. */
  record Opening(byte[] nonce, int rank, int size) {

    /** Reads one whose magic was checked. */
    static Opening of(byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      byte[] nonce = new byte[NONCE_BYTES];
      buffer.position(MAGIC.length).get(nonce);
      return new Opening(nonce, buffer.getInt(), buffer.getInt());
    }
  }
}
