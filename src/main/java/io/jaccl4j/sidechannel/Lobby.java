package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where rank 0 receives the others: accepts whoever comes, and seats who says a rank that is free.
 * Strangers, silent ones and those who claim a wrong rank are kept out of the way of the rest.
 */
final class Lobby implements AutoCloseable {
  /** Until connections are accepted again where that has failed. */
  private static final long ACCEPT_PAUSE_MILLIS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Lobby.class);
  private static final int BACKLOG = 128;
  private static final int SPARE_GUESTS = 64;
  private static final int REMEMBERED_REFUSALS = 8;
  private static final String PHASE = "accept";

  private final Complaints complaints;
  private final SelectorWait wait;
  private final Optional<byte[]> key;
  private final int size;
  private final ServerSocketChannel listener;
  private final PeerConnection[] seats;
  private final Deque<Guest> guests = new ArrayDeque<>();
  private final Deque<String> refusals = new ArrayDeque<>();
  private String acceptTrouble;

  Lobby(Complaints complaints, SelectorWait wait, InetSocketAddress address, Optional<byte[]> key) {
    this.complaints = complaints;
    this.wait = wait;
    this.key = key;
    this.size = complaints.size();
    this.seats = new PeerConnection[size];
    this.listener = listen(address);
  }

  private ServerSocketChannel listen(InetSocketAddress address) {
    String where = SocketText.of(address);
    ServerSocketChannel channel = null;
    try {
      channel = ServerSocketChannel.open();
      channel.configureBlocking(false);
      // Only past connections of the port are overlooked; two listeners never share it.
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, BACKLOG);
      channel.register(wait.selector(), SelectionKey.OP_ACCEPT);
      return channel;
    } catch (IOException e) {
      close(channel);
      throw complaints.of(
          Reason.FABRIC,
          "listen",
          e instanceof BindException && e.getMessage().contains("in use")
              ? where + " is in use by another program, perhaps another group; take another port"
              : where + ": " + e.getMessage() + "; the coordinator must be an address of rank 0",
          e);
    }
  }

  /**
   * Waits for all ranks.
   *
   * @return their connections by rank; none at 0. The caller owns them
   */
  PeerConnection[] seatAll(Deadline deadline) {
    while (true) {
      // Before the look: who has come by then is let in.
      boolean last = deadline.isPast();
      boolean accepts = acceptAll();
      advanceGuests();
      // After the others, so that nobody counts who is known to be gone.
      freeSeatsOfTheGone();
      if (missing() == 0) {
        break;
      }
      if (last) {
        throw overdue(deadline);
      }
      // Who waits in the backlog keeps the listener ready, although nobody can be let in now.
      listener.keyFor(wait.selector()).interestOps(accepts ? SelectionKey.OP_ACCEPT : 0);
      long waitMillis = deadline.waitMillis();
      wait.await(accepts ? waitMillis : Math.min(waitMillis, ACCEPT_PAUSE_MILLIS), PHASE);
    }
    PeerConnection[] all = seats.clone();
    // No longer this lobby's to close.
    Arrays.fill(seats, null);
    return all;
  }

  private int missing() {
    int missing = size - 1;
    for (PeerConnection seat : seats) {
      missing -= seat == null ? 0 : 1;
    }
    return missing;
  }

  /** A rank that ends before the group is complete may be started again. */
  private void freeSeatsOfTheGone() {
    for (int rank = 1; rank < size; rank++) {
      freeSeatIfGone(rank);
    }
  }

  private void freeSeatIfGone(int rank) {
    PeerConnection seat = seats[rank];
    if (seat == null) {
      return;
    }
    seat.fill(0);
    if (seat.isEnded()) {
      remember(seat, "rank " + rank + " left again: " + seat.end());
      seat.close();
      seats[rank] = null;
    }
  }

  /** Lets in who waits; whether that worked. */
  private boolean acceptAll() {
    try {
      for (SocketChannel channel = listener.accept();
          channel != null;
          channel = listener.accept()) {
        admit(channel);
      }
      return true;
    } catch (IOException e) {
      // Such as too many open files; those who wait in the backlog are tried again.
      String trouble = "cannot accept: " + e.getMessage();
      if (!trouble.equals(acceptTrouble)) {
        LOG.warn("{}", complaints.of(Reason.FABRIC, PHASE, trouble).getMessage());
      }
      acceptTrouble = trouble;
      return false;
    }
  }

  private void admit(SocketChannel channel) {
    try {
      guests.add(new Guest(new PeerConnection(channel, wait.selector()), size, key));
    } catch (IOException _) {
      close(channel);
      return;
    }
    if (guests.size() > size + SPARE_GUESTS) {
      Guest oldest = guests.remove();
      refuse(oldest, "said nothing while many others came");
    }
  }

  private void advanceGuests() {
    Iterator<Guest> each = guests.iterator();
    while (each.hasNext()) {
      Guest guest = each.next();
      OptionalInt rank = guest.advance();
      if (rank.isPresent()) {
        each.remove();
        seat(rank.getAsInt(), guest);
      } else if (guest.refusal() != null) {
        each.remove();
        refuse(guest, guest.refusal());
      }
    }
  }

  private void seat(int rank, Guest guest) {
    freeSeatIfGone(rank);
    if (seats[rank] != null) {
      refuse(guest, "said rank " + rank + ", which is " + seats[rank].address());
      return;
    }
    seats[rank] = guest.connection();
  }

  private void refuse(Guest guest, String why) {
    remember(guest.connection(), why);
    guest.connection().close();
  }

  private void remember(PeerConnection connection, String why) {
    String refusal = connection.address() + " " + why;
    LOG.warn("[rank 0 of {}] side channel turned a connection away: {}", size, refusal);
    refusals.add(refusal);
    if (refusals.size() > REMEMBERED_REFUSALS) {
      refusals.remove();
    }
  }

  private FormationException overdue(Deadline deadline) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 1; rank < size; rank++) {
      if (seats[rank] == null) {
        missing.add(rank);
      }
    }
    return complaints.of(
        Reason.TIMEOUT,
        PHASE,
        "rank%s %s did not connect to %s within %s%s%s%s"
            .formatted(
                missing.size() == 1 ? "" : "s",
                String.join(", ", missing.stream().map(String::valueOf).toList()),
                localText(),
                deadline.elapsedText(),
                guests.isEmpty() ? "" : "; " + guests.size() + " connected without a word",
                refusals.isEmpty() ? "" : "; turned away: " + String.join("; ", refusals),
                acceptTrouble == null ? "" : "; " + acceptTrouble));
  }

  private String localText() {
    try {
      return SocketText.of(listener.getLocalAddress());
    } catch (IOException e) {
      return "a closed listener (" + e + ")";
    }
  }

  /** Closes the listener and everybody who is still here. */
  @Override
  public void close() {
    close(listener);
    guests.forEach(guest -> guest.connection().close());
    for (PeerConnection seat : seats) {
      if (seat != null) {
        seat.close();
      }
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Exception _) {
      // Nothing can be done about a socket that does not close.
    }
  }
}
