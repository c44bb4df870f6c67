package io.jaccl4j.cluster;

import io.jaccl4j.cluster.RemoteMessage.Part;
import io.jaccl4j.cluster.RemoteMessage.Pull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rounds of one formation's all-gather on one rank.
 *
 * <p>A rank sends the first parts of its contribution to every peer unasked; everything else is
 * asked for by whoever lacks it: the next window as soon as the one before it is there, and again
 * on every tick. So nothing is acknowledged, at most one window per peer is on its way, and loss,
 * doubles and reordering need no other repair. A rank that is done goes on answering: its own
 * contributions are kept as long as this object.
 */
final class GatherExchange {

  /** Parts on their way from one rank to another at one time. */
  static final int WINDOW_PARTS = 32;

  /** Where messages to peers go. */
  @FunctionalInterface
  interface Outbox {
    void send(int rank, RemoteMessage message);
  }

  private final String group;
  private final MemberId self;
  private final String token;
  private final int rank;
  private final int size;
  private final int partBytes;
  private final Outbox outbox;

  private final List<byte[]> own = new ArrayList<>();
  private final Map<Integer, Contribution[]> incoming = new HashMap<>();
  private boolean underWay;

  GatherExchange(
      String group, MemberId self, String token, int rank, int size, int partBytes, Outbox outbox) {
    this.group = group;
    this.self = self;
    this.token = token;
    this.rank = rank;
    this.size = size;
    this.partBytes = partBytes;
    this.outbox = outbox;
  }

  /**
   * Starts the next round.
   *
   * @param contribution owned by this object from now on
   * @return the round's number
   */
  int begin(byte[] contribution) {
    own.add(contribution);
    underWay = true;
    int window = Math.min(WINDOW_PARTS, Contribution.parts(contribution.length, partBytes));
    List<Integer> first = IntStream.range(0, window).boxed().toList();
    peers().forEach(peer -> sendParts(peer, round(), first));
    peers().filter(peer -> incoming(round())[peer].windowDone()).forEach(this::pull);
    return round();
  }

  /** Takes a part; one of a finished round, or from a rank that cannot be so far, is ignored. */
  void onPart(Part part) {
    boolean current = part.round() == round() && underWay;
    // A peer that has this rank's contribution to the current round may be one round ahead.
    boolean next = part.round() == round() + 1;
    if (!(current || next) || part.rank() < 0 || part.rank() >= size || part.rank() == rank) {
      return;
    }
    Contribution contribution = incoming(part.round())[part.rank()];
    contribution.accept(part);
    if (current && contribution.windowDone()) {
      pull(part.rank());
    }
  }

  /** Answers a peer that lacks parts; a round that has not begun here is sent when it begins. */
  void onPull(Pull pull) {
    if (pull.round() < 0 || pull.round() > round() || pull.rank() < 0 || pull.rank() >= size) {
      return;
    }
    int parts = Contribution.parts(own.get(pull.round()).length, partBytes);
    List<Integer> wanted =
        pull.indexes().isEmpty() ? IntStream.range(0, parts).boxed().toList() : pull.indexes();
    List<Integer> answered =
        wanted.stream().filter(i -> i >= 0 && i < parts).limit(WINDOW_PARTS).toList();
    sendParts(pull.rank(), pull.round(), answered);
  }

  /** Asks again for what is missing. */
  void onTick() {
    missingRanks().forEach(this::pull);
  }

  /** The contributions in rank order once all are there; ends the round. */
  Optional<List<byte[]>> takeResult() {
    if (!underWay || !missingRanks().isEmpty()) {
      return Optional.empty();
    }
    Contribution[] received = incoming.remove(round());
    underWay = false;
    return Optional.of(
        IntStream.range(0, size)
            .mapToObj(r -> r == rank ? own.get(round()).clone() : received[r].bytes())
            .toList());
  }

  /** Ranks whose contribution to the round under way is not complete. */
  List<Integer> missingRanks() {
    if (!underWay) {
      return List.of();
    }
    Contribution[] received = incoming(round());
    return peers().filter(peer -> !received[peer].complete()).boxed().toList();
  }

  /** The round under way, or the last one; -1 before the first. */
  int round() {
    return own.size() - 1;
  }

  private IntStream peers() {
    return IntStream.range(0, size).filter(peer -> peer != rank);
  }

  private Contribution[] incoming(int round) {
    return incoming.computeIfAbsent(
        round,
        key -> {
          Contribution[] fresh = new Contribution[size];
          Arrays.setAll(fresh, peer -> new Contribution());
          return fresh;
        });
  }

  private void pull(int peer) {
    List<Integer> window = incoming(round())[peer].nextWindow();
    outbox.send(peer, new Pull(group, self, token, rank, round(), window));
  }

  private void sendParts(int peer, int round, List<Integer> indexes) {
    byte[] bytes = own.get(round);
    for (int index : indexes) {
      int from = index * partBytes;
      byte[] payload = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + partBytes));
      outbox.send(
          peer, new Part(group, self, token, rank, round, index, bytes.length, partBytes, payload));
    }
  }
}
