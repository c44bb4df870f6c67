package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Group;
import io.jaccl4j.PeerLostException;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.junit.jupiter.api.Test;

/** A rank's process ends in mid-operation; a spare member takes its place in a new group. */
abstract class LossSpec extends NodeSpec {
  /** The node whose process ends. */
  static final int VICTIM = 2;

  private static final NodeConfig NODES = new NodeConfig(4);
  private static final int SPARE = 3;

  private final Duration noticedWithin;

  LossSpec(Duration noticedWithin) {
    super(NODES);
    this.noticedWithin = noticedWithin;
  }

  /** Ends the victim; called on node 0 and on the victim, while the others' operations run. */
  abstract void end();

  @Test
  void shouldFailSurvivorsNamingTheVictimAndFormAgainWithASpare() {
    startCluster(0, 1, VICTIM, SPARE);
    long firstEpoch = 0;
    if (!is(SPARE)) {
      Group group = get(join("lossy", 3));
      firstEpoch = group.epoch();
      assertThat(sum(group, group.rank() + 1, 1000)).isEqualTo(6);
      barrier("formed");
      fail(group);
    } else {
      barrier("formed");
      // A barrier that anybody waits at when a node dies would fail.
      awaitLossOfVictim();
    }
    barrier("survivors have failed");
    if (is(0)) {
      Cluster.get(typed()).manager().tell(new Down(address(VICTIM)));
    }
    awaitMembers(3);
    barrier("victim is out of the cluster");
    try (Group again = get(join("lossy", 3))) {
      assertThat(again.epoch()).isGreaterThan(firstEpoch);
      assertThat(sum(again, again.rank() + 1, 1000)).isEqualTo(6);
      barrier("summed with the spare");
    }
  }

  private void fail(Group group) {
    Thread ending = Thread.ofPlatform().daemon().unstarted(this::end);
    if (is(0, VICTIM)) {
      ending.start();
    }
    long startNanos = System.nanoTime();
    Throwable lost = catchThrowable(() -> sumUntilItFails(group));
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    if (is(VICTIM)) {
      awaitEndOfThisProcess();
    }
    assertThat(lost)
        .isInstanceOfSatisfying(
            PeerLostException.class,
            e -> {
              assertThat(e.address()).isEqualTo(address(VICTIM).toString());
              assertThat(e.getMessage()).contains("allSum", "rank " + e.rank(), e.address());
            });
    assertThat(took).isLessThan(noticedWithin);
    assertThat(catchThrowable(() -> sum(group, 1, 1))).isInstanceOf(PeerLostException.class);
    group.close();
  }

  private void awaitLossOfVictim() {
    Cluster cluster = Cluster.get(typed());
    await("the victim is seen no more")
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.state().getUnreachable().stream().anyMatch(this::isVictim)
                    || StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                        .noneMatch(this::isVictim));
  }

  private boolean isVictim(Member member) {
    return member.address().equals(address(VICTIM));
  }

  private static void awaitEndOfThisProcess() {
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new AssertionError("this process was to end");
  }
}
