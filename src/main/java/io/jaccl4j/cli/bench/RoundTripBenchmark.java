package io.jaccl4j.cli.bench;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * What a number there and back costs two ranks of one machine with nothing of ours between them:
 * one writes a cache line that the other polls. No operation between two ranks can be much faster
 * than one such round trip, so it is the yardstick for latencies.
 */
final class RoundTripBenchmark {
  private static final long FILE_BYTES = 4096;

  /** Far enough from line 0 that no prefetcher fetches both. */
  private static final long ANSWER_OFFSET = 2048;

  private static final int NAME_BYTES = 1024;
  private static final int WARM_UP = 30_000;
  private static final int BATCH = 16;
  private static final int SAMPLES = 2_000;
  private static final int SPINS_PER_YIELD = 1 << 10;
  private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final VarHandle LINE = ValueLayout.JAVA_LONG.varHandle();

  private final Session session;
  private final Agreement agreement;
  private final LongSupplier nanoClock;
  private final Path directory;

  RoundTripBenchmark(Session session, Agreement agreement, LongSupplier nanoClock, Path directory) {
    this.session = session;
    this.agreement = agreement;
    this.nanoClock = nanoClock;
    this.directory = directory;
  }

  /** All ranks call it. Empty if ranks 0 and 1 do not share a machine or there is no rank 1. */
  OptionalDouble medianNanos() {
    if (session.size() < 2) {
      return OptionalDouble.empty();
    }
    Path file = session.rank() == 0 ? createOrNull() : null;
    try (Arena arena = Arena.ofShared()) {
      Path shared = agreeOnFile(file, arena);
      MemorySegment lines = session.rank() < 2 ? mapOrNull(shared, arena) : null;
      boolean mapped = agreement.sum(lines == null ? 0 : 1) == 2;
      double nanos = mapped && lines != null ? exchange(lines) : 0;
      double slowestNanos = agreement.maxNanos(nanos);
      return mapped ? OptionalDouble.of(slowestNanos) : OptionalDouble.empty();
    } finally {
      delete(file);
    }
  }

  private Path createOrNull() {
    FileAttribute<?> onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try {
      Path file = Files.createTempFile(directory, "jaccl4j-round-trip-", null, onlyOwner);
      Files.write(file, new byte[(int) FILE_BYTES]);
      return file;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** Its name travels from rank 0 as the greatest of the ranks' bytes, which every wire can do. */
  private Path agreeOnFile(Path file, Arena arena) {
    MemorySegment name = arena.allocate(NAME_BYTES);
    if (file != null) {
      byte[] bytes = file.toString().getBytes(StandardCharsets.UTF_8);
      if (bytes.length < NAME_BYTES) {
        MemorySegment.copy(bytes, 0, name, ValueLayout.JAVA_BYTE, 0, bytes.length);
      }
    }
    session.allMax(name, name, Dtype.UINT8);
    return Path.of(name.getString(0));
  }

  private static MemorySegment mapOrNull(Path file, Arena arena) {
    if (file.toString().isEmpty()) {
      return null;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, arena);
    } catch (IOException e) {
      // The file is on another machine, or never came to be: there is no shared line to measure.
      return null;
    }
  }

  private double exchange(MemorySegment lines) {
    long own = session.rank() == 0 ? 0 : ANSWER_OFFSET;
    long other = session.rank() == 0 ? ANSWER_OFFSET : 0;
    Histogram histogram = new Histogram(3);
    long number = roundTrips(lines, own, other, 0, WARM_UP);
    for (int sample = 0; sample < SAMPLES; sample++) {
      long startNanos = nanoClock.getAsLong();
      number = roundTrips(lines, own, other, number, BATCH);
      histogram.recordValue(Math.max(0, nanoClock.getAsLong() - startNanos));
    }
    return histogram.getValueAtPercentile(50) / (double) BATCH;
  }

  private long roundTrips(MemorySegment lines, long own, long other, long from, int count) {
    boolean begins = session.rank() == 0;
    long number = from;
    for (int i = 0; i < count; i++) {
      number++;
      if (begins) {
        LINE.setRelease(lines, own, number);
        await(lines, other, number);
      } else {
        await(lines, other, number);
        LINE.setRelease(lines, own, number);
      }
    }
    return number;
  }

  private void await(MemorySegment lines, long offset, long number) {
    int spins = 0;
    long untilNanos = 0;
    while ((long) LINE.getAcquire(lines, offset) != number) {
      Thread.onSpinWait();
      if (++spins % SPINS_PER_YIELD == 0) {
        long nowNanos = nanoClock.getAsLong();
        untilNanos = untilNanos == 0 ? nowNanos + PATIENCE_NANOS : untilNanos;
        if (nowNanos - untilNanos >= 0) {
          throw new IllegalStateException(
              "raw round trip on rank "
                  + session.rank()
                  + ": rank "
                  + (1 - session.rank())
                  + " did not write number "
                  + number
                  + " within "
                  + Duration.ofNanos(PATIENCE_NANOS).toSeconds()
                  + " s; look whether its process still runs");
        }
        Thread.yield();
      }
    }
  }

  private static void delete(Path file) {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + file, e);
      }
    }
  }
}
