package io.jaccl4j.cluster;

import static org.awaitility.Awaitility.await;

import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;

/** A program whose own actors block every thread of their dispatcher while groups form and fail. */
final class BlockedDispatcher {
  static final String FORMED = "all groups formed while the default dispatcher was blocked";
  static final String LOST = "all groups have lost a rank while it was blocked";

  private static final List<String> GROUPS = List.of("a", "b", "c", "d");
  private static final int MEMBERS = 2;

  /** The most that the default dispatcher has on a machine with one processor. */
  private static final int BLOCKING_ACTORS = 8;

  private BlockedDispatcher() {}

  public static void main(String[] arguments) throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(MEMBERS * BLOCKING_ACTORS);
    CountDownLatch released = new CountDownLatch(1);
    try (TestCluster cluster = TestCluster.of(MEMBERS)) {
      cluster.first(MEMBERS).forEach(node -> block(node, blocked, released));
      if (!blocked.await(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("only blocks " + blocked.getCount() + " too few");
      }
      List<Joined> joined = new ArrayList<>();
      GROUPS.forEach(group -> joined.addAll(cluster.joinAll(MEMBERS, group)));
      try {
        joined.forEach(Joined::group);
        System.out.println(FORMED);
        // Not by the typed extension, whose actors are blocked too.
        Cluster.get(cluster.node(0).system())
            .down(Cluster.get(cluster.node(1).system()).selfAddress());
        await("every rank has failed")
            .atMost(TestCluster.PATIENCE)
            .until(() -> joined.stream().allMatch(one -> one.group().failure().isPresent()));
        System.out.println(LOST);
      } finally {
        released.countDown();
      }
    }
  }

  private static void block(Node node, CountDownLatch blocked, CountDownLatch released) {
    for (int i = 0; i < BLOCKING_ACTORS; i++) {
      node.system()
          .systemActorOf(
              Behaviors.setup(
                  context -> {
                    blocked.countDown();
                    released.await(1, TimeUnit.MINUTES);
                    return Behaviors.empty();
                  }),
              "blocks-" + i,
              DispatcherSelector.defaultDispatcher());
    }
  }
}
