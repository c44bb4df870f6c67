package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Connects to a peer for one place: tries the peer's addresses in turn, again and again, until one
 * answers with the right hello. What is unreachable now may be reachable in a moment.
 */
final class Dial implements Party {
  private enum Phase {
    CONNECT("no answer to the connection request"),
    HELLO("the hello could not be sent"),
    ANSWER("connected, but no answer to the hello");

    private final String silence;

    Phase(String silence) {
      this.silence = silence;
    }
  }

  /** Told of a connection that is proven. */
  interface Listener {
    void settled(Place place, SocketChannel channel, SelectionKey key);
  }

  private final Place place;
  private final List<InetSocketAddress> candidates;
  private final Function<InetAddress, Optional<InetAddress>> source;
  private final SocketOptions options;
  private final Hello hello;
  private final Hello wanted;
  private final Backoff backoff;
  private final Selector selector;
  private final Listener listener;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(Hello.BYTES);
  private ByteBuffer out;
  private SocketChannel channel;
  private SelectionKey key;
  private Phase phase;
  private int next;
  private int tries;
  private long nextTryNanos;
  private long attemptUntilNanos;
  private InetSocketAddress target;
  private SocketAddress from;
  private final Map<InetSocketAddress, String> troubles = new LinkedHashMap<>();
  private boolean settled;

  /**
   * A connection to make.
   *
   * @param source what a connection to an address comes from
   * @param wanted the answer that proves the peer
   */
  Dial(
      Place place,
      List<InetSocketAddress> candidates,
      Function<InetAddress, Optional<InetAddress>> source,
      SocketOptions options,
      Hello hello,
      Hello wanted,
      Backoff backoff,
      Selector selector,
      Listener listener,
      long nowNanos) {
    this.place = place;
    this.candidates = new ArrayList<>(candidates);
    this.source = source;
    this.options = options;
    this.hello = hello;
    this.wanted = wanted;
    this.backoff = backoff;
    this.selector = selector;
    this.listener = listener;
    this.nextTryNanos = nowNanos;
  }

  Place place() {
    return place;
  }

  boolean isSettled() {
    return settled;
  }

  /** For errors: what was tried, and what came of it last. */
  String trouble() {
    return (troubles.isEmpty() ? "nothing was tried" : String.join("; ", troubles.values()))
        + " ("
        + tries
        + (tries == 1 ? " try)" : " tries)");
  }

  /** Begins attempts that are due and ends those that take too long. */
  void tick(long nowNanos) {
    if (settled) {
      return;
    }
    if (channel != null) {
      if (nowNanos - attemptUntilNanos >= 0) {
        backoff.lengthenAttempts();
        failed(phase.silence, nowNanos);
      }
    } else if (nowNanos - nextTryNanos >= 0) {
      begin(nowNanos);
    }
  }

  private void begin(long nowNanos) {
    target = candidates.get(next);
    from = null;
    tries++;
    phase = Phase.CONNECT;
    attemptUntilNanos = nowNanos + backoff.attemptNanos();
    try {
      channel = SocketChannel.open();
      options.apply(channel);
      Optional<InetAddress> own = source.apply(target.getAddress());
      if (own.isPresent()) {
        channel.bind(new InetSocketAddress(own.get(), 0));
      }
      boolean connected = channel.connect(target);
      from = channel.getLocalAddress();
      key = channel.register(selector, SelectionKey.OP_CONNECT, this);
      if (connected) {
        greet();
      }
    } catch (IOException | RuntimeException e) {
      failed(e, nowNanos);
    }
  }

  @Override
  public void onReady(long nowNanos) {
    if (channel == null) {
      return;
    }
    try {
      switch (phase) {
        case CONNECT -> {
          if (channel.finishConnect()) {
            from = channel.getLocalAddress();
            greet();
          }
        }
        case HELLO -> sendHello();
        case ANSWER -> readAnswer(nowNanos);
      }
    } catch (IOException | RuntimeException e) {
      failed(e, nowNanos);
    }
  }

  private void greet() throws IOException {
    phase = Phase.HELLO;
    out = hello.encode();
    answer.clear();
    key.interestOps(SelectionKey.OP_WRITE);
    sendHello();
  }

  private void sendHello() throws IOException {
    channel.write(out);
    if (!out.hasRemaining()) {
      phase = Phase.ANSWER;
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  private void readAnswer(long nowNanos) throws IOException {
    int bytes = channel.read(answer);
    if (bytes < 0) {
      failed(
          "connected, but the other end closed the connection in answer to the hello: it is not"
              + " that rank, or it has given up",
          nowNanos);
      return;
    }
    if (answer.hasRemaining()) {
      return;
    }
    Optional<String> obstacle =
        Hello.obstacle(answer).or(() -> Hello.difference(Hello.decode(answer), wanted));
    if (obstacle.isPresent()) {
      failed("what answers there is not that rank: " + obstacle.get(), nowNanos);
      return;
    }
    // A fresh connection takes one byte at once.
    channel.write(ByteBuffer.wrap(new byte[] {Hello.CONFIRMATION}));
    settled = true;
    listener.settled(place, channel, key);
    channel = null;
  }

  private void failed(Exception cause, long nowNanos) {
    if (SocketFailure.isLasting(cause) && candidates.size() > 1) {
      failed(SocketFailure.describe(cause), nowNanos);
      candidates.remove(target);
      next %= candidates.size();
      return;
    }
    failed(SocketFailure.describe(cause), nowNanos);
    if (SocketFailure.isLasting(cause)) {
      throw new FabricException(
          place.peer(),
          "tcp connect of " + place + " to rank " + place.peer() + ": " + trouble(),
          cause);
    }
  }

  private void failed(String trouble, long nowNanos) {
    troubles.put(
        target,
        "to "
            + Endpoints.describe(target)
            + (from == null ? "" : " from " + Endpoints.describe(from))
            + ": "
            + trouble);
    close();
    next = (next + 1) % candidates.size();
    nextTryNanos = next == 0 ? nowNanos + backoff.nextPauseNanos() : nowNanos;
  }

  /** Gives up what is under way. */
  void close() {
    if (channel == null) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      troubles.merge(
          target, "closing failed: " + SocketFailure.describe(e), (a, b) -> a + ", " + b);
    }
    channel = null;
  }
}
