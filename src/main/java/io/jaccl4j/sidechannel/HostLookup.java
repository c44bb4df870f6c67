package io.jaccl4j.sidechannel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks a host up in bounded time, which the system's resolver does not promise. */
public final class HostLookup {
  private HostLookup() {}

  /**
   * The addresses of a host, at least one.
   *
   * @param address as it is if it is resolved already
   * @param timeoutNanos how long the caller waits
   * @return in the resolver's order
   * @throws UnknownHostException if nobody knows the host
   * @throws IOException if the look-up does not end in time, or fails otherwise
   * @throws InterruptedException if the caller is interrupted
   */
  public static List<InetSocketAddress> lookUp(InetSocketAddress address, long timeoutNanos)
      throws IOException, InterruptedException {
    if (!address.isUnresolved()) {
      return List.of(address);
    }
    FutureTask<InetAddress[]> lookup =
        new FutureTask<>(() -> InetAddress.getAllByName(address.getHostString()));
    // Not a virtual one: the system's resolver would keep a carrier from all others.
    Thread.ofPlatform().daemon(true).name("jaccl-lookup").start(lookup);
    try {
      return Arrays.stream(lookup.get(timeoutNanos, TimeUnit.NANOSECONDS))
          .map(resolved -> new InetSocketAddress(resolved, address.getPort()))
          .toList();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownHostException
          ? new UnknownHostException("unknown host " + address.getHostString())
          : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("the look-up of " + address.getHostString() + " does not end", e);
    }
  }
}
