package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * JACCL's side channel, byte by byte: rank 0 listens, the others connect and say their rank, and
 * every gather goes through rank 0. Ranks of JACCL and of this library can be mixed, whichever is
 * rank 0.
 *
 * <pre>
 * rank r sends     rank (int32 little endian), once
 * each gather      rank r sends n bytes, then receives size * n bytes; nothing else
 * </pre>
 *
 * Runs on the caller's thread. The connections stay open until {@link #close}, so that a lost peer
 * is noticed: by rank 0 for every rank, by the others for rank 0.
 *
 * <p>With a key, all ranks prove that they have it before anything else; ranks of JACCL cannot.
 */
public final class TcpCoordinator implements UniformAllGather {
  private static final String CHANNEL = "TCP coordinator";

  private final Complaints complaints;
  private final Deadline deadline;
  private final SelectorWait wait;
  private final ReentrantLock calls = new ReentrantLock();

  /** By rank at rank 0, null at 0; elsewhere the one to rank 0. */
  private final PeerConnection[] peers;

  // Guarded by calls.
  private int rounds;
  private FormationException ended;
  private boolean released;

  private TcpCoordinator(
      Complaints complaints, Deadline deadline, SelectorWait wait, PeerConnection[] peers) {
    this.complaints = complaints;
    this.deadline = deadline;
    this.wait = wait;
    this.peers = peers;
  }

  /**
   * Opens a channel with each formation.
   *
   * @param settings where the coordinator is, and deadlines
   * @return what makes a channel for each formation
   */
  public static Factory factory(TcpCoordinatorSettings settings) {
    return (rank, size) -> open(settings, rank, size, System::nanoTime);
  }

  /**
   * Connects this rank: rank 0 waits for all others, the others for rank 0.
   *
   * @param settings where the coordinator is, and deadlines
   * @param rank this rank
   * @param size number of ranks
   * @param nanoClock such as {@link System#nanoTime}
   * @return the channel of this rank
   * @throws FormationException if a rank is missing at the deadline, naming ranks and addresses; if
   *     rank 0 cannot listen; or if the keys differ
   */
  public static TcpCoordinator open(
      TcpCoordinatorSettings settings, int rank, int size, LongSupplier nanoClock) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new FormationException(
          Reason.RANK_CONFLICT,
          "TCP coordinator: rank is %d of %d, want 0 to %d".formatted(rank, size, size - 1));
    }
    Complaints complaints = new Complaints(CHANNEL, rank, size);
    Deadline deadline = new Deadline(settings.timeout().toNanos(), nanoClock);
    SelectorWait wait;
    try {
      wait = new SelectorWait(complaints);
    } catch (IOException e) {
      throw complaints.of(Reason.FABRIC, "open", e.toString(), e);
    }
    try {
      PeerConnection[] peers = connect(settings, complaints, wait, deadline);
      return new TcpCoordinator(complaints, deadline, wait, peers);
    } catch (RuntimeException e) {
      wait.close();
      throw e;
    }
  }

  private static PeerConnection[] connect(
      TcpCoordinatorSettings settings,
      Complaints complaints,
      SelectorWait wait,
      Deadline deadline) {
    if (complaints.size() == 1) {
      return new PeerConnection[1];
    }
    if (complaints.rank() > 0) {
      return new PeerConnection[] {
        new RootConnector(complaints, wait, settings.address(), settings.key()).connect(deadline)
      };
    }
    InetSocketAddress address = ownAddress(settings.address(), complaints, deadline);
    try (Lobby lobby = new Lobby(complaints, wait, address, settings.key())) {
      return lobby.seatAll(deadline);
    }
  }

  private static InetSocketAddress ownAddress(
      InetSocketAddress address, Complaints complaints, Deadline deadline) {
    try {
      return HostLookup.lookUp(address, deadline.remainingNanos()).getFirst();
    } catch (InterruptedException e) {
      throw complaints.interrupted("listen", e);
    } catch (IOException e) {
      throw complaints.of(
          Reason.FABRIC, "listen", SocketText.of(address) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public int rank() {
    return complaints.rank();
  }

  @Override
  public int size() {
    return complaints.size();
  }

  @Override
  public byte[] gather(byte[] contribution, long timeoutNanos) {
    calls.lock();
    try {
      if (ended != null) {
        throw Complaints.again(ended);
      }
      String phase = "gather %d of %d bytes".formatted(rounds++, contribution.length);
      Deadline round = deadline.within(timeoutNanos);
      byte[] all = new byte[Math.multiplyExact(size(), contribution.length)];
      System.arraycopy(contribution, 0, all, rank() * contribution.length, contribution.length);
      if (size() > 1 && contribution.length > 0) {
        exchange(contribution, all, phase, round);
      }
      return all;
    } catch (FormationException e) {
      if (ended == null) {
        ended = e;
        // The others learn of it at once by the end of their connections.
        release();
      }
      throw e;
    } finally {
      calls.unlock();
    }
  }

  private void exchange(byte[] contribution, byte[] all, String phase, Deadline round) {
    wait.throwIfClosed(phase);
    if (rank() == 0) {
      collect(all, contribution.length, phase, round);
      distribute(all, phase, round);
    } else {
      ask(peers[0], contribution, all, phase, round);
    }
  }

  private void collect(byte[] all, int bytes, String phase, Deadline round) {
    while (true) {
      // Before the look: what has come by then counts.
      boolean last = round.isPast();
      if (fillAll(bytes) == 0) {
        break;
      }
      throwIfAnyEnded(bytes, phase);
      if (last) {
        throw overdue(bytes, phase, round);
      }
      wait.await(round.waitMillis(), phase);
    }
    for (int rank = 1; rank < size(); rank++) {
      PeerConnection peer = peers[rank];
      if (peer.available() > bytes) {
        // Nobody sends anything of the next gather before this one is answered.
        throw complaints.of(
            Reason.SETTINGS_DIFFER,
            phase,
            "%s sent %d bytes or more, want %d: do all ranks run the same program and topology?"
                .formatted(name(rank), peer.available(), bytes));
      }
      peer.take(all, rank * bytes, bytes);
    }
  }

  /** Reads what has arrived. Returns how many ranks are not complete. */
  private int fillAll(int bytes) {
    int missing = 0;
    for (int rank = 1; rank < size(); rank++) {
      peers[rank].fill(bytes + 1);
      missing += peers[rank].available() < bytes ? 1 : 0;
    }
    return missing;
  }

  private void throwIfAnyEnded(int bytes, String phase) {
    for (int rank = 1; rank < size(); rank++) {
      PeerConnection peer = peers[rank];
      if (peer.isEnded() && peer.available() < bytes) {
        throw complaints.of(
            Reason.PEER_FAILED,
            phase,
            "%s %s after %d of %d bytes; see its log"
                .formatted(name(rank), peer.end(), peer.available(), bytes));
      }
    }
  }

  private FormationException overdue(int bytes, String phase, Deadline round) {
    StringBuilder missing = new StringBuilder();
    for (int rank = 1; rank < size(); rank++) {
      if (peers[rank].available() < bytes) {
        missing
            .append(missing.isEmpty() ? "" : ", ")
            .append(name(rank))
            .append(" sent ")
            .append(peers[rank].available())
            .append(" of ")
            .append(bytes)
            .append(" bytes");
      }
    }
    return complaints.of(
        Reason.TIMEOUT, phase, missing + " within " + round.elapsedText() + "; see the log there");
  }

  private void distribute(byte[] all, String phase, Deadline round) {
    for (int rank = 1; rank < size(); rank++) {
      peers[rank].send(all);
    }
    for (int rank = 1; rank < size(); rank++) {
      while (peers[rank].hasUnsent()) {
        flush(peers[rank], name(rank), phase, round);
      }
    }
  }

  private void flush(PeerConnection peer, String name, String phase, Deadline round) {
    peer.flush();
    if (peer.isEnded()) {
      throw complaints.of(
          Reason.PEER_FAILED,
          phase,
          "%s %s before it had received everything; see its log".formatted(name, peer.end()));
    }
    if (peer.hasUnsent()) {
      if (round.isPast()) {
        throw complaints.of(
            Reason.TIMEOUT,
            phase,
            "%s did not take what it was sent within %s".formatted(name, round.elapsedText()));
      }
      wait.await(round.waitMillis(), phase);
    }
  }

  private void ask(
      PeerConnection root, byte[] contribution, byte[] all, String phase, Deadline round) {
    root.fill(0);
    throwIfSurplus(root, 0, phase);
    root.send(contribution);
    while (true) {
      boolean last = round.isPast();
      root.flush();
      root.fill(all.length + 1);
      if (root.available() >= all.length) {
        break;
      }
      if (root.isEnded()) {
        throw complaints.of(
            Reason.PEER_FAILED,
            phase,
            ("%s %s after %d of %d bytes; see its log (it may have turned this rank away, found"
                    + " another rank at fault, or ended)")
                .formatted(name(0), root.end(), root.available(), all.length));
      }
      if (last) {
        throw complaints.of(
            Reason.TIMEOUT,
            phase,
            "%s sent %d of %d bytes within %s; a rank may be missing, see the log there"
                .formatted(name(0), root.available(), all.length, round.elapsedText()));
      }
      wait.await(round.waitMillis(), phase);
    }
    throwIfSurplus(root, all.length, phase);
    root.take(all, 0, all.length);
    int own = rank() * contribution.length;
    if (!Arrays.equals(contribution, 0, contribution.length, all, own, own + contribution.length)) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          name(0)
              + " answered without this rank's own bytes in their place: do all ranks run the same"
              + " program and topology?");
    }
  }

  private void throwIfSurplus(PeerConnection root, int want, String phase) {
    if (root.available() > want) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          "%s sent %d bytes or more, want %d: do all ranks run the same program and topology?"
              .formatted(name(0), root.available(), want));
    }
  }

  private String name(int rank) {
    return "rank " + rank + " (" + peers[rank].address() + ")";
  }

  @Override
  public Optional<GroupFailure> loss() {
    // A call under way notices by itself.
    if (!calls.tryLock()) {
      return Optional.empty();
    }
    try {
      if (released) {
        return Optional.empty();
      }
      for (int rank = 0; rank < peers.length; rank++) {
        PeerConnection peer = peers[rank];
        if (peer != null) {
          peer.fill(0);
          if (peer.isEnded()) {
            return Optional.of(lost(rank, peer));
          }
        }
      }
      return Optional.empty();
    } finally {
      calls.unlock();
    }
  }

  private GroupFailure lost(int rank, PeerConnection peer) {
    return new GroupFailure(
        GroupFailure.Kind.PEER_LOST,
        rank,
        peer.address(),
        rank(),
        "rank %d (%s) %s; form the group again".formatted(rank, peer.address(), peer.end()));
  }

  @Override
  public void close() {
    wait.stop();
    calls.lock();
    try {
      if (ended == null) {
        ended = complaints.of(Reason.STOPPED, "gather", "the channel was closed on this rank");
      }
      release();
    } finally {
      calls.unlock();
    }
  }

  private void release() {
    if (released) {
      return;
    }
    released = true;
    for (PeerConnection peer : peers) {
      if (peer != null) {
        peer.close();
      }
    }
    wait.close();
  }
}
