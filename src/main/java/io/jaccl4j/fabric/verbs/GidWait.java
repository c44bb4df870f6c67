package io.jaccl4j.fabric.verbs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the GID of a port, and waits for it: a self-assigned IPv4 address can come minutes after
 * the interface.
 */
final class GidWait {
  private static final Logger LOG = LoggerFactory.getLogger(GidWait.class);
  private static final long INTERVAL_NANOS = 50_000_000;
  private static final int LOOKS_PER_REPORT = 20;

  private final LongSupplier nanoClock;
  private final long deadlineNanos;

  GidWait(LongSupplier nanoClock, long deadlineNanos) {
    this.nanoClock = nanoClock;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * The best GID: at once if it is one that waiting cannot better, else the best there is at the
   * end of half of the time that is left, so that the other half remains for connecting.
   */
  Optional<Gid> find(DeviceContext context, PortState port, OptionalInt fixedIndex) {
    long untilNanos =
        nanoClock.getAsLong() + Math.max(0, deadlineNanos - nanoClock.getAsLong()) / 2;
    for (int looks = 1; ; looks++) {
      List<Gid> table = context.gids(port);
      Optional<Gid> best = GidChoice.choose(table, fixedIndex);
      boolean late = nanoClock.getAsLong() - untilNanos >= 0;
      if (late || best.filter(gid -> GidChoice.isFinal(gid, fixedIndex)).isPresent()) {
        return best;
      }
      if (best.filter(gid -> !gid.isLinkLocal()).isPresent()) {
        // A routable address was set on purpose.
        return best;
      }
      if (looks % LOOKS_PER_REPORT == 0) {
        LOG.info("Device [{}] has no IPv4 address yet, only [{}]; waiting", context.name(), table);
      }
      LockSupport.parkNanos(INTERVAL_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        return best;
      }
    }
  }
}
