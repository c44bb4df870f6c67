package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupMember;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RankBoardTest {
  private static final List<GroupMember> MEMBERS =
      List.of(new GroupMember(0, "b", 1, "host"), new GroupMember(1, "a", 1, "host"));

  private final RankBoard board = new RankBoard(List.of(new RankState(10), new RankState(11)));

  @BeforeEach
  void listen() {
    board.process(0).apply(new RankMessage.Listening("a"), 5);
    board.process(1).apply(new RankMessage.Listening("b"), 7);
  }

  @Test
  void shouldKnowWhatAllHaveReachedAndWhen() {
    assertThat(board.haveAllReached(Milestone.LISTENING)).isTrue();
    assertThat(board.reachedByAllNanos(Milestone.LISTENING)).isEqualTo(7);
    board.process(1).apply(new RankMessage.MemberUp(), 9);
    board.process(1).apply(new RankMessage.MemberUp(), 12);
    assertThat(board.haveAllReached(Milestone.MEMBER_UP)).isFalse();
    assertThat(board.countReached(Milestone.MEMBER_UP)).isEqualTo(1);
    assertThat(board.missing(Milestone.MEMBER_UP)).isEqualTo("joining the cluster: process 0");
    board.process(0).apply(new RankMessage.MemberUp(), 8);
    assertThat(board.reachedByAllNanos(Milestone.MEMBER_UP)).isEqualTo(9);
  }

  @Test
  void shouldGroupWhoIsMissingByWhatTheyDo() {
    assertThat(board.missing(Milestone.RANKED)).isEqualTo("joining the cluster: process 0 1");
    board.process(1).apply(new RankMessage.MemberUp(), 9);
    assertThat(board.missing(Milestone.RANKED))
        .isEqualTo("joining the cluster: process 0, waiting for ranks: process 1");
  }

  @Test
  void shouldOrderProcessesByRank() {
    assign(0, 1, 1, MEMBERS);
    assign(1, 1, 0, MEMBERS);
    assertThat(board.disagreement()).isEmpty();
    assertThat(board.byRank()).extracting(RankState::pid).containsExactly(11L, 10L);
  }

  @Test
  void shouldFindDifferentEpochs() {
    assign(0, 1, 1, MEMBERS);
    assign(1, 2, 0, MEMBERS);
    assertThat(board.disagreement().orElseThrow()).contains("process 0", "epoch 1", "epoch 2");
  }

  @Test
  void shouldFindDifferentMembers() {
    assign(0, 1, 1, MEMBERS);
    assign(1, 1, 0, MEMBERS.reversed());
    assertThat(board.disagreement().orElseThrow()).contains("process 1 has");
  }

  @Test
  void shouldFindARankThatTheTableGivesToSomebodyElse() {
    assign(0, 1, 1, MEMBERS);
    assign(1, 1, 1, MEMBERS);
    assertThat(board.disagreement().orElseThrow())
        .isEqualTo("process 1 at b has rank 1, where the table lists a");
    assign(1, 1, 2, MEMBERS);
    assertThat(board.disagreement().orElseThrow()).endsWith("the table lists nobody");
  }

  private void assign(int process, long epoch, int rank, List<GroupMember> members) {
    board
        .process(process)
        .apply(new RankMessage.Event(new GroupEvent.RanksAssigned(epoch, rank, members)), 20);
  }
}
