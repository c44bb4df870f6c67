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
  private long leftNanos;

  /**
   * A resolver.
   *
   * @param patience for all look-ups together; a name that is looked up after that is unknown
   */
  BoundedResolver(OwnRank.Resolver resolver, Duration patience) {
    this.resolver = resolver;
    this.leftNanos = patience.toNanos();
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    FutureTask<List<InetAddress>> lookup = new FutureTask<>(() -> resolver.resolve(host));
    Thread.ofVirtual().name("jaccl-own-rank-lookup").start(lookup);
    long beganNanos = System.nanoTime();
    try {
      return lookup.get(Math.max(1, leftNanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw unknown(host + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw unknown("the look-up of " + host + " does not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown("interrupted in the look-up of " + host, e);
    } finally {
      leftNanos -= System.nanoTime() - beganNanos;
    }
  }

  private static UnknownHostException unknown(String why, Throwable cause) {
    UnknownHostException exception = new UnknownHostException(why);
    exception.initCause(cause);
    return exception;
  }
}
