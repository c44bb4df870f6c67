package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that never returns from a call: the group ends, and everyone who waits is told. */
@Timeout(60)
class SilentDriverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh().set("devices", 8);
  }

  private GroupSettings settings(int size) {
    // Devices that no other test uses: what a stuck thread has of them counts as long as this JVM.
    return emulated
        .settings(size)
        .withVerbs(emulated.verbs(GroupSettings.QueuePairType.AUTO, "emu6"))
        .withFormationTimeout(Duration.ofSeconds(8))
        .withOperationTimeout(PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibv_query_port", "ibv_alloc_pd", "ibv_reg_mr", "ibv_modify_qp(2)"})
  void shouldFailTheFormationAndNameTheCall(String call) {
    emulated.block(call, 2);
    try (LocalRanks ranks =
        LocalRanks.start(
            settings(2), new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM)) {
      assertThat(ranks.all())
          .extracting(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
          .as("one rank is in the call, the other waits for it")
          .allMatch(failure -> failure instanceof FormationException)
          .anySatisfy(
              failure ->
                  assertThat(failure)
                      .hasMessageContainingAll(
                          "does not come back from " + call.replaceAll("\\(.*", ""),
                          "the driver does not answer"));
    }
  }

  @Test
  void shouldFailWhatIsPendingAndWhatComesLater() {
    LocalRanks ranks = VerbsGroupTest.form(settings(2));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment never = arena.allocate(8);
      Group group = ranks.group(0);
      emulated.block("ibv_poll_cq", 50);
      CompletableFuture<?> first = group.recvAsync(never, 1).toCompletableFuture();
      CompletableFuture<?> second = group.recvAsync(never, 1).toCompletableFuture();
      assertThat(first)
          .failsWithin(PATIENCE.multipliedBy(3))
          .withThrowableThat()
          .havingCause()
          .withMessageContaining("does not come back from ibv_poll_cq");
      assertThat(second).failsWithin(PATIENCE);
      assertThat(group.health()).isEqualTo(GroupHealth.FAILED);
      assertThat(ranks.rank(0).engine().alive()).as("its thread is stuck").isFalse();
      assertThat(ranks.rank(1).engine().alive()).as("its thread is not").isTrue();
      assertThat(group.terminated().toCompletableFuture()).failsWithin(PATIENCE);
      assertThat(catchThrowable(() -> group.barrier()))
          .hasMessageContaining("does not come back from ibv_poll_cq");
    } finally {
      ranks.group(1).close();
    }
  }

  @Test
  void shouldLeaveGroupsOnOtherDevicesAlone() {
    GroupSettings settings = settings(2);
    try (LocalRanks healthy = VerbsGroupTest.form(settings.withName("healthy"))) {
      emulated.block("ibv_alloc_pd", 1);
      try (LocalRanks ranks =
          LocalRanks.start(
              settings.withVerbs(emulated.verbs(GroupSettings.QueuePairType.AUTO, "emu7")),
              new VerbsFabricProvider(System::nanoTime),
              NanoClock.SYSTEM)) {
        assertThat(catchThrowable(() -> LocalRanks.get(ranks.rank(0).formed())))
            .isInstanceOf(FormationException.class);
      }
      healthy.runOnAll(session -> session.barrier());
    }
  }
}
