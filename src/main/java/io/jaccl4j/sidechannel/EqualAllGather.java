package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.GroupFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A channel that carries equal contributions, for callers whose contributions are equal: nothing
 * but their bytes travels.
 */
public final class EqualAllGather implements AllGather {
  private final UniformAllGather channel;

  /**
   * Over a channel, which {@link #close} closes.
   *
   * @param channel what carries the bytes
   */
  public EqualAllGather(UniformAllGather channel) {
    this.channel = channel;
  }

  /**
   * {@return channels that another factory makes, seen this way}
   *
   * @param channels makes what carries the bytes
   */
  public static Factory factory(UniformAllGather.Factory channels) {
    return (rank, size) -> new EqualAllGather(channels.open(rank, size));
  }

  @Override
  public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
    byte[] all = channel.gather(contribution, timeoutNanos);
    List<byte[]> parts = new ArrayList<>(channel.size());
    for (int rank = 0; rank < channel.size(); rank++) {
      int begin = rank * contribution.length;
      parts.add(Arrays.copyOfRange(all, begin, begin + contribution.length));
    }
    return parts;
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
