package io.jaccl4j.fabric.tcp;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Somebody who has connected and must prove to be a peer before it takes a place. */
final class Visitor implements Party {

  /** Knows whom this rank expects. */
  interface Host {
    /**
     * The answer to a hello.
     *
     * @throws Stranger if the hello is not wanted
     */
    ByteBuffer answer(Hello hello) throws Stranger;

    /** The visitor has confirmed. */
    void settled(Hello hello, SocketChannel channel, SelectionKey key) throws Stranger;

    /** The visitor was turned away. */
    void refused(SocketAddress from, String why);
  }

  /** Why a visitor is turned away. */
  static final class Stranger extends Exception {
    private static final long serialVersionUID = 1L;

    Stranger(String why) {
      super(why, null, false, false);
    }
  }

  private final SocketChannel channel;
  private final SocketAddress from;
  private final Host host;
  private final long untilNanos;
  private final ByteBuffer in = ByteBuffer.allocateDirect(Hello.BYTES);
  private SelectionKey key;
  private Hello hello;
  private ByteBuffer answer;
  private boolean over;

  /** A visitor who has come now and has so long. */
  Visitor(SocketChannel channel, SocketAddress from, Host host, long untilNanos) {
    this.channel = channel;
    this.from = from;
    this.host = host;
    this.untilNanos = untilNanos;
  }

  void register(SelectionKey newKey) {
    key = newKey;
  }

  boolean isOver() {
    return over;
  }

  /** Whether it knows what only a peer can know. */
  boolean isProven() {
    return hello != null;
  }

  void tick(long nowNanos) {
    if (!over && nowNanos - untilNanos >= 0) {
      refuse(
          hello == null
              ? "it sent only " + in.position() + " of " + Hello.BYTES + " bytes of a hello"
              : "it did not confirm its hello");
    }
  }

  @Override
  public void onReady(long nowNanos) {
    if (over) {
      return;
    }
    try {
      if (hello == null) {
        readHello();
      } else if (answer.hasRemaining()) {
        sendAnswer();
      } else {
        readConfirmation();
      }
    } catch (IOException e) {
      refuse(SocketFailure.describe(e));
    } catch (Stranger e) {
      refuse(e.getMessage());
    }
  }

  private void readHello() throws IOException, Stranger {
    if (channel.read(in) < 0) {
      throw new Stranger("it went away after " + in.position() + " bytes");
    }
    if (in.position() >= Long.BYTES + Integer.BYTES) {
      // Garbage need not fill a hello to be recognised.
      Optional<String> obstacle = Hello.obstacle(in);
      if (obstacle.isPresent()) {
        throw new Stranger(obstacle.get());
      }
    }
    if (!in.hasRemaining()) {
      Hello received = Hello.decode(in);
      answer = host.answer(received);
      hello = received;
      sendAnswer();
    }
  }

  private void sendAnswer() throws IOException {
    channel.write(answer);
    if (answer.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
    } else {
      in.clear().limit(1);
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  private void readConfirmation() throws IOException, Stranger {
    int bytes = channel.read(in);
    if (bytes < 0) {
      throw new Stranger("it went away before it confirmed");
    }
    if (bytes == 0) {
      return;
    }
    if (in.get(0) != Hello.CONFIRMATION) {
      throw new Stranger("it did not confirm its hello, but sent " + in.get(0));
    }
    host.settled(hello, channel, key);
    over = true;
  }

  void refuse(String why) {
    over = true;
    try {
      channel.close();
      host.refused(from, why);
    } catch (IOException e) {
      host.refused(from, why + "; closing failed: " + SocketFailure.describe(e));
    }
  }
}
