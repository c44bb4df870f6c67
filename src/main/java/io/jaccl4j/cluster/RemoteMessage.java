package io.jaccl4j.cluster;

import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What leaves this process: messages between the guardians of two members, as Jackson CBOR. Any of
 * them may be lost, doubled or overtaken.
 */
sealed interface RemoteMessage extends JacclGuardian.Command {

  /** The group that it is about. */
  String group();

  /** Who sent it. */
  MemberId from();

  /** About a join that has no formation yet; for whoever joins the group now. */
  sealed interface AboutJoin extends RemoteMessage {}

  /** About one formation. */
  sealed interface AboutFormation extends RemoteMessage {
    String token();
  }

  /** Something that is repeated until it is {@link Acknowledged}. */
  sealed interface Notice extends RemoteMessage {
    String notice();
  }

  // --- finding each other and agreeing

  /** I want a rank. Repeated until the group is formed. */
  record Announce(String group, Candidate candidate, ActorRef<RemoteMessage> replyTo)
      implements AboutJoin {
    @Override
    public MemberId from() {
      return candidate.id();
    }
  }

  /**
   * Your join must fail with these words.
   *
   * @param attempt the receiver's join that is meant
   */
  record Refused(
      String group, MemberId from, String notice, long attempt, Reason reason, String text)
      implements AboutJoin, Notice {}

  /** Do you agree to this table? Repeated until granted or withdrawn. */
  record Propose(String group, MemberId from, Proposal proposal) implements AboutJoin {}

  /** I agree, and to no other until this one is withdrawn, committed or overdue. */
  record Grant(String group, MemberId from, String token) implements AboutJoin {}

  /**
   * I do not agree.
   *
   * @param highestEpoch the highest epoch that the sender took part in
   */
  record Deny(String group, MemberId from, String token, Grounds grounds, long highestEpoch)
      implements AboutJoin {

    enum Grounds {
      /**
       * Another proposal is granted or under way, or one of its members is not up in the sender's
       * view of the cluster; ask again.
       */
      BUSY,
      /** That join has ended. */
      NOT_A_CANDIDATE,
      /** The epoch is not above the highest that this member took part in. */
      STALE_EPOCH
    }
  }

  /** Forget that proposal. */
  record Withdraw(String group, MemberId from, String token) implements AboutJoin {}

  /** All have granted: this is the group. Repeated until answered. */
  record Commit(String group, MemberId from, String token) implements AboutFormation {}

  /** Commit has arrived. */
  record Committed(String group, MemberId from, String token) implements AboutFormation {}

  // --- metadata exchange

  /**
   * A piece of one rank's contribution to one round.
   *
   * @param index which piece; it begins at {@code index * partBytes}
   * @param totalBytes length of the whole contribution
   * @param partBytes length of every piece but the last
   */
  record Part(
      String group,
      MemberId from,
      String token,
      int rank,
      int round,
      int index,
      int totalBytes,
      int partBytes,
      byte[] payload)
      implements AboutFormation {}

  /**
   * I lack pieces of your contribution to this round.
   *
   * @param rank who asks
   * @param indexes which pieces; empty if nothing has arrived yet
   */
  record Pull(String group, MemberId from, String token, int rank, int round, List<Integer> indexes)
      implements AboutFormation {}

  // --- life and end of a formed group

  /** Am I still part of this? Answered by {@link Excluded} if not, otherwise not at all. */
  record Probe(String group, MemberId from, String token) implements AboutFormation {}

  /** That formation is over here. */
  record Excluded(String group, MemberId from, String token) implements AboutFormation {}

  /** The group failed; the first cause. */
  record Failed(String group, MemberId from, String token, String notice, GroupFailure failure)
      implements AboutFormation, Notice {}

  /** This rank has closed the group in good order. */
  record Left(
      String group, MemberId from, String token, String notice, int rank, long completedCollectives)
      implements AboutFormation, Notice {}

  /** A notice has arrived. */
  record Acknowledged(String group, MemberId from, String notice) implements RemoteMessage {}
}
