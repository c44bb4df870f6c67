package io.jaccl4j.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cluster.Membership;
import io.jaccl4j.cluster.Membership.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document of {@code /jaccl/group}, and what readiness makes of the same knowledge. */
class GroupJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static Membership of(Stage stage) {
    return new Membership(
        "g",
        2,
        stage,
        List.of("pekko://a"),
        5,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        true);
  }

  private static void assertRendered(Membership membership, String want) throws IOException {
    byte[] json = GroupJson.render("pekko://a", List.of(membership));
    assertThat(MAPPER.readTree(json)).isEqualTo(MAPPER.readTree(want));
  }

  @Test
  void shouldRenderAGroupThatForms() throws IOException {
    assertRendered(
        of(Stage.FORMING),
        """
        {"member": "pekko://a", "groups": [{
          "name": "g", "stage": "FORMING", "size": 2, "formationNanos": 5,
          "candidates": ["pekko://a"], "epoch": null, "rank": null, "members": [],
          "links": null, "counters": null, "engineAlive": true, "failure": null}]}
        """);
  }

  @Test
  void shouldRenderAGroupThatHasFailed() throws IOException {
    List<GroupMember> members =
        List.of(
            new GroupMember(0, "pekko://a", 4_000_000_000_000L, "host-a"),
            new GroupMember(1, "pekko://b", 7, "host-\"b\""));
    assertRendered(
        new Membership(
            "g",
            2,
            Stage.FAILED,
            List.of(),
            5,
            Optional.of(new GroupEvent.RanksAssigned(3, 1, members)),
            Optional.of(new GroupEvent.LinksUp("shm", 1, "one file")),
            Optional.of(new GroupCounters(1, 2, 3, 4, 5)),
            Optional.of(new GroupFailure(GroupFailure.Kind.PEER_LOST, 0, "pekko://a", 1, "lost")),
            false),
        """
        {"member": "pekko://a", "groups": [{
          "name": "g", "stage": "FAILED", "size": 2, "formationNanos": 5,
          "candidates": [], "epoch": 3, "rank": 1, "members": [
            {"rank": 0, "address": "pekko://a", "incarnation": 4000000000000, "host": "host-a"},
            {"rank": 1, "address": "pekko://b", "incarnation": 7, "host": "host-\\"b\\""}],
          "links": {"fabric": "shm", "count": 1, "description": "one file"},
          "counters": {"operations": 1, "messagesSent": 2, "bytesSent": 3,
            "messagesReceived": 4, "bytesReceived": 5},
          "engineAlive": false,
          "failure": {"kind": "PEER_LOST", "rank": 0, "address": "pekko://a", "reportedBy": 1,
            "detail": "lost"}}]}
        """);
  }

  @Test
  void shouldRenderAMemberOfNoGroup() throws IOException {
    assertThat(MAPPER.readTree(GroupJson.render("pekko://a", List.of())))
        .isEqualTo(MAPPER.readTree("{\"member\": \"pekko://a\", \"groups\": []}"));
  }

  @ParameterizedTest
  @CsvSource({
    "FORMING, false",
    "READY, true",
    "FAILED, false",
    "CLOSED, false",
    "NOT_FORMED, false",
  })
  void shouldBeReadyWithOneGroupOnlyWhenThatIsReady(Stage stage, boolean ready) {
    assertThat(GroupReadiness.isReady(List.of(of(stage)))).isEqualTo(ready);
  }

  @ParameterizedTest
  @CsvSource({
    "FORMING, false",
    "READY, true",
    "FAILED, false",
    "CLOSED, true",
    "NOT_FORMED, false",
  })
  void shouldBeReadyWithSeveralGroupsWhenNoneOfThemIsWrong(Stage other, boolean ready) {
    assertThat(GroupReadiness.isReady(List.of(of(Stage.READY), of(other)))).isEqualTo(ready);
  }

  @Test
  void shouldNotBeReadyWithoutAGroup() {
    assertThat(GroupReadiness.isReady(List.of())).isFalse();
  }
}
