package io.jaccl4j.sidechannel;

import io.jaccl4j.ConfigurationException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a TCP coordinator is opened with.
 *
 * @param address where rank 0 listens; may be unresolved, it is looked up on every attempt
 * @param timeout one deadline from opening, over connecting and every gather
 * @param key shared secret of all ranks, at least 16 bytes; empty to do without, as ranks of MLX do
 */
public record TcpCoordinatorSettings(
    InetSocketAddress address, Duration timeout, Optional<byte[]> key) {

  /**
   * Checked settings.
   *
   * @throws ConfigurationException if the timeout is not positive or the key is too short
   */
  public TcpCoordinatorSettings {
    Objects.requireNonNull(address);
    if (timeout.isZero() || timeout.isNegative()) {
      throw new ConfigurationException(
          "timeout of the TCP coordinator is " + timeout + ", want it positive");
    }
    key = key.map(byte[]::clone);
    key.filter(bytes -> bytes.length < KeyHandshake.MIN_KEY_BYTES)
        .ifPresent(
            bytes -> {
              throw new ConfigurationException(
                  "key of the TCP coordinator has %d bytes, want %d or more"
                      .formatted(bytes.length, KeyHandshake.MIN_KEY_BYTES));
            });
  }

  /**
   * Without a key.
   *
   * @param address where rank 0 listens
   * @param timeout how long it may take
   */
  public TcpCoordinatorSettings(InetSocketAddress address, Duration timeout) {
    this(address, timeout, Optional.empty());
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "TcpCoordinatorSettings[address=%s, timeout=%s, %s]"
        .formatted(SocketText.of(address), timeout, key.isPresent() ? "with key" : "no key");
  }
}
