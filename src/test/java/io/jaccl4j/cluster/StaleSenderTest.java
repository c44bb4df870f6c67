package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cluster.RemoteMessage.AboutFormation;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Members that speak of a formation which is over, or was never theirs. */
class StaleSenderTest {

  private static final List<RemoteMessage> SENT = new CopyOnWriteArrayList<>();

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    Options recorded =
        Options.none()
            .wire(
                mail ->
                    (to, message) -> {
                      SENT.add(message);
                      mail.send(to, message);
                    });
    cluster = TestCluster.of(recorded, recorded);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Test
  void shouldTellSenderOfUnknownFormationThatItIsExcluded() {
    MemberId sender = id(cluster.node(0));
    deliver(cluster.node(1), new RemoteMessage.Probe("gone", sender, "unknown token"));

    awaitSent(new RemoteMessage.Excluded("gone", id(cluster.node(1)), "unknown token"));
  }

  @Test
  void shouldFailGroupOfRankThatLearnsItIsExcluded() {
    List<Joined> joined = cluster.joinAll(2, "slept");
    joined.forEach(Joined::group);

    deliver(
        cluster.node(0), new RemoteMessage.Excluded("slept", id(cluster.node(1)), token("slept")));

    Joined awake = joined.getFirst();
    await().atMost(TestCluster.PATIENCE).until(() -> awake.engine().ended());
    GroupFailure failure = awake.engine().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.EXCLUDED);
    assertThat(failure.detail()).contains("rank 1", cluster.node(1).address());
  }

  @Test
  void shouldExcludeRankThatOthersReportAsLost() {
    List<Joined> joined = cluster.joinAll(2, "reported");
    joined.forEach(Joined::group);
    GroupFailure cause =
        new GroupFailure(
            GroupFailure.Kind.PEER_LOST, 1, cluster.node(1).address(), 0, "rank 1 is silent");

    joined.getFirst().engine().abort(cause);

    Joined lost = joined.get(1);
    await().atMost(TestCluster.PATIENCE).until(() -> lost.engine().ended());
    GroupFailure failure = lost.engine().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.EXCLUDED);
    assertThat(failure.detail()).contains("rank 1 is silent");
  }

  @Test
  void shouldDenyProposalThatIsNotForThisJoin() {
    MemberId proposer = id(cluster.node(0));
    Proposal proposal = new Proposal("foreign", 1, "fake", List.of());
    deliver(cluster.node(1), new RemoteMessage.Propose("nobody", proposer, proposal));

    awaitSent(
        new RemoteMessage.Deny(
            "nobody",
            id(cluster.node(1)),
            "foreign",
            RemoteMessage.Deny.Grounds.NOT_A_CANDIDATE,
            0));
  }

  @Test
  void shouldTellLateJoinerOfRefusalItHasMissed() {
    Node first = cluster.node(0);
    MemberId absent = new MemberId("pekko://test@127.0.0.1:1", 1);
    Joined refused = first.join("verdict", 2);
    long attempt = attemptOf("verdict");
    deliver(
        first,
        new RemoteMessage.Refused(
            "verdict",
            absent,
            "notice",
            attempt,
            FormationException.Reason.SETTINGS_DIFFER,
            "two members differ"));
    assertThat(refused.failure()).hasMessage("two members differ");

    assertThat(cluster.node(1).join("verdict", 2).failure()).hasMessage("two members differ");

    assertThat(cluster.joinAll(2, "verdict")).allMatch(each -> each.group().size() == 2);
  }

  @Test
  void shouldNotGrantTableWithMemberThatIsNotUpHere() {
    Node voter = cluster.node(1);
    MemberId proposer = id(cluster.node(0));
    MemberId unseen = new MemberId("pekko://test@127.0.0.1:1", 1);
    voter.join("gossip", 3);
    long attempt = attemptOf("gossip");
    List<Seat> seats =
        List.of(seat(0, proposer, 1), seat(1, id(voter), attempt), seat(2, unseen, 1));

    deliver(
        voter,
        new RemoteMessage.Propose("gossip", proposer, new Proposal("early", 1, "fake", seats)));

    awaitSent(
        new RemoteMessage.Deny("gossip", id(voter), "early", RemoteMessage.Deny.Grounds.BUSY, 0));

    deliver(
        voter,
        new RemoteMessage.Propose(
            "gossip", proposer, new Proposal("seen", 1, "fake", seats.subList(0, 2))));

    awaitSent(new RemoteMessage.Grant("gossip", id(voter), "seen"));
    assertThat(SENT).doesNotContain(new RemoteMessage.Grant("gossip", id(voter), "early"));
  }

  private static Seat seat(int rank, MemberId id, long attempt) {
    return new Seat(new GroupMember(rank, id.address(), id.uid(), "host"), attempt);
  }

  private static long attemptOf(String group) {
    return await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () ->
                SENT.stream()
                    .filter(m -> isAnnounceOf(m, group))
                    .map(m -> ((RemoteMessage.Announce) m).candidate().attempt())
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean isAnnounceOf(RemoteMessage message, String group) {
    return message instanceof RemoteMessage.Announce && message.group().equals(group);
  }

  private static void awaitSent(RemoteMessage expected) {
    await().atMost(TestCluster.PATIENCE).untilAsserted(() -> assertThat(SENT).contains(expected));
  }

  private static String token(String group) {
    return SENT.stream()
        .filter(message -> message.group().equals(group))
        .filter(AboutFormation.class::isInstance)
        .map(message -> ((AboutFormation) message).token())
        .findFirst()
        .orElseThrow();
  }

  private static MemberId id(Node node) {
    return MemberId.of(node.cluster().selfMember().uniqueAddress());
  }

  private static void deliver(Node to, RemoteMessage message) {
    new ClusterMail(cluster.node(0).system()).send(id(to), message);
  }
}
