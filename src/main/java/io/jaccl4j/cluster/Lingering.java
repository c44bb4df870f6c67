package io.jaccl4j.cluster;

import io.jaccl4j.cluster.GroupActor.Command;
import io.jaccl4j.cluster.RemoteMessage.Excluded;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;

/**
 * The last phase of a join: repeats the farewell until every peer has acknowledged it or is gone,
 * and answers peers that do not know yet. Bounded by the operation timeout, after which peers have
 * noticed by themselves. The group's name is free already.
 */
final class Lingering {

  /** At shutdown nobody waits for the operation timeout. */
  private static final int TICKS_AT_SHUTDOWN = 5;

  private final JoinContext join;
  private final Farewell farewell;
  private final String token;
  private final GatherExchange exchange;
  private long ticksLeft;

  private Lingering(
      JoinContext join,
      Farewell farewell,
      boolean stopping,
      String token,
      GatherExchange exchange) {
    this.join = join;
    this.farewell = farewell;
    this.token = token;
    this.exchange = exchange;
    Duration limit = join.settings().operationTimeout();
    this.ticksLeft =
        stopping
            ? TICKS_AT_SHUTDOWN
            : Math.max(
                TICKS_AT_SHUTDOWN, limit.dividedBy(join.settings().sideChannel().resendInterval()));
  }

  /**
   * After a join without a formation, or a failed one: peers are told that it is over.
   *
   * @param stopping whether this member shuts down
   */
  static Behavior<Command> begin(JoinContext join, Farewell farewell, boolean stopping) {
    return new Lingering(join, farewell, stopping, "", null).start();
  }

  /**
   * After a group that was closed in good order: peers may still need this rank's metadata.
   *
   * @param stopping whether this member shuts down
   */
  static Behavior<Command> begin(
      JoinContext join,
      Farewell farewell,
      boolean stopping,
      String token,
      GatherExchange exchange) {
    return new Lingering(join, farewell, stopping, token, exchange).start();
  }

  private Behavior<Command> start() {
    farewell.send(join.mail());
    join.timers().cancel(GroupActor.DeadlinePassed.INSTANCE);
    return farewell.complete()
        ? Behaviors.stopped()
        : Behaviors.receive(Command.class).onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case GroupActor.Tick t -> {
        ticksLeft--;
        farewell.send(join.mail());
      }
      case GroupActor.Received r -> onMessage(r.message());
      case GroupActor.MemberChanged m -> onMemberChanged(m.event());
      case GroupActor.Shutdown s -> ticksLeft = Math.min(ticksLeft, TICKS_AT_SHUTDOWN);
      default -> {
        // What the engine, its timers or the side channel still report changes nothing.
      }
    }
    if (ticksLeft > 0 && !farewell.complete()) {
      return Behaviors.same();
    }
    if (!farewell.complete()) {
      join.log().warn("[{}] Not every peer has acknowledged the end of the group", join.group());
    }
    return Behaviors.stopped();
  }

  private void onMessage(RemoteMessage message) {
    switch (message) {
      case RemoteMessage.Acknowledged answer -> farewell.acknowledged(answer);
      case RemoteMessage.Notice notice -> join.acknowledge(notice);
      case RemoteMessage.AboutFormation late when exchange != null && late.token().equals(token) ->
          onLate(late);
      case RemoteMessage.Commit stale -> exclude(stale);
      case RemoteMessage.Pull stale -> exclude(stale);
      case RemoteMessage.Probe stale -> exclude(stale);
      default -> {
        // Everything else was an answer to what this join does not want any more.
      }
    }
  }

  /** A peer of the group that was closed in good order is not yet as far. */
  private void onLate(RemoteMessage.AboutFormation late) {
    if (late instanceof RemoteMessage.Pull pull) {
      exchange.onPull(pull);
    } else if (late instanceof RemoteMessage.Commit) {
      join.send(late.from(), new RemoteMessage.Committed(join.group(), join.id(), token));
    }
  }

  private void exclude(RemoteMessage.AboutFormation stale) {
    join.send(stale.from(), new Excluded(join.group(), join.id(), stale.token()));
  }

  private void onMemberChanged(MemberEvent event) {
    join.view().apply(event);
    if (Departures.isGone(event)) {
      farewell.forget(MemberId.of(event.member().uniqueAddress()));
    }
  }
}
