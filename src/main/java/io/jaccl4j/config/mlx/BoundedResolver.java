package io.jaccl4j.config.mlx;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks hosts up in bounded time, which the system's resolver does not promise. */
final class BoundedResolver implements OwnRank.Resolver {
  private final OwnRank.Resolver resolver;
  private final long patienceNanos;

  /**
   * A resolver.
   *
   * @param patience for one look-up; a name whose look-up takes longer is unknown
   */
  BoundedResolver(OwnRank.Resolver resolver, Duration patience) {
    this.resolver = resolver;
    this.patienceNanos = patience.toNanos();
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    FutureTask<List<InetAddress>> lookup = new FutureTask<>(() -> resolver.resolve(host));
    // Not a virtual one: the system's resolver would keep a carrier from all others.
    Thread.ofPlatform().daemon(true).name("jaccl-own-rank-lookup").start(lookup);
    try {
      return lookup.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw unknown(host + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw unknown("the look-up of " + host + " does not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown("interrupted in the look-up of " + host, e);
    }
  }

  private static UnknownHostException unknown(String why, Throwable cause) {
    UnknownHostException exception = new UnknownHostException(why);
    exception.initCause(cause);
    return exception;
  }
}
