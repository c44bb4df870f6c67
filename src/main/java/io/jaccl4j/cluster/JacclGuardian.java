package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.cluster.RemoteMessage.AboutFormation;
import io.jaccl4j.cluster.RemoteMessage.AboutJoin;
import io.jaccl4j.cluster.RemoteMessage.Deny;
import io.jaccl4j.cluster.RemoteMessage.Excluded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * The one well-known actor of this library in an actor system, {@code /system/jaccl}: starts one
 * {@link GroupActor} per join, hands what peers send to the one that it is for, and answers for
 * those that are gone. Remembers the highest epoch of every group name.
 */
final class JacclGuardian {

  static final String NAME = "jaccl";

  /** A peer's message, or something local. */
  sealed interface Command permits RemoteMessage, Local {}

  /** Never leaves the process. */
  sealed interface Local extends Command, NoSerializationVerificationNeeded {}

  /** Someone called {@code join}. */
  record JoinGroup(JoinRequest request) implements Local {}

  /** Messages with this token are for this join. */
  record TokenKnown(String token, ActorRef<GroupActor.Command> join) implements Local {}

  /** A table was committed. */
  record EpochFormed(String group, long epoch) implements Local {}

  /**
   * A join was refused.
   *
   * @param candidates whom the refusal is about
   * @param remainingNanos how long the join would have gone on
   */
  record JoinRefused(String group, Refusal refusal, Set<MemberId> candidates, long remainingNanos)
      implements Local {}

  /** The group's name is free for another join. */
  record JoinEnded(String group, ActorRef<GroupActor.Command> join) implements Local {}

  /** A join's actor has stopped. */
  record ActorStopped(ActorRef<GroupActor.Command> join) implements Local {}

  /**
   * Close all groups and accept no others; answered when all have ended.
   *
   * @param excluded the cluster has excluded this member
   */
  record CloseAll(boolean excluded, ActorRef<Done> replyTo) implements Local {}

  private final ActorContext<Command> actor;
  private final GroupActor.Surroundings surroundings;
  private final Cluster cluster;
  private final MemberId self;
  private final Mail mail;

  /** All joins whose actor lives, with their group. */
  private final Map<ActorRef<GroupActor.Command>, String> joins = new HashMap<>();

  /** Per group the join that has not ended. */
  private final Map<String, ActorRef<GroupActor.Command>> current = new HashMap<>();

  /** Joins that wait for an earlier one of the same group, which may be ending. */
  private final Map<ActorRef<GroupActor.Command>, List<JoinRequest>> successors = new HashMap<>();

  private final Map<String, ActorRef<GroupActor.Command>> byToken = new HashMap<>();
  private final Map<String, Long> highestEpochs = new HashMap<>();
  private final Map<String, Long> refusals = new HashMap<>();
  private final Map<String, Verdict> verdicts = new HashMap<>();
  private long attempts;

  /** Not null once closing. */
  private ActorRef<Done> closed;

  private JacclGuardian(ActorContext<Command> actor, GroupActor.Surroundings surroundings) {
    this.actor = actor;
    this.surroundings = surroundings;
    this.cluster = Cluster.get(actor.getSystem());
    this.self = MemberId.of(cluster.selfMember().uniqueAddress());
    this.mail = surroundings.wire().apply(new ClusterMail(actor.getSystem()));
  }

  static Behavior<Command> create(GroupActor.Surroundings surroundings) {
    return Behaviors.setup(
        actor -> {
          JacclGuardian guardian = new JacclGuardian(actor, surroundings);
          return Behaviors.receive(Command.class).onAnyMessage(guardian::onCommand).build();
        });
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case JoinGroup join -> onJoin(join.request());
      case TokenKnown known -> byToken.put(known.token(), known.join());
      case EpochFormed formed -> highestEpochs.merge(formed.group(), formed.epoch(), Math::max);
      case JoinRefused refused -> onRefused(refused);
      case JoinEnded ended -> onEnded(ended.group(), ended.join());
      case ActorStopped stopped -> onActorStopped(stopped.join());
      case CloseAll close -> onCloseAll(close);
      case AboutJoin message -> onMessage(message);
      case AboutFormation message -> onMessage(message);
      case RemoteMessage.Acknowledged message ->
          joins.forEach(
              (join, group) -> {
                if (group.equals(message.group())) {
                  join.tell(new GroupActor.Received(message));
                }
              });
      case RemoteMessage.Notice notice -> acknowledge(notice);
    }
    return Behaviors.same();
  }

  private void onJoin(JoinRequest request) {
    if (closed != null) {
      request.fail(
          new FormationException(
              FormationException.Reason.STOPPED,
              "group [%s]: not joined, this actor system is shutting down"
                  .formatted(request.group())));
      return;
    }
    ActorRef<GroupActor.Command> earlier = current.get(request.group());
    if (earlier != null) {
      // It may be ending, or have ended without this actor knowing yet; it refuses if not.
      List<JoinRequest> waiting = successors.computeIfAbsent(earlier, key -> new ArrayList<>());
      // Those that were refused wait for nothing.
      waiting.removeIf(JoinRequest::isAnswered);
      waiting.add(request);
      earlier.tell(new GroupActor.Supersede(request));
      return;
    }
    long attempt = ++attempts;
    ActorRef<GroupActor.Command> join =
        actor.spawn(
            GroupActor.create(
                request,
                attempt,
                new GroupActor.Past(
                    highestEpochs.getOrDefault(request.group(), 0L),
                    refusals.getOrDefault(request.group(), 0L)),
                surroundings,
                actor.getSelf()),
            "%s-%d".formatted(request.group(), attempt),
            DispatcherSelector.sameAsParent());
    actor.watchWith(join, new ActorStopped(join));
    joins.put(join, request.group());
    current.put(request.group(), join);
  }

  private void onMessage(AboutJoin message) {
    ActorRef<GroupActor.Command> join = current.get(message.group());
    if (join != null) {
      join.tell(new GroupActor.Received(message));
      return;
    }
    switch (message) {
      case RemoteMessage.Refused refused -> acknowledge(refused);
      case RemoteMessage.Propose propose ->
          mail.send(
              propose.from(),
              new Deny(
                  propose.group(),
                  self,
                  propose.proposal().token(),
                  Deny.Grounds.NOT_A_CANDIDATE,
                  highestEpochs.getOrDefault(propose.group(), 0L)));
      case RemoteMessage.Announce early -> answerByVerdict(early);
      case RemoteMessage.Grant late -> {}
      case RemoteMessage.Deny late -> {}
      case RemoteMessage.Withdraw late -> {}
    }
  }

  private void onMessage(AboutFormation message) {
    ActorRef<GroupActor.Command> join = byToken.get(message.token());
    if (join != null) {
      join.tell(new GroupActor.Received(message));
      return;
    }
    switch (message) {
      case RemoteMessage.Failed failed -> acknowledge(failed);
      case RemoteMessage.Left left -> acknowledge(left);
      case RemoteMessage.Commit stale -> exclude(stale);
      case RemoteMessage.Part stale -> exclude(stale);
      case RemoteMessage.Pull stale -> exclude(stale);
      case RemoteMessage.Probe stale -> exclude(stale);
      case RemoteMessage.Committed late -> {}
      case RemoteMessage.Excluded late -> {}
    }
  }

  private void onRefused(JoinRefused refused) {
    refusals.merge(refused.group(), 1L, Long::sum);
    verdicts.put(
        refused.group(),
        new Verdict(
            refused.refusal(),
            refused.candidates(),
            surroundings.nanoClock().getAsLong() + refused.remainingNanos()));
  }

  private void answerByVerdict(RemoteMessage.Announce announce) {
    String group = announce.group();
    Verdict verdict = verdicts.get(group);
    Set<MemberId> up =
        StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
            .filter(member -> member.status().equals(MemberStatus.up()))
            .map(member -> MemberId.of(member.uniqueAddress()))
            .collect(Collectors.toUnmodifiableSet());
    if (verdict == null
        || !verdict.concerns(
            announce.candidate(), refusals.get(group), up, surroundings.nanoClock().getAsLong())) {
      return;
    }
    mail.send(
        announce.from(),
        new RemoteMessage.Refused(
            group,
            self,
            Tokens.next(),
            announce.candidate().attempt(),
            verdict.refusal().reason(),
            verdict.refusal().text()));
  }

  private void acknowledge(RemoteMessage.Notice notice) {
    mail.send(notice.from(), new RemoteMessage.Acknowledged(notice.group(), self, notice.notice()));
  }

  private void exclude(AboutFormation stale) {
    mail.send(stale.from(), new Excluded(stale.group(), self, stale.token()));
  }

  private void onEnded(String group, ActorRef<GroupActor.Command> join) {
    current.remove(group, join);
    List<JoinRequest> waiting = successors.remove(join);
    if (waiting != null) {
      waiting.stream().filter(request -> !request.isAnswered()).forEach(this::onJoin);
    }
  }

  private void onActorStopped(ActorRef<GroupActor.Command> join) {
    String group = joins.remove(join);
    onEnded(group, join);
    byToken.values().removeIf(join::equals);
    answerClosed();
  }

  private void onCloseAll(CloseAll close) {
    closed = close.replyTo();
    joins.keySet().forEach(join -> join.tell(new GroupActor.Shutdown(close.excluded())));
    answerClosed();
  }

  private void answerClosed() {
    if (closed != null && joins.isEmpty()) {
      closed.tell(Done.getInstance());
    }
  }
}
