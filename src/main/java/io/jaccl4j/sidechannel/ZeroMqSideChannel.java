package io.jaccl4j.sidechannel;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A side channel through ZeroMQ, for programs that use it already. Needs {@code org.zeromq:jeromq}
 * on the class path, which this library does not bring along.
 *
 * <p>Rank 0 is a ROUTER that binds, the others are REQ sockets that connect, before or after.
 *
 * <pre>
 * request   rank (int32 little endian), the rank's bytes
 * reply     the bytes of all ranks, in rank order
 * </pre>
 */
public final class ZeroMqSideChannel {
  private ZeroMqSideChannel() {}

  /**
   * Opens a channel with each formation.
   *
   * @param address where rank 0 binds
   * @param timeout one deadline from opening, over every gather
   * @return what makes a channel for each formation
   */
  public static UniformAllGather.Factory factory(InetSocketAddress address, Duration timeout) {
    return (rank, size) -> open(address, rank, size, timeout, System::nanoTime);
  }

  /**
   * Opens the socket of a rank; the others need not be there yet.
   *
   * @param address where rank 0 binds
   * @param rank this rank
   * @param size number of ranks
   * @param timeout one deadline from now, over every gather
   * @param nanoClock such as {@link System#nanoTime}
   * @return the channel of this rank
   * @throws FormationException if rank 0 cannot bind
   * @throws ConfigurationException if JeroMQ is not on the class path
   */
  public static UniformAllGather open(
      InetSocketAddress address, int rank, int size, Duration timeout, LongSupplier nanoClock) {
    try {
      return ZeroMqStar.open(address, rank, size, new Deadline(timeout.toNanos(), nanoClock));
    } catch (NoClassDefFoundError e) {
      throw new ConfigurationException(
          "the ZeroMQ side channel needs org.zeromq:jeromq on the class path ("
              + e.getMessage()
              + ")",
          e);
    }
  }
}
