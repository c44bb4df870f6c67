package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyHandshakeTest {
  private static final byte[] KEY = "correct horse battery staple".getBytes(StandardCharsets.UTF_8);
  private static final int BLOCK_BYTES = 64;

  /** HMAC by its definition (RFC 2104): H(K ^ opad, H(K ^ ipad, text)). */
  private static byte[] hmacSha256(byte[] key, byte[]... text) throws Exception {
    byte[] inner = new byte[BLOCK_BYTES];
    byte[] outer = new byte[BLOCK_BYTES];
    for (int i = 0; i < BLOCK_BYTES; i++) {
      byte k = i < key.length ? key[i] : 0;
      inner[i] = (byte) (k ^ 0x36);
      outer[i] = (byte) (k ^ 0x5c);
    }
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    sha.update(inner);
    for (byte[] part : text) {
      sha.update(part);
    }
    byte[] digest = sha.digest();
    sha.update(outer);
    return sha.digest(digest);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Case 2 of RFC 4231, so that the definition above is right. */
  @Test
  void shouldBeComparedWithTheRightDefinition() throws Exception {
    assertThat(
            HexFormat.of()
                .formatHex(hmacSha256(ascii("Jefe"), ascii("what do ya want for nothing?"))))
        .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }

  @Test
  void shouldProveTheKeyInBothDirections() throws Exception {
    KeyHandshake rank = new KeyHandshake(KEY);
    KeyHandshake root = new KeyHandshake(KEY);
    byte[] opening = rank.opening(2, 5);
    byte[] answer = root.answer(KeyHandshake.Opening.of(opening));
    byte[] rankNonce = Arrays.copyOfRange(opening, 8, 40);
    byte[] rootNonce = Arrays.copyOf(answer, 32);
    byte[] place =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(2).putInt(5).array();

    assertThat(Arrays.copyOf(opening, 8)).isEqualTo(ascii("J4JAUTH1"));
    assertThat(Arrays.copyOfRange(opening, 40, 48)).isEqualTo(place);
    assertThat(Arrays.copyOfRange(answer, 32, 64))
        .isEqualTo(hmacSha256(KEY, ascii("rank 0"), rankNonce, rootNonce, place));
    byte[] proof = rank.proofAfter(answer, 2, 5);
    assertThat(proof).isEqualTo(hmacSha256(KEY, ascii("rank r"), rankNonce, rootNonce, place));
    assertThat(root.accepts(KeyHandshake.Opening.of(opening), proof)).isTrue();
  }

  @Test
  void shouldHaveAFreshNonceEachTime() {
    Set<String> openings = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      openings.add(HexFormat.of().formatHex(new KeyHandshake(KEY).opening(1, 2)));
    }
    assertThat(openings).hasSize(100);
  }

  @Test
  void shouldRefuseEveryChangedBitOfAProof() {
    KeyHandshake rank = new KeyHandshake(KEY);
    KeyHandshake root = new KeyHandshake(KEY);
    KeyHandshake.Opening opening = KeyHandshake.Opening.of(rank.opening(1, 2));
    byte[] answer = root.answer(opening);
    byte[] proof = rank.proofAfter(answer, 1, 2);
    for (int bit = 0; bit < 8 * proof.length; bit++) {
      byte[] changed = proof.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(root.accepts(opening, changed)).as("bit %d", bit).isFalse();
    }
    for (int bit = 0; bit < 8 * answer.length; bit++) {
      byte[] changed = answer.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(rank.proofAfter(changed, 1, 2)).as("bit %d of the answer", bit).isNull();
    }
    assertThat(rank.proofAfter(answer, 1, 3)).as("another size").isNull();
  }

  /** Rank 0's recorded answer proves nothing to a rank that begins anew. */
  @Test
  void shouldNotTrustAnAnswerTwice() {
    KeyHandshake first = new KeyHandshake(KEY);
    byte[] answer = new KeyHandshake(KEY).answer(KeyHandshake.Opening.of(first.opening(1, 2)));
    assertThat(first.proofAfter(answer, 1, 2)).isNotNull();
    assertThat(new KeyHandshake(KEY).proofAfter(answer, 1, 2)).isNull();
  }

  /** A proof is of no use to the side that got it. */
  @Test
  void shouldNotAcceptItsOwnProofBack() {
    KeyHandshake rank = new KeyHandshake(KEY);
    KeyHandshake root = new KeyHandshake(KEY);
    KeyHandshake.Opening opening = KeyHandshake.Opening.of(rank.opening(1, 2));
    byte[] answer = root.answer(opening);
    assertThat(root.accepts(opening, Arrays.copyOfRange(answer, 32, 64))).isFalse();
  }
}
