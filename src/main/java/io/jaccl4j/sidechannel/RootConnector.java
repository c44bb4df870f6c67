package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How another rank gets to rank 0: tries until the deadline, whatever goes wrong on the way, and
 * says its rank.
 */
final class RootConnector {
  private static final Logger LOG = LoggerFactory.getLogger(RootConnector.class);
  private static final String CONNECT = "connect";
  private static final String HANDSHAKE = "key handshake";

  /** Long enough for a second packet where the first one was lost. */
  private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * A connection that ends before any answer may have come to a rank 0 that was just ending; one
   * that has other settings ends every one of them.
   */
  private static final long UNANSWERED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FIRST_PAUSE_MILLIS = 20;

  /** After some tenths of a second: ranks that start together are not worth a word. */
  private static final int FIRST_LOGGED_TRY = 5;

  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final Complaints complaints;
  private final SelectorWait wait;
  private final InetSocketAddress address;
  private final Optional<byte[]> key;
  private int tries;
  private int triesAtNextLog = FIRST_LOGGED_TRY;
  private String lastTrouble = "no try yet";

  /** Until when ends without an answer are taken for chance; null before the first one. */
  private Deadline unanswered;

  RootConnector(
      Complaints complaints, SelectorWait wait, InetSocketAddress address, Optional<byte[]> key) {
    this.complaints = complaints;
    this.wait = wait;
    this.address = address;
    this.key = key;
  }

  /** The connection to rank 0, which knows this rank by it. */
  PeerConnection connect(Deadline deadline) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      PeerConnection connection = tryEveryAddress(deadline);
      if (connection != null) {
        try {
          if (key.isEmpty() || handshake(connection, new KeyHandshake(key.get()), deadline)) {
            connection.send(hello());
            return connection;
          }
          connection.close();
        } catch (RuntimeException e) {
          connection.close();
          throw e;
        }
      }
      if (connection == null) {
        unanswered = null;
      }
      logTrouble(deadline);
      // Uneven, so that ranks which started together do not knock together.
      pause(ThreadLocalRandom.current().nextLong(pauseMillis / 2, pauseMillis + 1), deadline);
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }

  /** More and more rarely. */
  private void logTrouble(Deadline deadline) {
    if (tries >= triesAtNextLog) {
      triesAtNextLog = 2 * tries;
      LOG.info(
          "[rank {} of {}] rank 0 at {} does not answer yet ({} tries, {}, last: {})",
          complaints.rank(),
          complaints.size(),
          SocketText.of(address),
          tries,
          deadline.elapsedText(),
          lastTrouble);
    }
  }

  private PeerConnection tryEveryAddress(Deadline deadline) {
    try {
      for (InetSocketAddress resolved : HostLookup.lookUp(address, deadline.remainingNanos())) {
        tries++;
        PeerConnection connection = tryOnce(resolved, deadline);
        if (connection != null) {
          return connection;
        }
      }
    } catch (InterruptedException e) {
      throw complaints.interrupted(CONNECT, e);
    } catch (IOException e) {
      tries++;
      lastTrouble = e.getMessage();
    }
    return null;
  }

  private PeerConnection tryOnce(InetSocketAddress resolved, Deadline deadline) {
    SocketChannel channel = null;
    boolean connected = false;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      connected = channel.connect(resolved);
      if (!connected) {
        SelectionKey interest = channel.register(wait.selector(), SelectionKey.OP_CONNECT);
        connected = awaitConnect(channel, deadline.within(ATTEMPT_NANOS));
        interest.interestOps(0);
      }
      if (connected && channel.getLocalAddress().equals(channel.getRemoteAddress())) {
        // A port of the system's choice happened to be the one asked for: TCP then connects a
        // socket with itself, and nobody else is there.
        lastTrouble = "no listener";
        connected = false;
      }
      return connected ? new PeerConnection(channel, wait.selector()) : null;
    } catch (IOException e) {
      connected = false;
      lastTrouble = SocketText.of(resolved) + ": " + e.getMessage();
      return null;
    } finally {
      if (!connected) {
        close(channel);
      }
    }
  }

  private boolean awaitConnect(SocketChannel channel, Deadline attempt) throws IOException {
    while (!channel.finishConnect()) {
      if (attempt.isPast()) {
        lastTrouble = "no answer";
        return false;
      }
      wait.await(attempt.waitMillis(), CONNECT);
    }
    return true;
  }

  private void pause(long millis, Deadline deadline) {
    Deadline pause = deadline.within(TimeUnit.MILLISECONDS.toNanos(millis));
    while (!pause.isPast()) {
      wait.await(pause.waitMillis(), CONNECT);
    }
    if (deadline.isPast()) {
      throw complaints.of(
          Reason.TIMEOUT,
          CONNECT,
          "rank 0 at %s did not answer (%d tries, %s, last: %s); is rank 0 started, and is this its address?"
              .formatted(SocketText.of(address), tries, deadline.elapsedText(), lastTrouble));
    }
  }

  /** Whether it succeeded; if not, it may next time. */
  private boolean handshake(PeerConnection connection, KeyHandshake handshake, Deadline deadline) {
    connection.send(handshake.opening(complaints.rank(), complaints.size()));
    connection.fill(KeyHandshake.ANSWER_BYTES);
    while (connection.available() < KeyHandshake.ANSWER_BYTES) {
      if (connection.isEnded()) {
        if (connection.available() == 0 && mayTryAgain(deadline)) {
          lastTrouble = connection.end();
          return false;
        }
        throw refused(
            connection,
            connection.end() + "; has it a key, and does it expect the same number of ranks?");
      }
      if (deadline.isPast()) {
        throw complaints.of(
            Reason.TIMEOUT,
            HANDSHAKE,
            "rank 0 at %s did not answer within %s; has it a key?"
                .formatted(connection.address(), deadline.elapsedText()));
      }
      wait.await(deadline.waitMillis(), HANDSHAKE);
      connection.fill(KeyHandshake.ANSWER_BYTES);
    }
    byte[] proof =
        handshake.proofAfter(
            connection.take(KeyHandshake.ANSWER_BYTES), complaints.rank(), complaints.size());
    if (proof == null) {
      throw refused(connection, "has another key; give every rank the same one");
    }
    connection.send(proof);
    return true;
  }

  private boolean mayTryAgain(Deadline deadline) {
    if (unanswered == null) {
      unanswered = deadline.within(UNANSWERED_NANOS);
    }
    return !unanswered.isPast();
  }

  private FormationException refused(PeerConnection connection, String why) {
    return complaints.of(
        Reason.SETTINGS_DIFFER, HANDSHAKE, "rank 0 at " + connection.address() + " " + why);
  }

  private byte[] hello() {
    return ByteBuffer.allocate(Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(complaints.rank())
        .array();
  }

  private static void close(SocketChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException _) {
      // Nothing can be done about a socket that does not close.
    }
  }
}
