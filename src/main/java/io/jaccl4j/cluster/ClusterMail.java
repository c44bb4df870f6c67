package io.jaccl4j.cluster;

import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Mail over cluster messages: to a peer's guardian by its well-known path, until its own reference
 * is known. Owned by one actor.
 */
final class ClusterMail implements Mail {

  private final ActorSystem<?> system;
  private final Map<MemberId, org.apache.pekko.actor.typed.ActorRef<RemoteMessage>> guardians =
      new HashMap<>();

  ClusterMail(ActorSystem<?> system) {
    this.system = system;
  }

  /** The reference that a peer has sent. */
  void learn(MemberId peer, org.apache.pekko.actor.typed.ActorRef<RemoteMessage> guardian) {
    guardians.put(peer, guardian);
  }

  @Override
  public void send(MemberId to, RemoteMessage message) {
    var guardian = guardians.get(to);
    if (guardian == null) {
      Adapter.toClassic(system)
          .actorSelection(to.address() + "/system/" + JacclGuardian.NAME)
          .tell(message, ActorRef.noSender());
    } else {
      guardian.tell(message);
    }
  }
}
