package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cluster.RemoteMessage.Deny.Grounds;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.apache.pekko.serialization.jackson.JacksonCborSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that leaves the process is Jackson CBOR. */
class RemoteMessageTest {

  private static final String GROUP = "group";
  private static final MemberId FROM = new MemberId("pekko://test@127.0.0.1:25520", -7L << 40);
  private static final String TOKEN = "0123456789abcdef";

  private static ActorTestKit testKit;

  @BeforeAll
  static void startSystem() {
    testKit = ActorTestKit.create("serialization", TestCluster.config());
  }

  @AfterAll
  static void stopSystem() {
    testKit.shutdownTestKit();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldRoundTripAsCbor(RemoteMessage message) {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(testKit.system()));
    SerializerWithStringManifest serializer =
        (SerializerWithStringManifest) serialization.findSerializerFor(message);
    assertThat(serializer).isInstanceOf(JacksonCborSerializer.class);

    byte[] bytes = serialization.serialize(message).get();
    Object back =
        serialization
            .deserialize(bytes, serializer.identifier(), serializer.manifest(message))
            .get();

    assertThat(back).usingRecursiveComparison().isEqualTo(message);
  }

  /** So that two versions understand each other well enough to refuse each other by name. */
  @ParameterizedTest
  @MethodSource("messages")
  void shouldReadWhatANewerVersionHasAddedTo(RemoteMessage message) throws IOException {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(testKit.system()));
    SerializerWithStringManifest serializer =
        (SerializerWithStringManifest) serialization.findSerializerFor(message);
    ObjectMapper cbor = new ObjectMapper(new CBORFactory());
    ObjectNode newer = (ObjectNode) cbor.readTree(serialization.serialize(message).get());
    newer.put("added", "later").putObject("section").put("number", 1);

    Object back =
        serialization
            .deserialize(
                cbor.writeValueAsBytes(newer),
                serializer.identifier(),
                serializer.manifest(message))
            .get();

    assertThat(back).usingRecursiveComparison().isEqualTo(message);
  }

  @Test
  void shouldTestEveryMessage() {
    List<Class<?>> tested = messages().<Class<?>>map(Object::getClass).toList();

    assertThat(tested)
        .containsExactlyInAnyOrderElementsOf(leaves(RemoteMessage.class).distinct().toList());
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(RemoteMessageTest::leaves)
        : Stream.of(type);
  }

  static Stream<RemoteMessage> messages() {
    GroupFailure failure =
        new GroupFailure(GroupFailure.Kind.PEER_LOST, 3, "pekko://x@h:1", 1, "rank 3 is gone");
    Seat seat = new Seat(new GroupMember(0, FROM.address(), FROM.uid(), "host"), 4);
    return Stream.of(
        new RemoteMessage.Announce(GROUP, candidate(), replyTo()),
        new RemoteMessage.Refused(GROUP, FROM, "notice", 2, Reason.RANK_CONFLICT, "twice"),
        new RemoteMessage.Propose(GROUP, FROM, new Proposal(TOKEN, 5, "shm", List.of(seat))),
        new RemoteMessage.Grant(GROUP, FROM, TOKEN),
        new RemoteMessage.Deny(GROUP, FROM, TOKEN, Grounds.STALE_EPOCH, 9),
        new RemoteMessage.Withdraw(GROUP, FROM, TOKEN),
        new RemoteMessage.Commit(GROUP, FROM, TOKEN),
        new RemoteMessage.Committed(GROUP, FROM, TOKEN),
        new RemoteMessage.Part(GROUP, FROM, TOKEN, 1, 2, 3, 70, 20, new byte[] {1, -1, 0}),
        new RemoteMessage.Pull(GROUP, FROM, TOKEN, 1, 2, List.of(0, 3, 7)),
        new RemoteMessage.Probe(GROUP, FROM, TOKEN),
        new RemoteMessage.Excluded(GROUP, FROM, TOKEN),
        new RemoteMessage.Failed(GROUP, FROM, TOKEN, "notice", failure),
        new RemoteMessage.Left(GROUP, FROM, TOKEN, "notice", 1, 1L << 40),
        new RemoteMessage.Acknowledged(GROUP, FROM, "notice"));
  }

  private static Candidate candidate() {
    TreeMap<String, String> mustMatch = new TreeMap<>();
    mustMatch.put("jaccl4j.fabric", "auto");
    return new Candidate(
        FROM,
        3,
        "host",
        List.of(new FabricOffer("shm", "this host", ""), new FabricOffer("verbs", "", "no card")),
        OptionalInt.of(2),
        mustMatch,
        8,
        1);
  }

  private static ActorRef<RemoteMessage> replyTo() {
    return testKit.<RemoteMessage>createTestProbe().ref();
  }
}
