package io.jaccl4j.cli.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A rank's standard input as its keeper reads it: chunks with their length in front. Any thread.
 * Once a write has failed the rank is ending, and its exit tells why; what follows is dropped.
 */
final class RankInput {
  private final OutputStream stream;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean lost;

  RankInput(OutputStream stream) {
    this.stream = stream;
  }

  /** The keeper's program, before anything else. */
  void begin(byte[] program) {
    write(program, program.length, false);
  }

  /** Something to read. */
  void send(byte[] bytes, int length) {
    if (length > 0) {
      write(bytes, length, true);
    }
  }

  /** There is nothing more to read; the rank goes on. */
  void end() {
    write(new byte[0], 0, true);
  }

  /**
   * Tells the keeper to end the rank.
   *
   * @return whether it is told: not if a write hangs for longer than the time given
   */
  boolean close(Duration timeout) throws InterruptedException {
    if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      lost = true;
      stream.close();
    } catch (IOException _) {
      // The keeper is gone, and has ended its rank.
      return true;
    } finally {
      lock.unlock();
    }
    return true;
  }

  private void write(byte[] bytes, int length, boolean asChunk) {
    lock.lock();
    try {
      if (lost) {
        return;
      }
      if (asChunk) {
        stream.write((length + "\n").getBytes(StandardCharsets.US_ASCII));
      }
      stream.write(bytes, 0, length);
      stream.flush();
    } catch (IOException _) {
      lost = true;
    } finally {
      lock.unlock();
    }
  }
}
