package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * How the ranks of one run find each other in a directory where files of dead runs may lie.
 *
 * <pre>
 * run       by rank 0   token size                       a fresh token
 * hello-r   by rank r   token size nonce                 a fresh nonce, for the token it sees
 * start     by rank 0   token size nonce nonce …         one nonce of each rank from 1
 * </pre>
 *
 * Rank 0 believes a hello that has its token, which nobody knew before; rank r believes a start
 * that has its nonce, which nobody knew before. A file of a dead run has neither. Rank r answers
 * again when the token changes. After that, all files of the run lie in a directory named by the
 * token.
 */
final class RunAgreement {
  private static final int RANDOM_BYTES = 16;
  private static final String PHASE = "agree on a run";

  private final Complaints complaints;
  private final DirectoryWait wait;
  private final Path directory;
  private final String own;

  RunAgreement(Complaints complaints, DirectoryWait wait, Path directory) {
    this.complaints = complaints;
    this.wait = wait;
    this.directory = directory;
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    this.own = HexFormat.of().formatHex(random);
  }

  /** What tells this process from every other that was or is this rank. */
  String nonce() {
    return own;
  }

  /** Returns the token of the run, once every rank takes part in it. */
  String agree(Deadline deadline) throws IOException {
    return complaints.rank() == 0 ? lead(deadline) : follow(deadline);
  }

  private String lead(Deadline deadline) throws IOException {
    write("run", own, sizeText());
    String[] nonces = new String[complaints.size()];
    boolean complete =
        wait.until(
            () -> {
              throwIfAnotherLeads();
              return collectHellos(nonces);
            },
            deadline,
            PHASE);
    if (!complete) {
      List<Integer> missing = new ArrayList<>();
      for (int rank = 1; rank < nonces.length; rank++) {
        if (nonces[rank] == null) {
          missing.add(rank);
        }
      }
      throw overdue("ranks " + missing + " wrote nothing", deadline);
    }
    List<String> start = new ArrayList<>(List.of(own, sizeText()));
    start.addAll(Arrays.asList(nonces).subList(1, nonces.length));
    write("start", start.toArray(String[]::new));
    return own;
  }

  private void throwIfAnotherLeads() throws IOException {
    List<String> run = read("run");
    if (!run.isEmpty() && !run.getFirst().equals(own)) {
      throw complaints.of(
          Reason.RANK_CONFLICT,
          PHASE,
          "another rank 0 uses " + directory + "; give every group a directory of its own");
    }
  }

  private boolean collectHellos(String[] nonces) throws IOException {
    boolean complete = true;
    for (int rank = 1; rank < nonces.length; rank++) {
      if (nonces[rank] == null) {
        nonces[rank] = helloOf(rank);
      }
      complete &= nonces[rank] != null;
    }
    return complete;
  }

  private String helloOf(int rank) throws IOException {
    List<String> hello = read("hello-" + rank);
    if (hello.size() != 3 || !hello.getFirst().equals(own)) {
      return null;
    }
    throwIfSizeDiffers(rank, hello.get(1));
    return hello.get(2);
  }

  private String follow(Deadline deadline) throws IOException {
    // One element, for the lambda: the token that was answered.
    String[] answered = {""};
    boolean started =
        wait.until(
            () -> {
              answer(answered);
              return hasStarted(answered[0]);
            },
            deadline,
            PHASE);
    if (!started) {
      throw overdue(
          answered[0].isEmpty()
              ? "rank 0 wrote nothing"
              : "the run of rank 0 did not start with this process: a rank is missing, another"
                  + " process is rank "
                  + complaints.rank()
                  + ", or rank 0 is not there and its file is one of a dead run",
          deadline);
    }
    return answered[0];
  }

  private void answer(String[] answered) throws IOException {
    List<String> run = read("run");
    if (run.size() == 2 && !run.getFirst().equals(answered[0])) {
      write("hello-" + complaints.rank(), run.getFirst(), sizeText(), own);
      answered[0] = run.getFirst();
    }
  }

  private boolean hasStarted(String token) throws IOException {
    List<String> start = read("start");
    int place = complaints.rank() + 1;
    if (start.size() <= place || !start.getFirst().equals(token) || !start.get(place).equals(own)) {
      return false;
    }
    throwIfSizeDiffers(0, start.get(1));
    return true;
  }

  private void throwIfSizeDiffers(int rank, String size) {
    if (!size.equals(sizeText())) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          PHASE,
          "rank %d is of a group of %s ranks, this one of %s".formatted(rank, size, sizeText()));
    }
  }

  private FormationException overdue(String what, Deadline deadline) {
    return complaints.of(
        Reason.TIMEOUT,
        PHASE,
        "%s in %s within %s; do all ranks see the same directory?"
            .formatted(what, directory, deadline.elapsedText()));
  }

  private String sizeText() {
    return Integer.toString(complaints.size());
  }

  private void write(String name, String... words) throws IOException {
    SharedFile.write(
        directory.resolve(name), own, String.join(" ", words).getBytes(StandardCharsets.US_ASCII));
  }

  private List<String> read(String name) throws IOException {
    Optional<byte[]> content = SharedFile.read(directory.resolve(name));
    return content
        .map(bytes -> List.of(new String(bytes, StandardCharsets.US_ASCII).split(" ")))
        .orElse(List.of());
  }
}
