package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * A side channel through a directory that all ranks see: a shared file system, or a folder that
 * some service copies. Needs no locks, only that a file can be renamed. Every group has a directory
 * of its own; what dead runs left in it is never believed, and removed by rank 0.
 *
 * <p>A rank writes one file a round, and removes the one of the round before last: who has finished
 * a round knows that all others have read the one before.
 */
public final class DirectoryAllGather implements AllGather {
  private static final String CHANNEL = "shared directory";
  private static final String RUN_PREFIX = "run-";
  private static final Pattern RUN_NAME = Pattern.compile(RUN_PREFIX + "[0-9a-f]{32}");

  private final Complaints complaints;
  private final DirectoryWait wait;
  private final Deadline deadline;
  private final Path run;
  private final String nonce;

  // Guarded by this, but for a wait's own flag.
  private int round;
  private FormationException ended;

  private DirectoryAllGather(
      Complaints complaints, DirectoryWait wait, Deadline deadline, Path run, String nonce) {
    this.complaints = complaints;
    this.wait = wait;
    this.deadline = deadline;
    this.run = run;
    this.nonce = nonce;
  }

  /**
   * Opens a channel with each formation.
   *
   * @param directory made if it is not there
   * @param timeout one deadline from opening, over finding the others and every gather
   * @return what makes a channel for each formation
   */
  public static Factory factory(Path directory, Duration timeout) {
    return (rank, size) -> open(directory, rank, size, timeout, System::nanoTime);
  }

  /**
   * Finds the other ranks of this run.
   *
   * @param directory made if it is not there
   * @param rank this rank
   * @param size number of ranks
   * @param timeout one deadline from now, over finding the others and every gather
   * @param nanoClock such as {@link System#nanoTime}
   * @return the channel of this rank
   * @throws FormationException if a rank is missing at the deadline, sizes differ, another rank 0
   *     uses the directory, or it cannot be written
   */
  public static DirectoryAllGather open(
      Path directory, int rank, int size, Duration timeout, LongSupplier nanoClock) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new FormationException(
          Reason.RANK_CONFLICT,
          "shared directory: rank is %d of %d, want 0 to %d".formatted(rank, size, size - 1));
    }
    Complaints complaints = new Complaints(CHANNEL, rank, size);
    DirectoryWait wait = new DirectoryWait(complaints);
    Deadline deadline = new Deadline(timeout.toNanos(), nanoClock);
    RunAgreement agreement = new RunAgreement(complaints, wait, directory);
    try {
      Files.createDirectories(directory);
      if (rank == 0) {
        removeDeadRuns(directory);
        Files.createDirectories(directory.resolve(RUN_PREFIX + agreement.nonce()));
      }
      Path run = directory.resolve(RUN_PREFIX + agreement.agree(deadline));
      // Where a service copies the folder, the directory may come later than the files in it.
      Files.createDirectories(run);
      return new DirectoryAllGather(complaints, wait, deadline, run, agreement.nonce());
    } catch (IOException e) {
      throw unusable(complaints, "open", directory, e);
    }
  }

  private static void removeDeadRuns(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, RUN_PREFIX + "*")) {
      for (Path entry : entries) {
        if (RUN_NAME.matcher(entry.getFileName().toString()).matches()) {
          remove(entry);
        }
      }
    }
  }

  private static void remove(Path run) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(run)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(run);
  }

  @Override
  public synchronized List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
    if (ended != null) {
      throw Complaints.again(ended);
    }
    String phase = "gather " + round;
    try {
      wait.throwIfClosed(phase);
      return exchange(contribution, phase, deadline.within(timeoutNanos));
    } catch (FormationException e) {
      ended = e;
      throw e;
    } catch (IOException e) {
      ended = unusable(complaints, phase, run, e);
      throw ended;
    }
  }

  private List<byte[]> exchange(byte[] contribution, String phase, Deadline until)
      throws IOException {
    SharedFile.write(file(round, complaints.rank()), nonce, contribution);
    byte[][] all = new byte[complaints.size()][];
    all[complaints.rank()] = contribution.clone();
    if (!wait.until(() -> collect(all), until, phase)) {
      throw complaints.of(
          Reason.TIMEOUT,
          phase,
          "ranks %s wrote nothing in %s within %s; see the log there"
              .formatted(missing(all), run, until.elapsedText()));
    }
    if (round > 0) {
      Files.deleteIfExists(file(round - 1, complaints.rank()));
    }
    round++;
    return List.of(all);
  }

  private boolean collect(byte[][] all) throws IOException {
    boolean complete = true;
    for (int rank = 0; rank < all.length; rank++) {
      if (all[rank] == null) {
        Optional<byte[]> content = SharedFile.read(file(round, rank));
        all[rank] = content.orElse(null);
      }
      complete &= all[rank] != null;
    }
    return complete;
  }

  private static List<Integer> missing(byte[][] all) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < all.length; rank++) {
      if (all[rank] == null) {
        missing.add(rank);
      }
    }
    return missing;
  }

  private Path file(int number, int rank) {
    return run.resolve("round-" + number + "-rank-" + rank);
  }

  private static FormationException unusable(
      Complaints complaints, String phase, Path path, IOException cause) {
    return complaints.of(
        Reason.FABRIC,
        phase,
        "%s cannot be used: %s; it must be a directory that every rank can write"
            .formatted(path, cause),
        cause);
  }

  /** Leaves the files of the last round, which another rank may still have to read. */
  @Override
  public void close() {
    wait.stop();
  }
}
