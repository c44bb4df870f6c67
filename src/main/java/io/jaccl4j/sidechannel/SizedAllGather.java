package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.GroupFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Contributions of any length over a channel that carries equal ones: each call is JACCL's gather
 * of a vector of bytes, the lengths first and then the bytes, padded to the longest.
 */
public final class SizedAllGather implements AllGather {
  private final UniformAllGather channel;
  private final LongSupplier nanoClock;

  /**
   * Over a channel, which {@link #close} closes.
   *
   * @param channel what carries the bytes
   * @param nanoClock such as {@link System#nanoTime}
   */
  public SizedAllGather(UniformAllGather channel, LongSupplier nanoClock) {
    this.channel = channel;
    this.nanoClock = nanoClock;
  }

  @Override
  public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
    return new TypedGathers(channel, timeoutNanos, nanoClock).vector(contribution, 1);
  }

  @Override
  public Optional<GroupFailure> loss() {
    return channel.loss();
  }

  @Override
  public void close() {
    channel.close();
  }
}
