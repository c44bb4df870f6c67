package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.cluster.GroupActor.Command;
import io.jaccl4j.cluster.RemoteMessage.Announce;
import io.jaccl4j.cluster.RemoteMessage.Commit;
import io.jaccl4j.cluster.RemoteMessage.Committed;
import io.jaccl4j.cluster.RemoteMessage.Deny;
import io.jaccl4j.cluster.RemoteMessage.Excluded;
import io.jaccl4j.cluster.RemoteMessage.Failed;
import io.jaccl4j.cluster.RemoteMessage.Left;
import io.jaccl4j.cluster.RemoteMessage.Part;
import io.jaccl4j.cluster.RemoteMessage.Propose;
import io.jaccl4j.cluster.RemoteMessage.Pull;
import io.jaccl4j.cluster.RemoteMessage.Refused;
import io.jaccl4j.engine.Engine;
import io.jaccl4j.engine.EngineListener;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.LinkExchange;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The second phase of a join: ranks are agreed, the engine connects, then works. Carries the
 * metadata exchange, watches the peers, and sees to it that every rank ends with the first cause.
 *
 * <p>The engine decides what came first: a loss seen here is handed to it, and what it reports at
 * its end is what the peers are told.
 */
final class Serving {

  /** How long the engine may take to end once it was told to. */
  private static final Duration ENGINE_GRACE = Duration.ofSeconds(5);

  private final JoinContext join;
  private final Proposal proposal;
  private final int rank;
  private final Causes causes;
  private final PeerWatch peers;
  private final SideChannel sideChannel;
  private final Engine engine;

  /** Peers that may not know yet that the table is committed; empty unless this member proposed. */
  private final Set<MemberId> uncommitted;

  /** Peers that closed the group before it was ready here. */
  private final Map<Integer, Left> earlyLeavers = new HashMap<>();

  /** Null until the engine has connected. */
  private Group group;

  /** What this actor has failed the group with, or null; not necessarily the first cause. */
  private GroupFailure aborted;

  private boolean stopping;
  private boolean ended;

  private Serving(JoinContext join, Proposal proposal, List<MemberId> peersToCommit) {
    this.join = join;
    this.proposal = proposal;
    this.rank = proposal.rankOf(join.id()).orElseThrow();
    this.uncommitted = new HashSet<>(peersToCommit);
    this.causes = new Causes(join.group(), proposal, join.id());
    this.peers = new PeerWatch(join, proposal, causes, this::abort);
    this.sideChannel = new SideChannel(join, proposal, causes);
    this.engine = join.engines().create(listener(join.actor().getSelf()));
  }

  /**
   * The behavior from the commit on.
   *
   * @param peersToCommit whom this member, as the proposer, has to tell
   */
  static Behavior<Command> begin(
      JoinContext join, Proposal proposal, List<MemberId> peersToCommit) {
    Serving serving = new Serving(join, proposal, peersToCommit);
    serving.start();
    return Behaviors.receive(Command.class)
        .onAnyMessage(serving::onCommand)
        .onSignal(PostStop.class, stop -> serving.onStopped())
        .build();
  }

  /** Called on the engine thread. */
  private static EngineListener listener(ActorRef<Command> self) {
    return new EngineListener() {
      @Override
      public void onEvent(GroupEvent event) {
        self.tell(new GroupActor.EngineReported(event));
      }

      @Override
      public void onTerminated(Optional<GroupFailure> failure, long completedCollectives) {
        self.tell(new GroupActor.EngineEnded(failure, completedCollectives));
      }
    };
  }

  private void start() {
    join.request().served(engine);
    join.log()
        .info(
            "[{}] Ranks assigned: epoch [{}], rank [{}] of [{}], fabric [{}], members {}",
            join.group(),
            proposal.epoch(),
            rank,
            proposal.seats().size(),
            proposal.fabric(),
            proposal.members());
    // From here the engine keeps the deadline; this is for one that does not.
    long remainingNanos = Math.max(1, join.request().remainingNanos());
    join.timers()
        .startSingleTimer(
            GroupActor.DeadlinePassed.INSTANCE,
            Duration.ofNanos(remainingNanos).plus(ENGINE_GRACE));
    join.guardian().tell(new JacclGuardian.EpochFormed(join.group(), proposal.epoch()));
    join.emit(new GroupEvent.RanksAssigned(proposal.epoch(), rank, proposal.members()));
    tellUncommitted();
    Formation formation =
        new Formation(
            proposal.epoch(),
            rank,
            proposal.members(),
            join.settings(),
            proposal.fabric(),
            sideChannel.allGather(),
            LinkExchange.OWN,
            remainingNanos,
            join.request().elapsedNanos());
    join.actor().pipeToSelf(engine.connect(formation), GroupActor.Connected::new);
    peers.start();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case GroupActor.Tick t -> after(this::onTick);
      case GroupActor.Received r -> after(() -> onMessage(r.message()));
      case GroupActor.MemberChanged m -> after(() -> peers.onMemberChanged(m.event()));
      case GroupActor.ReachabilityChanged r -> after(() -> peers.onReachabilityChanged(r.event()));
      case GroupActor.UnreachableTooLong u -> after(() -> peers.onUnreachableTooLong(u.peer()));
      case GroupActor.Contribute c -> after(() -> sideChannel.onContribute(c));
      case GroupActor.RoundOverdue r -> after(() -> sideChannel.onOverdue(r.round()));
      case GroupActor.EngineReported e -> after(() -> onEngineReported(e.event()));
      case GroupActor.Supersede s -> after(() -> onSupersede(s.second()));
      case GroupActor.Shutdown s -> after(() -> onShutdown(s.excluded()));
      case GroupActor.DeadlinePassed d ->
          after(() -> abort(causes.notFormed("the engine has not connected in time")));
      case GroupActor.Connected c ->
          c.group() != null ? onConnected(c.group()) : onNotConnected(c.failure());
      case GroupActor.EngineEnded e -> end(e.failure(), e.completedCollectives());
      case GroupActor.EngineOverdue e -> onEngineOverdue();
    };
  }

  private void onMessage(RemoteMessage message) {
    switch (message) {
      case RemoteMessage.AboutFormation other when !other.token().equals(proposal.token()) ->
          onOtherFormation(other);
      case Announce announce -> onAnnounce(announce);
      case Propose propose ->
          join.send(
              propose.from(),
              new Deny(
                  join.group(),
                  join.id(),
                  propose.proposal().token(),
                  Deny.Grounds.NOT_A_CANDIDATE,
                  proposal.epoch()));
      case Refused late -> join.acknowledge(late);
      case Commit again ->
          join.send(again.from(), new Committed(join.group(), join.id(), again.token()));
      case Committed committed -> uncommitted.remove(committed.from());
      case Part part -> sideChannel.onPart(part);
      case Pull pull -> sideChannel.onPull(pull);
      case Failed failed -> {
        join.acknowledge(failed);
        abort(causes.asSeenHere(failed.failure()));
      }
      case Left leaving -> onLeft(leaving);
      case Excluded excluded -> peers.onExcluded(excluded);
      case RemoteMessage.Probe stillTogether -> {}
      case RemoteMessage.AboutJoin late -> {}
      case RemoteMessage.Acknowledged late -> {}
    }
  }

  /** A table that this member had granted, and then left for this one. */
  private void onOtherFormation(RemoteMessage.AboutFormation message) {
    switch (message) {
      case Commit late ->
          join.send(late.from(), new Excluded(join.group(), join.id(), late.token()));
      case RemoteMessage.Notice notice -> join.acknowledge(notice);
      default -> {
        // Its proposer fails that formation for want of this member.
      }
    }
  }

  // --- the engine connects and works

  private Behavior<Command> onConnected(Group connected) {
    group = connected;
    join.timers().cancel(GroupActor.DeadlinePassed.INSTANCE);
    if (aborted != null || stopping) {
      // Told to end before it could report: it will say so. The application never gets this group,
      // so nobody else will close it.
      engine.close();
      return Behaviors.same();
    }
    long elapsedNanos = join.request().elapsedNanos();
    join.log()
        .info(
            "[{}] Ready: epoch [{}], rank [{}], after [{}]",
            join.group(),
            proposal.epoch(),
            rank,
            Durations.text(Duration.ofNanos(elapsedNanos)));
    join.emit(new GroupEvent.Ready(proposal.epoch(), elapsedNanos));
    join.request().succeed(connected);
    earlyLeavers.values().forEach(this::passOn);
    return Behaviors.same();
  }

  private Behavior<Command> onNotConnected(Throwable failure) {
    FormationException own =
        failure instanceof FormationException formation
            ? formation
            : new FormationException(Reason.FABRIC, causes.where() + ": " + failure, failure);
    GroupFailure cause = aborted != null ? aborted : causes.of(own);
    if (aborted == null) {
      join.request().fail(own);
    }
    return end(Optional.of(cause), 0);
  }

  private void onEngineReported(GroupEvent event) {
    if (event instanceof GroupEvent.LinksUp up) {
      join.log().info("[{}] Links up: [{}] over [{}]", join.group(), up.links(), up.description());
    } else if (event instanceof GroupEvent.SlowPeer slow) {
      join.log()
          .warn(
              "[{}] Slow: [{}] #[{}] has waited [{}] for {}",
              join.group(),
              slow.operation(),
              slow.sequence(),
              Durations.text(Duration.ofNanos(slow.waitedNanos())),
              slow.awaited());
    }
    join.emit(event);
  }

  private void onTick() {
    tellUncommitted();
    sideChannel.onTick();
  }

  private void tellUncommitted() {
    Commit commit = new Commit(join.group(), join.id(), proposal.token());
    uncommitted.forEach(peer -> join.send(peer, commit));
  }

  // --- the peers

  private void onAnnounce(Announce announce) {
    join.addresses().learn(announce.from(), announce.replyTo());
    if (proposal.rankOf(announce.from()).isPresent()) {
      peers.onAnnouncedAgain(announce.candidate());
    } else if (aborted == null && join.view().isUp(announce.from())) {
      join.send(
          announce.from(),
          new Refused(
              join.group(),
              join.id(),
              Tokens.next(),
              announce.candidate().attempt(),
              Reason.GROUP_FULL,
              "group [%s] has all its %d ranks (epoch %d): %s; choose another name or a larger size"
                  .formatted(
                      join.group(),
                      proposal.seats().size(),
                      proposal.epoch(),
                      proposal.members())));
    }
  }

  private void onLeft(Left leaving) {
    boolean again = peers.hasLeft(leaving.rank());
    peers.left(leaving.rank());
    if (group == null) {
      // Not acknowledged yet: the peer must stay, since this rank may need its metadata.
      earlyLeavers.put(leaving.rank(), leaving);
    } else if (again) {
      join.acknowledge(leaving);
    } else {
      passOn(leaving);
    }
  }

  private void passOn(Left leaving) {
    join.acknowledge(leaving);
    engine.peerLeft(leaving.rank(), leaving.completedCollectives());
  }

  // --- the end

  private void abort(GroupFailure cause) {
    if (aborted != null || ended) {
      return;
    }
    aborted = cause;
    join.log().info("[{}] Aborting: [{}]", join.group(), cause.kind());
    sideChannel.fail(causes.toException(cause, stopping));
    engine.abort(cause);
    join.timers().startSingleTimer(GroupActor.EngineOverdue.INSTANCE, ENGINE_GRACE);
  }

  private Behavior<Command> onEngineOverdue() {
    join.log().error("[{}] The engine does not end; going on without it", join.group());
    if (group == null) {
      // Should it connect after all, the application will not get that group.
      engine.close();
    }
    return end(Optional.of(aborted), 0);
  }

  private void onShutdown(boolean clusterExcludes) {
    stopping = true;
    if (clusterExcludes) {
      abort(causes.excluded("this member was downed"));
    } else if (group == null) {
      abort(causes.notFormed("this member stops"));
    } else {
      engine.close();
    }
  }

  private void onSupersede(JoinRequest second) {
    boolean ending = aborted != null || (group != null && group.health() != GroupHealth.READY);
    // While it ends, the guardian keeps the other one.
    if (!ending) {
      join.refuseSecond(second);
    }
  }

  private Behavior<Command> end(Optional<GroupFailure> failure, long completedCollectives) {
    ended = true;
    if (failure.isPresent()) {
      join.log().warn("[{}] Failed: [{}]", join.group(), failure.get().detail());
    } else {
      join.log().info("[{}] Closed: epoch [{}]", join.group(), proposal.epoch());
    }
    join.released();
    failure.ifPresent(cause -> join.request().fail(causes.toException(cause, stopping)));
    if (group != null) {
      join.emit(failure.<GroupEvent>map(GroupEvent.Failed::new).orElse(new GroupEvent.Closed()));
    }
    Farewell farewell = farewell(failure, completedCollectives);
    return failure.isPresent()
        ? Lingering.begin(join, farewell, stopping)
        : Lingering.begin(join, farewell, stopping, proposal.token(), sideChannel.exchange());
  }

  private Farewell farewell(Optional<GroupFailure> failure, long completedCollectives) {
    String notice = Tokens.next();
    RemoteMessage.Notice message =
        failure.isPresent()
            ? new Failed(join.group(), join.id(), proposal.token(), notice, failure.get())
            : new Left(
                join.group(), join.id(), proposal.token(), notice, rank, completedCollectives);
    Map<MemberId, RemoteMessage.Notice> messages = new HashMap<>();
    for (Seat seat : proposal.seats()) {
      boolean needsIt = seat.member().rank() != rank && !peers.hasLeft(seat.member().rank());
      if (needsIt && join.view().status(seat.id()).isPresent()) {
        messages.put(seat.id(), message);
      }
    }
    return Farewell.of(notice, messages);
  }

  private Behavior<Command> onStopped() {
    if (!ended) {
      GroupFailure cause = causes.excluded("its actor has stopped; see the log");
      sideChannel.fail(causes.toException(cause, stopping));
      engine.abort(cause);
      if (group == null) {
        engine.close();
      }
      join.request().fail(causes.toException(cause, stopping));
    }
    return Behaviors.same();
  }

  private static Behavior<Command> after(Runnable reaction) {
    reaction.run();
    return Behaviors.same();
  }
}
