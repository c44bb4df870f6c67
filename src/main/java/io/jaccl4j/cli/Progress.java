package io.jaccl4j.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One line that says what is awaited, on a terminal rewritten in place about once a second;
 * elsewhere a plain line each time, less often. Other lines go through here too so that they do not
 * mix with it. Any thread.
 */
final class Progress {
  private static final long TERMINAL_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PLAIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private final long intervalNanos;
  private long lastNanos;
  private int shownLength;

  Progress(PrintWriter out, boolean terminal, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.intervalNanos = terminal ? TERMINAL_INTERVAL_NANOS : PLAIN_INTERVAL_NANOS;
    this.lastNanos = nanoClock.getAsLong();
  }

  /** Whether standard error is likely a terminal. */
  static boolean isTerminal() {
    return System.console() != null && System.console().isTerminal();
  }

  /** Shows what is awaited, unless something was shown just before. */
  synchronized void update(String text) {
    long nowNanos = nanoClock.getAsLong();
    if (nowNanos - lastNanos < intervalNanos) {
      return;
    }
    lastNanos = nowNanos;
    if (!terminal) {
      out.println(text);
      out.flush();
      return;
    }
    String line =
        text.length() < Table.MAX_WIDTH ? text : text.substring(0, Table.MAX_WIDTH - 4) + "...";
    out.print("\r" + line + " ".repeat(Math.max(0, shownLength - line.length())));
    out.flush();
    shownLength = line.length();
  }

  /** Removes the line before something else is printed. */
  synchronized void clear() {
    if (shownLength > 0) {
      out.print("\r" + " ".repeat(shownLength) + "\r");
      out.flush();
      shownLength = 0;
    }
  }

  /** Prints a line of its own. */
  synchronized void println(String line) {
    clear();
    out.println(line);
    out.flush();
  }
}
