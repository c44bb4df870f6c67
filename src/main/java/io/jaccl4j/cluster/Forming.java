package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.cluster.GroupActor.Command;
import io.jaccl4j.cluster.RemoteMessage.Announce;
import io.jaccl4j.cluster.RemoteMessage.Commit;
import io.jaccl4j.cluster.RemoteMessage.Deny;
import io.jaccl4j.cluster.RemoteMessage.Grant;
import io.jaccl4j.cluster.RemoteMessage.Propose;
import io.jaccl4j.cluster.RemoteMessage.Refused;
import io.jaccl4j.cluster.RemoteMessage.Withdraw;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;

/**
 * The first phase of a join: announce, watch who else is there, and agree.
 *
 * <p>Every candidate announces itself to every member on every tick. The oldest candidate proposes
 * a table once enough are there ({@link Proposer}), and commits it when all of them have granted it
 * ({@link Voter}). While a proposal is granted or under way, conflicts with further candidates are
 * not looked at: they must not harm a group that may be formed already.
 */
final class Forming {

  private static final Duration GATHERING_REPORT_INTERVAL = Duration.ofSeconds(1);

  private final JoinContext join;
  private final int size;
  private final Candidates candidates = new Candidates();
  private final long ticksPerReport;

  private final Proposer proposer;
  private final Voter voter;
  private long tick;
  private List<Candidate> reported = List.of();

  private Forming(JoinContext join) {
    this.join = join;
    this.size = join.settings().size();
    this.proposer = new Proposer(join, candidates);
    this.voter = new Voter(join, proposer);
    this.ticksPerReport =
        Math.max(
            1, GATHERING_REPORT_INTERVAL.dividedBy(join.settings().sideChannel().resendInterval()));
  }

  /** The behavior of a join from its beginning. */
  static Behavior<Command> begin(JoinContext join) {
    join.log()
        .info(
            "[{}] Joining: this member is [{}], ranks [{}], role [{}], timeout [{}]",
            join.group(),
            join.id(),
            join.settings().size(),
            join.settings().role(),
            Durations.text(join.settings().formationTimeout()));
    join.timers()
        .startSingleTimer(
            GroupActor.DeadlinePassed.INSTANCE,
            Duration.ofNanos(Math.max(1, join.request().remainingNanos())));
    join.actor().getSelf().tell(GroupActor.Tick.INSTANCE);
    Forming forming = new Forming(join);
    return Behaviors.receive(Command.class)
        .onAnyMessage(forming::onCommand)
        .onSignal(PostStop.class, stop -> forming.onStopped())
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case GroupActor.Tick t -> onTick();
      case GroupActor.DeadlinePassed d -> onDeadline();
      case GroupActor.Received r -> onMessage(r.message());
      case GroupActor.MemberChanged m -> onMemberChanged(m.event());
      case GroupActor.ReachabilityChanged r -> after(() -> join.view().apply(r.event()));
      case GroupActor.Supersede s -> after(() -> join.refuseSecond(s.second()));
      case GroupActor.Shutdown s -> stopped("this member stops");
      case GroupActor.UnreachableTooLong u -> Behaviors.unhandled();
      case GroupActor.Contribute c -> Behaviors.unhandled();
      case GroupActor.RoundOverdue r -> Behaviors.unhandled();
      case GroupActor.Connected c -> Behaviors.unhandled();
      case GroupActor.EngineReported e -> Behaviors.unhandled();
      case GroupActor.EngineEnded e -> Behaviors.unhandled();
      case GroupActor.EngineOverdue e -> Behaviors.unhandled();
    };
  }

  private Behavior<Command> onMessage(RemoteMessage message) {
    return switch (message) {
      case Announce announce -> onAnnounce(announce);
      case Refused refused -> onRefused(refused);
      case Grant grant -> orConsider(proposer.onGrant(grant));
      case Commit commit -> orConsider(voter.onCommit(commit));
      case Deny deny -> {
        proposer.onDeny(deny);
        yield consider();
      }
      case Propose propose -> after(() -> voter.onPropose(propose, tick));
      case Withdraw withdraw -> {
        voter.onWithdrawn(withdraw.token());
        yield consider();
      }
      case RemoteMessage.Failed failed -> {
        // The proposer has committed, and failed before its commit arrived here.
        join.acknowledge(failed);
        voter.onWithdrawn(failed.token());
        yield consider();
      }
      case RemoteMessage.Left left -> after(() -> join.acknowledge(left));
      case RemoteMessage.AboutFormation early -> Behaviors.same();
      case RemoteMessage.Acknowledged late -> Behaviors.same();
    };
  }

  // --- gathering

  private Behavior<Command> onTick() {
    tick++;
    candidates.announced(join.self(), tick);
    candidates.dropSilent(tick);
    Announce announce =
        new Announce(join.group(), join.self(), join.guardian().<RemoteMessage>narrow());
    join.view().up().stream()
        .filter(member -> !member.equals(join.id()))
        .forEach(member -> join.send(member, announce));
    proposer.onTick();
    voter.onTick(tick);
    return consider();
  }

  private Behavior<Command> onAnnounce(Announce announce) {
    join.addresses().learn(announce.from(), announce.replyTo());
    return candidates.announced(announce.candidate(), tick) ? consider() : Behaviors.same();
  }

  private Behavior<Command> onMemberChanged(MemberEvent event) {
    MemberId member = MemberId.of(event.member().uniqueAddress());
    join.view().apply(event);
    if (!Departures.isDeparted(event)) {
      return consider();
    }
    if (member.equals(join.id())) {
      return stopped("this member leaves the cluster (" + event.member().status() + ")");
    }
    candidates.drop(member);
    voter.onDeparted(member);
    if (proposer.includes(member)) {
      proposer.withdraw();
    }
    return consider();
  }

  /** Decides what can be decided from what is known now. */
  private Behavior<Command> consider() {
    List<Candidate> present = present();
    report(present);
    if (proposer.busy() || voter.bound()) {
      return Behaviors.same();
    }
    Optional<Refusal> conflict = Conflicts.among(join.group(), present, size);
    if (conflict.isPresent()) {
      return refuse(present, conflict.get());
    }
    if (present.size() < size || !present.getFirst().id().equals(join.id())) {
      return Behaviors.same();
    }
    List<Candidate> chosen = present.subList(0, size);
    return switch (FabricChoice.choose(join.group(), join.settings().fabric(), chosen)) {
      case FabricChoice.Outcome.Impossible impossible -> refuse(chosen, impossible.refusal());
      case FabricChoice.Outcome.Chosen fabric ->
          proposer.open(chosen, fabric.fabric()).map(this::serve).orElse(Behaviors.same());
    };
  }

  private Behavior<Command> orConsider(Optional<Proposal> committed) {
    return committed.map(this::serve).orElseGet(this::consider);
  }

  /** The table stands. Whoever has proposed it sees to it that the others learn. */
  private Behavior<Command> serve(Proposal proposal) {
    return Serving.begin(join, proposal, proposer.busy() ? join.peersOf(proposal) : List.of());
  }

  private List<Candidate> present() {
    // A group of one needs nobody, not even the cluster.
    return size == 1 ? List.of(join.self()) : candidates.present(join.view());
  }

  private void report(List<Candidate> present) {
    if (!present.equals(reported) || tick % ticksPerReport == 0) {
      reported = present;
      join.emit(
          new GroupEvent.Gathering(
              present.stream().map(candidate -> candidate.id().address()).toList(),
              size,
              join.request().elapsedNanos()));
    }
  }

  // --- ending without a group

  /** Tells everyone before failing itself, so that all ranks fail with the same words. */
  private Behavior<Command> refuse(List<Candidate> refused, Refusal refusal) {
    String notice = Tokens.next();
    Map<MemberId, RemoteMessage.Notice> messages = new HashMap<>();
    for (Candidate candidate : refused) {
      if (!candidate.id().equals(join.id())) {
        messages.put(
            candidate.id(),
            new Refused(
                join.group(),
                join.id(),
                notice,
                candidate.attempt(),
                refusal.reason(),
                refusal.text()));
      }
    }
    return failRefused(refusal, Farewell.of(notice, messages));
  }

  private Behavior<Command> onRefused(Refused refused) {
    join.acknowledge(refused);
    // An outsider cannot know what is being agreed here. A member of the table can refuse only if
    // it has not granted, so nothing is committed.
    boolean bystander =
        (proposer.busy() && !proposer.includes(refused.from()))
            || voter.boundWithout(refused.from());
    if (refused.attempt() != join.self().attempt() || bystander) {
      return Behaviors.same();
    }
    return failRefused(new Refusal(refused.reason(), refused.text()), Farewell.none());
  }

  /** Members that join a little later would wait for candidates that have given up. */
  private Behavior<Command> failRefused(Refusal refusal, Farewell farewell) {
    if (refusal.reason() != Reason.GROUP_FULL) {
      Set<MemberId> about =
          present().stream().map(Candidate::id).collect(Collectors.toUnmodifiableSet());
      join.guardian()
          .tell(
              new JacclGuardian.JoinRefused(
                  join.group(), refusal, about, join.request().remainingNanos()));
    }
    return fail(refusal.toException(), farewell);
  }

  private Behavior<Command> onDeadline() {
    List<Candidate> present = present();
    List<MemberId> silentMembers =
        join.view().up().stream()
            .filter(member -> candidates.find(member).isEmpty())
            .sorted((a, b) -> a.address().compareTo(b.address()))
            .toList();
    List<MemberId> awaited =
        Stream.concat(proposer.silent().stream(), voter.awaited().stream()).toList();
    String text =
        FormationReport.timeout(
            join.request(), present, silentMembers, join.view().notUp(), awaited);
    return fail(new FormationException(Reason.TIMEOUT, text), Farewell.none());
  }

  private Behavior<Command> stopped(String why) {
    return fail(
        new FormationException(
            Reason.STOPPED, "group [%s]: not formed, %s".formatted(join.group(), why)),
        Farewell.none());
  }

  private Behavior<Command> fail(FormationException failure, Farewell farewell) {
    proposer.withdraw();
    join.log().warn("[{}] Not formed: [{}]", join.group(), failure.getMessage());
    join.released();
    join.request().fail(failure);
    return Lingering.begin(join, farewell, false);
  }

  private Behavior<Command> onStopped() {
    join.request()
        .fail(
            new FormationException(
                Reason.STOPPED,
                "group [%s]: not formed, its actor has stopped; see the log"
                    .formatted(join.group())));
    return Behaviors.same();
  }

  private static Behavior<Command> after(Runnable reaction) {
    reaction.run();
    return Behaviors.same();
  }
}
