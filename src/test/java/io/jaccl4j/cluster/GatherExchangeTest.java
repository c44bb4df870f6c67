package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.cluster.RemoteMessage.Part;
import io.jaccl4j.cluster.RemoteMessage.Pull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rounds of the metadata exchange over a network that loses, doubles and reorders. */
class GatherExchangeTest {

  private static final int PART_BYTES = 16;
  private static final MemberId SELF = new MemberId("pekko://test", 1);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void shouldGiveEveryRankSameContributionsWhateverTheNetworkDoes(long seed) {
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Network network = new Network(2 + random.nextInt(6), random);
    int rounds = 4;
    List<List<byte[]>> contributions = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      List<byte[]> ofRound = new ArrayList<>();
      for (int rank = 0; rank < network.ranks.size(); rank++) {
        byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(80 * PART_BYTES)];
        random.nextBytes(bytes);
        ofRound.add(bytes);
      }
      contributions.add(ofRound);
    }

    List<List<List<byte[]>>> results = network.run(contributions);

    for (List<List<byte[]>> ofRank : results) {
      for (int round = 0; round < rounds; round++) {
        for (int rank = 0; rank < network.ranks.size(); rank++) {
          assertThat(Arrays.equals(ofRank.get(round).get(rank), contributions.get(round).get(rank)))
              .as("seed %d round %d rank %d", seed, round, rank)
              .isTrue();
        }
      }
    }
  }

  @Test
  void shouldReturnOwnContributionWhenAlone() {
    GatherExchange alone = new GatherExchange("g", SELF, "t", 0, 1, PART_BYTES, (to, m) -> {});

    alone.begin(new byte[] {1, 2, 3});

    assertThat(alone.takeResult().orElseThrow()).containsExactly(new byte[] {1, 2, 3});
  }

  @Test
  void shouldNameRanksThatAreMissing() {
    GatherExchange exchange = new GatherExchange("g", SELF, "t", 1, 4, PART_BYTES, (to, m) -> {});
    exchange.begin(new byte[0]);

    exchange.onPart(new Part("g", SELF, "t", 2, 0, 0, 1, PART_BYTES, new byte[1]));

    assertThat(exchange.missingRanks()).containsExactly(0, 3);
    assertThat(exchange.takeResult()).isEmpty();
  }

  @Test
  void shouldGoOnAnsweringAfterItsOwnRoundIsDone() {
    List<RemoteMessage> sent = new ArrayList<>();
    GatherExchange done =
        new GatherExchange("g", SELF, "t", 0, 2, PART_BYTES, (to, message) -> sent.add(message));
    done.begin(new byte[] {7});
    done.onPart(new Part("g", SELF, "t", 1, 0, 0, 0, PART_BYTES, new byte[0]));
    assertThat(done.takeResult()).isPresent();
    sent.clear();

    done.onPull(new Pull("g", SELF, "t", 1, 0, List.of()));

    assertThat(sent)
        .singleElement()
        .isInstanceOfSatisfying(Part.class, part -> assertThat(part.payload()).containsExactly(7));
  }

  @Test
  void shouldKeepAtMostOneWindowOnItsWay() {
    List<RemoteMessage> sent = new ArrayList<>();
    GatherExchange sender =
        new GatherExchange("g", SELF, "t", 0, 2, PART_BYTES, (to, message) -> sent.add(message));

    sender.begin(new byte[1000 * PART_BYTES]);

    assertThat(sent).hasSize(GatherExchange.WINDOW_PARTS);
  }

  @Test
  void shouldIgnorePartsThatContradictEachOther() {
    Contribution contribution = new Contribution();
    contribution.accept(part(0, 20, new byte[PART_BYTES]));

    contribution.accept(part(1, 21, new byte[5]));
    contribution.accept(part(1, 20, new byte[5]));
    contribution.accept(part(2, 20, new byte[0]));
    contribution.accept(part(-1, 20, new byte[PART_BYTES]));
    assertThat(contribution.complete()).isFalse();

    contribution.accept(part(1, 20, new byte[4]));
    assertThat(contribution.complete()).isTrue();
  }

  private static Part part(int index, int totalBytes, byte[] payload) {
    return new Part("g", SELF, "t", 0, 0, index, totalBytes, PART_BYTES, payload);
  }

  /** Every rank's exchange, and the messages between them. */
  private static final class Network {
    private final SplittableRandom random;
    private final List<GatherExchange> ranks = new ArrayList<>();
    private final List<Runnable> inFlight = new ArrayList<>();

    Network(int size, SplittableRandom random) {
      this.random = random;
      for (int rank = 0; rank < size; rank++) {
        ranks.add(
            new GatherExchange(
                "g", SELF, "t", rank, size, PART_BYTES, (to, message) -> post(to, message)));
      }
    }

    private void post(int to, RemoteMessage message) {
      int copies =
          switch (random.nextInt(10)) {
            case 0, 1, 2 -> 0;
            case 3, 4 -> 2;
            default -> 1;
          };
      for (int copy = 0; copy < copies; copy++) {
        inFlight.add(() -> deliver(ranks.get(to), message));
      }
    }

    private static void deliver(GatherExchange to, RemoteMessage message) {
      switch (message) {
        case Part part -> to.onPart(part);
        case Pull pull -> to.onPull(pull);
        default -> throw new AssertionError(message);
      }
    }

    /** Runs all rounds; returns per rank and round what it got. */
    List<List<List<byte[]>>> run(List<List<byte[]>> contributions) {
      List<List<List<byte[]>>> results = new ArrayList<>();
      ranks.forEach(rank -> results.add(new ArrayList<>()));
      boolean[] begun = new boolean[ranks.size()];
      int steps = 0;
      while (results.stream().anyMatch(r -> r.size() < contributions.size())) {
        assertThat(++steps).as("steps without an end").isLessThan(1_000_000);
        int rank = random.nextInt(ranks.size());
        int round = results.get(rank).size();
        if (!begun[rank] && round < contributions.size() && random.nextInt(4) == 0) {
          ranks.get(rank).begin(contributions.get(round).get(rank).clone());
          begun[rank] = true;
        }
        if (!inFlight.isEmpty() && random.nextInt(20) != 0) {
          inFlight.remove(random.nextInt(inFlight.size())).run();
        } else {
          ranks.get(random.nextInt(ranks.size())).onTick();
        }
        for (int r = 0; r < ranks.size(); r++) {
          Optional<List<byte[]>> result = ranks.get(r).takeResult();
          if (result.isPresent()) {
            results.get(r).add(result.get());
            begun[r] = false;
          }
        }
      }
      return results;
    }
  }
}
