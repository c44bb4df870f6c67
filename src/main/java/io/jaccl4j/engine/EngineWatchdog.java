package io.jaccl4j.engine;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Notices when an engine thread does not come back from a call into a driver. Such a thread cannot
 * be interrupted, and nothing that it would have looked at is looked at any more; only another
 * thread can tell. All engines of the process share one thread, which ends when there are none.
 *
 * <p>A function of the application that takes long is none of its business: it only speaks of a
 * thread that is inside the same native call each time it looks.
 */
final class EngineWatchdog {
  private static final long LOOK_MILLIS = 500;
  private static final int FRAMES_LOOKED_AT = 8;
  private static final String NATIVE_PREFIX = "ibv_";

  private static final ScheduledThreadPoolExecutor LOOKS = looks();

  private final Thread thread;
  private final LongSupplier progress;
  private final NanoClock clock;
  private final long limitNanos;
  private final Consumer<String> onStuck;
  private final ScheduledFuture<?> schedule;
  private long seenProgress = -1;
  private String seenCall = "";
  private long sinceNanos;

  private EngineWatchdog(
      Thread thread,
      LongSupplier progress,
      NanoClock clock,
      long limitNanos,
      Consumer<String> onStuck) {
    this.thread = thread;
    this.progress = progress;
    this.clock = clock;
    this.limitNanos = limitNanos;
    this.onStuck = onStuck;
    this.schedule =
        LOOKS.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static ScheduledThreadPoolExecutor looks() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("jaccl-watchdog").daemon(true).unstarted(task));
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * Watches a thread that was started, until it ends or is found stuck.
   *
   * @param progress changes whenever the thread gets on
   * @param limitNanos how long one native call may take
   * @param onStuck told the call's name, once, on the watchdog's thread
   */
  static void watch(
      Thread thread,
      LongSupplier progress,
      NanoClock clock,
      long limitNanos,
      Consumer<String> onStuck) {
    new EngineWatchdog(thread, progress, clock, limitNanos, onStuck);
  }

  private void stop() {
    schedule.cancel(false);
  }

  private void look() {
    if (!thread.isAlive()) {
      stop();
      return;
    }
    long nowProgress = progress.getAsLong();
    // A stack trace stops the thread for a moment: not while it gets on.
    String call = nowProgress == seenProgress ? nativeCall(thread) : "";
    if (call.isEmpty() || !call.equals(seenCall)) {
      seenProgress = nowProgress;
      seenCall = call;
      sinceNanos = clock.nanoTime();
    } else if (clock.nanoTime() - sinceNanos >= limitNanos) {
      stop();
      onStuck.accept(call);
    }
  }

  /** The library's call that a thread is in, or the empty string. */
  private static String nativeCall(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, FRAMES_LOOKED_AT); i++) {
      if (frames[i].getMethodName().startsWith(NATIVE_PREFIX)) {
        return frames[i].getMethodName();
      }
    }
    return "";
  }
}
