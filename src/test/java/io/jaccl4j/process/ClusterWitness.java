package io.jaccl4j.process;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;

/** Remembers what the cluster has said of other members' reachability. */
final class ClusterWitness {
  private final Cluster cluster;
  private final Set<UniqueAddress> unreachable = new HashSet<>();
  private final AtomicLong unreachableEver = new AtomicLong();

  private ClusterWitness(Cluster cluster) {
    this.cluster = cluster;
  }

  static ClusterWitness of(ActorSystem<?> system) {
    ClusterWitness witness = new ClusterWitness(Cluster.get(system));
    ActorRef<ReachabilityEvent> listener =
        system.systemActorOf(
            Behaviors.<ReachabilityEvent>receiveMessage(
                event -> {
                  witness.onChanged(event);
                  return Behaviors.same();
                }),
            "witness",
            Props.empty());
    witness.cluster.subscriptions().tell(Subscribe.create(listener, ReachabilityEvent.class));
    return witness;
  }

  private synchronized void onChanged(ReachabilityEvent event) {
    UniqueAddress member = event.member().uniqueAddress();
    if (event instanceof UnreachableMember) {
      unreachable.add(member);
      unreachableEver.incrementAndGet();
    } else {
      unreachable.remove(member);
    }
  }

  /** How many members are unreachable. */
  synchronized int unreachableNow() {
    unreachable.retainAll(
        StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
            .map(member -> member.uniqueAddress())
            .toList());
    return unreachable.size();
  }

  /** How often a member has become unreachable. */
  long unreachableEver() {
    return unreachableEver.get();
  }

  /** Address of the oldest member; as a candidate it is the one that proposes a group. */
  String oldest() {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .reduce((a, b) -> a.isOlderThan(b) ? a : b)
        .map(member -> member.address().toString())
        .orElse("none");
  }

  /** How many members are up, as this one sees it. */
  long up() {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(member -> member.status().equals(MemberStatus.up()))
        .count();
  }
}
