package io.jaccl4j.cluster;

import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * One join of one member, from looking for the other ranks to the end of the group. Its life is
 * three behaviors: {@link Forming} until ranks are agreed, {@link Serving} while the engine
 * connects and works, {@link Lingering} until every peer knows how it ended.
 */
final class GroupActor {

  private GroupActor() {}

  /** Nothing of this leaves the process. */
  sealed interface Command extends NoSerializationVerificationNeeded {}

  /** Time to repeat what is unanswered. */
  enum Tick implements Command {
    INSTANCE
  }

  /** The formation deadline. */
  enum DeadlinePassed implements Command {
    INSTANCE
  }

  /** The engine was told to end and has not said that it did. */
  enum EngineOverdue implements Command {
    INSTANCE
  }

  /** A message from a peer. */
  record Received(RemoteMessage message) implements Command {}

  record MemberChanged(MemberEvent event) implements Command {}

  record ReachabilityChanged(ReachabilityEvent event) implements Command {}

  /** A peer was not reachable again in time. */
  record UnreachableTooLong(MemberId peer) implements Command {}

  /** The engine's thread waits for a round of the all-gather. */
  record Contribute(byte[] contribution, long timeoutNanos, CompletableFuture<List<byte[]>> result)
      implements Command {}

  /** The deadline of a round. */
  record RoundOverdue(int round) implements Command {}

  /** The engine has connected; one of the two is null. */
  record Connected(Group group, Throwable failure) implements Command {}

  record EngineReported(GroupEvent event) implements Command {}

  record EngineEnded(Optional<GroupFailure> failure, long completedCollectives)
      implements Command {}

  /** Another join of the same group: refused unless this one ends; the guardian keeps it. */
  record Supersede(JoinRequest second) implements Command {}

  /**
   * End now.
   *
   * @param excluded the cluster has excluded this member, so there is no good order
   */
  record Shutdown(boolean excluded) implements Command {}

  /**
   * What a guardian gives to each of its joins.
   *
   * @param wire what every message to a peer passes through
   */
  record Surroundings(Engine.Factory engines, UnaryOperator<Mail> wire, LongSupplier nanoClock) {}

  /**
   * What a guardian remembers of a group's name.
   *
   * @param highestEpoch the highest epoch that this member took part in, 0 if none
   * @param refusals how many joins have been refused
   */
  record Past(long highestEpoch, long refusals) {}

  /**
   * A join.
   *
   * @param attempt number of this join on this member
   */
  static Behavior<Command> create(
      JoinRequest request,
      long attempt,
      Past past,
      Surroundings surroundings,
      ActorRef<JacclGuardian.Command> guardian) {
    return Behaviors.setup(
        actor ->
            ClusterSubscription.during(
                actor,
                Behaviors.withTimers(
                    timers -> {
                      actor.setLoggerName(GroupActor.class);
                      timers.startTimerWithFixedDelay(
                          Tick.INSTANCE, request.settings().sideChannel().resendInterval());
                      return Forming.begin(
                          context(request, attempt, past, surroundings, guardian, actor, timers));
                    })));
  }

  private static JoinContext context(
      JoinRequest request,
      long attempt,
      Past past,
      Surroundings surroundings,
      ActorRef<JacclGuardian.Command> guardian,
      ActorContext<Command> actor,
      TimerScheduler<Command> timers) {
    Cluster cluster = Cluster.get(actor.getSystem());
    MemberId id = MemberId.of(cluster.selfMember().uniqueAddress());
    Candidate self =
        Candidate.of(
            id,
            attempt,
            request.host(),
            request.fabrics(),
            request.settings(),
            past.highestEpoch(),
            past.refusals());
    ClusterMail addresses = new ClusterMail(actor.getSystem());
    return new JoinContext(
        actor,
        timers,
        request,
        self,
        guardian,
        surroundings.engines(),
        addresses,
        surroundings.wire().apply(addresses),
        new ClusterView(request.settings().role(), cluster.selfMember().dataCenter()),
        cluster);
  }
}
