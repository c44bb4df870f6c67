package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvContextOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One queue pair as a link: what both kinds of links do alike. */
abstract class VerbsLink implements Link {
  static final int DEPTH = 8;
  static final int MASK = DEPTH - 1;

  private final int index;
  private final int peer;
  private final int wire;
  private final VerbsDevice device;
  private final QueuePair queuePair;
  private final IbvContextOps ops;
  private final MemorySegment badRequest;

  /**
   * A link over a queue pair in {@code INIT}.
   *
   * @param index of this link among those of its rank
   */
  VerbsLink(int index, int rank, Wire wire, VerbsDevice device, QueuePair queuePair, Arena arena) {
    this.index = index;
    this.peer = wire.peerOf(rank);
    this.wire = wire.number();
    this.device = device;
    this.queuePair = queuePair;
    this.ops = device.ops();
    this.badRequest = arena.allocate(ValueLayout.ADDRESS);
  }

  @Override
  public final int peer() {
    return peer;
  }

  @Override
  public final int wire() {
    return wire;
  }

  @Override
  public final int depth() {
    return DEPTH;
  }

  final int index() {
    return index;
  }

  final VerbsDevice device() {
    return device;
  }

  final QueuePair queuePair() {
    return queuePair;
  }

  /** The queue pair is in {@code RTS}. */
  abstract void start();

  /** Both ends have released all that was ever sent over this link, and know it. */
  abstract void settle();

  /** A request has completed without an error. */
  final void onCompletion(CompletionQueue queue, int i) {
    long workId = queue.workId(i);
    switch (WorkId.kind(workId)) {
      case WorkId.RECEIVE ->
          onReceived(workId, queue.bytes(i), queue.hasImmediate(i), queue.immediate(i));
      case WorkId.SEND -> onSent(workId);
      default -> throw unexpected(workId, "a send or a receive");
    }
  }

  /** A receive request has completed. */
  abstract void onReceived(long workId, int bytes, boolean hasImmediate, int immediate);

  /** A send request has completed. */
  abstract void onSent(long workId);

  /**
   * Reports sends that have completed, and messages that have arrived and are awaited by now.
   *
   * @return how many of both
   */
  abstract int deliver(CompletionHandler handler);

  /** Whether a send waits for the peer to allow it. */
  abstract boolean holdsSends();

  /** Whether all that was posted has left. */
  abstract boolean isFlushed();

  final void postSend(MemorySegment request) {
    int errno = ops.ibv_post_send(queuePair.pointer(), request, badRequest);
    if (errno != 0) {
      throw postFailed("ibv_post_send", errno);
    }
  }

  final void postReceive(MemorySegment request) {
    int errno = ops.ibv_post_recv(queuePair.pointer(), request, badRequest);
    if (errno != 0) {
      throw postFailed("ibv_post_recv", errno);
    }
  }

  private FabricException postFailed(String call, int errno) {
    // Some providers return -1 or a negative number.
    return new FabricException(
        peer,
        describe()
            + ": "
            + call
            + " failed with "
            + Errno.describe(Math.abs(errno))
            + (errno == Errno.ENODEV ? "; the device has gone" : ""),
        null);
  }

  final FabricException unexpected(long workId, String want) {
    return new FabricException(
        peer,
        describe()
            + ": unexpected completion of "
            + WorkId.describe(workId)
            + ", want "
            + want
            + "; the provider repeated, invented or misdirected it",
        null);
  }

  /** For errors. */
  final String describe() {
    return describe(device.name(), wire, peer);
  }

  static String describe(String device, int wire, int peer) {
    return "wire " + wire + " to rank " + peer + " on device " + device;
  }
}
