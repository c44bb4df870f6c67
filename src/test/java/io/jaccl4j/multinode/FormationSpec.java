package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Group;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A late rank, two groups side by side, and barriers of the conductor around collectives. */
class FormationSpec extends NodeSpec {
  private static final NodeConfig NODES = new NodeConfig(3);
  private static final int ROUNDS = 5;

  FormationSpec() {
    super(NODES);
  }

  @Test
  void shouldFormWithALateMemberAndKeepGroupsApart() {
    startCluster(0, 1, 2);
    CompletableFuture<Group> early = is(2) ? null : join("late", 3);
    barrier("two are waiting");
    if (early != null) {
      assertThat(early).isNotDone();
    }
    try (Group late = get(early == null ? join("late", 3) : early)) {
      barrier("formed");
      for (int round = 1; round <= ROUNDS; round++) {
        assertThat(sum(late, round * (late.rank() + 1), 1000)).isEqualTo(round * 6);
        barrier("summed " + round);
      }
      try (Group side = get(join("side", 3))) {
        assertThat(side.members()).extracting("address").hasSize(3).doesNotHaveDuplicates();
        assertThat(sum(side, 100, 7)).isEqualTo(300);
        assertThat(sum(late, 1, 7)).isEqualTo(3);
        barrier("both summed");
      }
      assertThat(sum(late, 2, 70_000)).isEqualTo(6);
      barrier("summed beside a closed group");
    }
  }
}
