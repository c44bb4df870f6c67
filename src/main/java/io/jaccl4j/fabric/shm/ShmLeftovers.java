package io.jaccl4j.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files of groups whose rank 0 was killed in the moment between making the file and taking
 * its name away again. Rank 0 holds a lock on the file in that time, which ends with its process.
 */
final class ShmLeftovers {
  private static final Logger LOG = LoggerFactory.getLogger(ShmLeftovers.class);

  /** A younger file may have been made and not yet locked. */
  private static final Duration MIN_AGE = Duration.ofMinutes(1);

  private ShmLeftovers() {}

  /** Never fails: what cannot be looked at belongs to somebody else. */
  static void sweep(Path directory, Instant now) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, ShmFile.NAME_PREFIX + "*" + ShmFile.NAME_SUFFIX)) {
      for (Path file : files) {
        sweepOne(file, now);
      }
    } catch (IOException e) {
      LOG.debug("Cannot look for leftovers in [{}]", directory, e);
    }
  }

  private static void sweepOne(Path file, Instant now) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (Files.getLastModifiedTime(file).toInstant().isAfter(now.minus(MIN_AGE))) {
        return;
      }
      FileLock lock = channel.tryLock();
      if (lock != null) {
        Files.deleteIfExists(file);
        LOG.info("Removed [{}], left behind by a process that was killed", file);
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("[{}] belongs to a group of this process", file);
    } catch (IOException e) {
      LOG.debug("Cannot look at [{}]", file, e);
    }
  }
}
