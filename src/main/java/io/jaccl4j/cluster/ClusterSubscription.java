package io.jaccl4j.cluster;

import io.jaccl4j.cluster.GroupActor.Command;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorSignalInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;

/**
 * The cluster's events for the actor of one join, from its beginning to its end.
 *
 * <p>From the classic extension: the typed one has an actor in between that runs on the default
 * dispatcher, and an application that blocks its threads there would delay what is learned here.
 */
final class ClusterSubscription extends BehaviorSignalInterceptor<Command> {
  private final Cluster cluster;
  private final ActorRef members;
  private final ActorRef reachability;

  private ClusterSubscription(ActorContext<Command> actor) {
    this.cluster = Cluster.get(actor.getSystem());
    this.members =
        Adapter.toClassic(actor.messageAdapter(MemberEvent.class, GroupActor.MemberChanged::new));
    this.reachability =
        Adapter.toClassic(
            actor.messageAdapter(ReachabilityEvent.class, GroupActor.ReachabilityChanged::new));
    cluster.subscribe(members, ClusterEvent.initialStateAsEvents(), MemberEvent.class);
    cluster.subscribe(reachability, ClusterEvent.initialStateAsEvents(), ReachabilityEvent.class);
  }

  /** The behavior of an actor that hears what happens, what is the case already first of all. */
  static Behavior<Command> during(ActorContext<Command> actor, Behavior<Command> behavior) {
    ClusterSubscription subscription = new ClusterSubscription(actor);
    return Behaviors.intercept(() -> subscription, behavior);
  }

  @Override
  public Behavior<Command> aroundSignal(
      TypedActorContext<Command> actor, Signal signal, SignalTarget<Command> target) {
    if (signal instanceof PostStop) {
      cluster.unsubscribe(members);
      cluster.unsubscribe(reachability);
    }
    return target.apply(actor, signal);
  }
}
