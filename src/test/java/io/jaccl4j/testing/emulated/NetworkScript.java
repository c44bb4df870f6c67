package io.jaccl4j.testing.emulated;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What an emulated network does with its messages. Write it before the first rank starts; it is
 * only read after that.
 *
 * <p>Requests are named by rank, kind and number: {@code receive 3 of rank 1} is the fourth receive
 * that rank 1 posted, over all its links and since it started. Posts are counted likewise, over
 * both kinds. Delays are counted in polls of the ranks at both ends, never in time.
 */
public final class NetworkScript {
  private static final int LATEST_COMPLETION_POLLS = 8;

  private final long seed;
  private final Chance chance;
  private final Map<Request, WorkStatus> statuses = new HashMap<>();
  private final Map<Request, ExtraCompletion> extras = new HashMap<>();
  private final Map<Post, PostFault> postFaults = new HashMap<>();
  private int mostDelayPolls;
  private SendTiming sendTiming = SendTiming.ON_DELIVERY;
  private boolean reordering;
  private boolean preferringFewMessages;

  private record Request(int rank, WorkKind kind, long number) {
    @Override
    public String toString() {
      return kind + " " + number + " of rank " + rank;
    }
  }

  private record Post(int rank, long number) {
    @Override
    public String toString() {
      return "post " + number + " of rank " + rank;
    }
  }

  private NetworkScript(long seed) {
    this.seed = seed;
    this.chance = new Chance(seed);
  }

  /** A network without delays or faults. */
  public static NetworkScript faultless() {
    return new NetworkScript(0);
  }

  /** Without delays or faults yet; the seed decides what later methods leave to chance. */
  public static NetworkScript seeded(long seed) {
    return new NetworkScript(seed);
  }

  /** Delays, completions early and late, and reordering, all by the seed. */
  public static NetworkScript unruly(long seed) {
    return seeded(seed).delays(40).sends(SendTiming.ANY).reordering();
  }

  /** Delays every message by a random number of polls, in order on each wire and direction. */
  public NetworkScript delays(int mostPolls) {
    mostDelayPolls = mostPolls;
    return this;
  }

  /** Sets when sends complete. */
  public NetworkScript sends(SendTiming timing) {
    sendTiming = timing;
    return this;
  }

  /** Reports the completions of different links in changing order, never those of one link. */
  public NetworkScript reordering() {
    reordering = true;
    return this;
  }

  /** Makes the network one whose messages cost more than their way. */
  public NetworkScript preferringFewMessages() {
    preferringFewMessages = true;
    return this;
  }

  boolean prefersFewMessages() {
    return preferringFewMessages;
  }

  /** Lets a request end with a status when its turn comes; its link is broken from then on. */
  public NetworkScript finish(int rank, WorkKind kind, long number, WorkStatus status) {
    statuses.put(new Request(rank, kind, number), status);
    return this;
  }

  /** Reports one completion too many after that of a request. */
  public NetworkScript repeat(int rank, WorkKind kind, long number, ExtraCompletion extra) {
    extras.put(new Request(rank, kind, number), extra);
    return this;
  }

  /** Lets something happen at a post. */
  public NetworkScript atPost(int rank, long number, PostFault fault) {
    postFaults.put(new Post(rank, number), fault);
    return this;
  }

  WorkStatus status(int rank, WorkKind kind, long number) {
    return statuses.getOrDefault(new Request(rank, kind, number), WorkStatus.SUCCESS);
  }

  /** The extra completion after a request's own, or null. */
  ExtraCompletion extra(int rank, WorkKind kind, long number) {
    return extras.get(new Request(rank, kind, number));
  }

  /** What happens at a post, or null. */
  PostFault postFault(int rank, long number) {
    return postFaults.get(new Post(rank, number));
  }

  int deliveryDelay(int channel, long message) {
    return chance.below(mostDelayPolls + 1, Chance.Question.DELIVERY_DELAY, channel, message);
  }

  /** When this send completes; never {@link SendTiming#ANY}. */
  SendTiming timing(int channel, long message) {
    if (sendTiming != SendTiming.ANY) {
      return sendTiming;
    }
    int choice =
        chance.below(SendTiming.ANY.ordinal(), Chance.Question.SEND_TIMING, channel, message);
    return SendTiming.values()[choice];
  }

  int completionDelay(int channel, long message) {
    return 1
        + chance.below(LATEST_COMPLETION_POLLS, Chance.Question.COMPLETION_DELAY, channel, message);
  }

  /** Which of a rank's links a poll looks at in its turn. */
  int linkInTurn(int turn, int links, int rank, long poll) {
    if (!reordering) {
      return turn;
    }
    int first = chance.below(links, Chance.Question.FIRST_LINK, rank, poll);
    boolean upwards = chance.below(2, Chance.Question.LINK_STEP, rank, poll) == 0;
    return Math.floorMod(upwards ? first + turn : first - turn, links);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ");
    text.add("seed " + seed);
    text.add("delays up to " + mostDelayPolls + " polls");
    text.add("sends complete " + sendTiming);
    if (reordering) {
      text.add("links reordered");
    }
    if (preferringFewMessages) {
      text.add("few messages preferred");
    }
    statuses.forEach((request, status) -> text.add(request + " ends with " + status));
    extras.forEach((request, extra) -> text.add(request + " is followed by " + extra));
    postFaults.forEach((post, fault) -> text.add(post + ": " + fault));
    return text.toString();
  }
}
