package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.Engine;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.typed.Cluster;
import org.slf4j.Logger;

/**
 * What all phases of one join share.
 *
 * @param self this member as it announces itself
 * @param addresses where peers' references are learned
 * @param mail how peers are reached
 * @param view the cluster as this member sees it, kept up to date by every phase
 */
record JoinContext(
    ActorContext<GroupActor.Command> actor,
    TimerScheduler<GroupActor.Command> timers,
    JoinRequest request,
    Candidate self,
    ActorRef<JacclGuardian.Command> guardian,
    Engine.Factory engines,
    ClusterMail addresses,
    Mail mail,
    ClusterView view,
    Cluster cluster) {

  String group() {
    return request.group();
  }

  GroupSettings settings() {
    return request.settings();
  }

  MemberId id() {
    return self.id();
  }

  Logger log() {
    return actor.getLog();
  }

  void emit(GroupEvent event) {
    request.emit(event);
  }

  void send(MemberId to, RemoteMessage message) {
    mail.send(to, message);
  }

  void acknowledge(RemoteMessage.Notice notice) {
    send(notice.from(), new RemoteMessage.Acknowledged(group(), id(), notice.notice()));
  }

  /** Messages about this formation are for this join. */
  void expect(Proposal proposal) {
    guardian.tell(new JacclGuardian.TokenKnown(proposal.token(), actor.getSelf()));
  }

  List<MemberId> peersOf(Proposal proposal) {
    return proposal.ids().stream().filter(member -> !member.equals(id())).toList();
  }

  /** From here on the group's name is free for another join of this member. */
  void released() {
    guardian.tell(new JacclGuardian.JoinEnded(group(), actor.getSelf()));
  }

  /** A join was asked for while this one goes on. */
  void refuseSecond(JoinRequest second) {
    second.fail(
        new FormationException(
            FormationException.Reason.GROUP_FULL,
            ("group [%s]: this member (%s) has joined it already;"
                    + " close that group first, or choose another name")
                .formatted(group(), id())));
  }
}
