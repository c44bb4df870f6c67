package io.jaccl4j.fabric.tcp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Addresses of a host name, or none. */
@FunctionalInterface
interface NameLookup {
  /** A resolver that does not answer must not use up the time for the rest. */
  long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

  List<InetAddress> addressesOf(String host);

  /**
   * The system's resolver, in bounded time.
   *
   * @param remainingNanos time for everything
   */
  static NameLookup system(long remainingNanos) {
    long limitNanos = Math.min(LONGEST_NANOS, remainingNanos / 4);
    return host -> {
      CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
      // Not a virtual one: the system's resolver would keep a carrier from all others.
      Thread.ofPlatform()
          .daemon(true)
          .name("jaccl-tcp-lookup")
          .start(() -> found.complete(resolve(host)));
      try {
        return found.get(limitNanos, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return List.of();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return List.of();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static List<InetAddress> resolve(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }
}
