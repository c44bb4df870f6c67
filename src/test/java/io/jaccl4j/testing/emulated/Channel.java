package io.jaccl4j.testing.emulated;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One direction of one wire: the sender's send queue and the receiver's receive queue. Their heads
 * match. Time passes by ticks, one for each poll at either end. Guarded by the network.
 */
final class Channel {
  private final int index;
  private final int wire;
  private final int sender;
  private final int receiver;
  private final NetworkScript script;
  private final NetworkLog log;
  private final List<String> violations;

  private final Deque<SendRequest> undelivered = new ArrayDeque<>();
  private final Deque<SendRequest> uncompleted = new ArrayDeque<>();
  private final Deque<ReceiveRequest> waiting = new ArrayDeque<>();
  private final Deque<ReceiveRequest> arrived = new ArrayDeque<>();
  private long tick;
  private boolean dead;
  private long sendsPosted;
  private long sendsCompleted;
  private long delivered;
  private long receivesPosted;
  private long receivesCompleted;
  private long receivesReleased;

  /**
   * An idle channel.
   *
   * @param index a number that no other direction of a wire has
   */
  Channel(
      int index,
      int wire,
      int sender,
      int receiver,
      NetworkScript script,
      NetworkLog log,
      List<String> violations) {
    this.index = index;
    this.wire = wire;
    this.sender = sender;
    this.receiver = receiver;
    this.script = script;
    this.log = log;
    this.violations = violations;
  }

  void postSend(SendRequest send) {
    long message = sendsPosted++;
    send.deliverFrom(tick + script.deliveryDelay(index, message));
    if (send.status() == WorkStatus.SUCCESS && script.timing(index, message) == SendTiming.EARLY) {
      send.completeFrom(tick);
    }
    undelivered.add(send);
    uncompleted.add(send);
  }

  void postReceive(ReceiveRequest receive) {
    receivesPosted++;
    waiting.add(receive);
  }

  /** Nothing is delivered from now on. */
  void kill() {
    dead = true;
  }

  /** Time passes; what is due is delivered. */
  void tick() {
    tick++;
    while (!dead && !undelivered.isEmpty() && undelivered.peek().isDue(tick)) {
      SendRequest send = undelivered.peek();
      if (send.status() != WorkStatus.SUCCESS) {
        send.completeFrom(tick);
        dead = true;
      } else if (waiting.isEmpty()) {
        return;
      } else {
        deliver(undelivered.remove(), waiting.remove());
      }
    }
  }

  private void deliver(SendRequest send, ReceiveRequest receive) {
    if (!send.isCompleted() && !send.isIntact()) {
      violate("send " + send.number() + " was modified between its post and its delivery");
    }
    receive.checkUntouched(this::violate);
    receive.take(send);
    arrived.add(receive);
    dead = receive.status() != WorkStatus.SUCCESS;
    long message = delivered++;
    boolean late = script.timing(index, message) == SendTiming.LATE;
    send.completeFrom(late ? tick + script.completionDelay(index, message) : tick);
    log.add(new RecordedMessage(wire, sender, receiver, send.bytes().length, send.immediate()));
  }

  /** The oldest send if it is complete, or null. */
  SendRequest pollSend() {
    if (uncompleted.isEmpty() || !uncompleted.peek().isCompletable(tick)) {
      return null;
    }
    SendRequest send = uncompleted.remove();
    if (!send.isIntact()) {
      violate("send " + send.number() + " was modified between its post and its completion");
    }
    send.complete();
    sendsCompleted++;
    return send;
  }

  /** The oldest message that the receiver has not heard of, or null. */
  ReceiveRequest pollReceive() {
    ReceiveRequest receive = arrived.poll();
    if (receive != null) {
      receivesCompleted++;
    }
    return receive;
  }

  void released() {
    receivesReleased++;
  }

  long sendsUnderWay() {
    return sendsPosted - sendsCompleted;
  }

  long receivesUnderWay() {
    return receivesPosted - receivesReleased;
  }

  ChannelBalance balance() {
    return new ChannelBalance(
        wire,
        sender,
        receiver,
        sendsPosted,
        sendsCompleted,
        delivered,
        receivesPosted,
        receivesCompleted,
        receivesReleased);
  }

  void violate(String what) {
    violations.add("wire " + wire + ", rank " + sender + " to rank " + receiver + ": " + what);
  }
}
