package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine thread's side of the metadata exchange. */
class PekkoAllGatherTest {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static ActorTestKit testKit;

  private TestProbe<GroupActor.Command> actor;
  private PekkoAllGather allGather;

  @BeforeAll
  static void startSystem() {
    testKit = ActorTestKit.create("all-gather", TestCluster.config());
  }

  @AfterAll
  static void stopSystem() {
    testKit.shutdownTestKit();
  }

  @BeforeEach
  void open() {
    actor = testKit.createTestProbe();
    allGather = new PekkoAllGather("group [g] epoch 1 rank 0", 4, actor.ref());
  }

  @Test
  void shouldReturnWhatActorAnswers() {
    CompletableFuture<List<byte[]>> call = call();

    contribute().result().complete(List.of(new byte[] {1}, new byte[] {2}));

    assertThat(call.join()).containsExactly(new byte[] {1}, new byte[] {2});
  }

  @Test
  void shouldRefuseLargeContributionBeforeAnythingIsSent() {
    assertThatThrownBy(() -> allGather.allGather(new byte[5], TIMEOUT_NANOS))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("group [g] epoch 1 rank 0")
        .hasMessageContaining("contribution of 5 bytes, want at most 4");
    actor.expectNoMessage();
  }

  @Test
  void shouldEndCallUnderWayWithCauseOfAbort() {
    CompletableFuture<List<byte[]>> call = call();
    contribute();

    allGather.fail(new FormationException(Reason.PEER_FAILED, "rank 1 is gone"));

    assertThatThrownBy(call::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PEER_FAILED))
        .hasMessage("rank 1 is gone");
  }

  @Test
  void shouldFailLaterCallsWithFirstCause() {
    allGather.fail(new FormationException(Reason.PEER_FAILED, "first"));
    allGather.fail(new FormationException(Reason.TIMEOUT, "second"));
    allGather.close();

    assertThatThrownBy(() -> allGather.allGather(new byte[0], TIMEOUT_NANOS)).hasMessage("first");
  }

  @Test
  void shouldEndCallUnderWayWhenClosed() {
    CompletableFuture<List<byte[]>> call = call();
    contribute();

    allGather.close();

    assertThatThrownBy(call::join).hasMessageContaining("channel closed");
  }

  private CompletableFuture<List<byte[]>> call() {
    return CompletableFuture.supplyAsync(() -> allGather.allGather(new byte[1], TIMEOUT_NANOS));
  }

  private GroupActor.Contribute contribute() {
    return actor.expectMessageClass(GroupActor.Contribute.class);
  }
}
