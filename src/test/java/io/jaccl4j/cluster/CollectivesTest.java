package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.InvalidPeerException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CollectivesTest {

  private static final MemorySegment BUFFER = MemorySegment.NULL;

  private static ActorTestKit testKit;

  private final List<String> called = new ArrayList<>();
  private final CompletableFuture<Void> operation = new CompletableFuture<>();
  private TestProbe<Collectives.Reply> probe;
  private ActorRef<Collectives.Command> collectives;

  @BeforeAll
  static void startSystem() {
    testKit = ActorTestKit.create("collectives", TestCluster.config());
  }

  @AfterAll
  static void stopSystem() {
    testKit.shutdownTestKit();
  }

  @BeforeEach
  void spawn() {
    Group group =
        (Group)
            Proxy.newProxyInstance(
                Group.class.getClassLoader(),
                new Class<?>[] {Group.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName());
                  return operation;
                });
    probe = testKit.createTestProbe();
    collectives = testKit.spawn(Collectives.create(group));
  }

  @Test
  void shouldSubmitEveryCommandInOrderAndAnswerEach() {
    ActorRef<Collectives.Reply> replyTo = probe.ref();
    List<Collectives.Command> commands =
        List.of(
            new Collectives.AllSum(BUFFER, BUFFER, Dtype.FLOAT32, replyTo),
            new Collectives.AllMax(BUFFER, BUFFER, Dtype.FLOAT32, replyTo),
            new Collectives.AllMin(BUFFER, BUFFER, Dtype.FLOAT32, replyTo),
            new Collectives.AllGather(BUFFER, BUFFER, replyTo),
            new Collectives.SumScatter(BUFFER, BUFFER, Dtype.FLOAT32, replyTo),
            new Collectives.Send(BUFFER, 1, replyTo),
            new Collectives.Receive(BUFFER, 1, replyTo),
            new Collectives.Barrier(replyTo));

    commands.forEach(collectives::tell);
    probe.expectNoMessage();
    operation.complete(null);

    commands.forEach(command -> probe.expectMessage(Collectives.Completed.INSTANCE));
    assertThat(called)
        .containsExactly(
            "allSumAsync",
            "allMaxAsync",
            "allMinAsync",
            "allGatherAsync",
            "sumScatterAsync",
            "sendAsync",
            "recvAsync",
            "barrierAsync");
  }

  @Test
  void shouldAnswerWithCauseWhenOperationFails() {
    InvalidPeerException cause = new InvalidPeerException("send to rank 9: want 0 to 3");
    collectives.tell(new Collectives.Send(BUFFER, 9, probe.ref()));

    operation.completeExceptionally(cause);

    probe.expectMessage(new Collectives.Failed(cause));
  }
}
