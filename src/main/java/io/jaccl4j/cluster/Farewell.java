package io.jaccl4j.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * The last word of a join to its peers, repeated to each until that one has acknowledged it.
 *
 * <p>Owned by the group's actor.
 */
final class Farewell {

  private final String notice;
  private final Map<MemberId, RemoteMessage.Notice> unanswered;

  private Farewell(String notice, Map<MemberId, RemoteMessage.Notice> unanswered) {
    this.notice = notice;
    this.unanswered = unanswered;
  }

  /** Nothing to say to anyone. */
  static Farewell none() {
    return new Farewell("", new HashMap<>());
  }

  /**
   * One message per peer.
   *
   * @param notice the id that all of the messages carry
   */
  static Farewell of(String notice, Map<MemberId, RemoteMessage.Notice> messages) {
    return new Farewell(notice, new HashMap<>(messages));
  }

  void send(Mail mail) {
    unanswered.forEach(mail::send);
  }

  void acknowledged(RemoteMessage.Acknowledged answer) {
    if (answer.notice().equals(notice)) {
      unanswered.remove(answer.from());
    }
  }

  /** A peer is gone for good. */
  void forget(MemberId peer) {
    unanswered.remove(peer);
  }

  boolean complete() {
    return unanswered.isEmpty();
  }
}
