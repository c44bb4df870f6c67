package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.Wire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fabric belongs to the thread that opened it. */
@Timeout(60)
class FabricOwnershipTest {

  private static Throwable onStranger(ThrowingCallable action) throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.ofPlatform().name("stranger").start(() -> failure.complete(catchThrowable(action)));
    return failure.get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldLeaveAFabricAsItWasWhenAnotherThreadCalls() throws Exception {
    EmulatedVerbs emulated = EmulatedVerbs.fresh();
    GroupSettings settings = emulated.settings(2);
    List<GroupMember> members =
        List.of(
            new GroupMember(0, "test://host:9000", 0, "host"),
            new GroupMember(1, "test://host:9001", 1, "host"));
    FabricRequest request =
        new FabricRequest(
            settings,
            1,
            0,
            members,
            List.of(new Wire(0, 0, 1)),
            1,
            settings.formationTimeout().toNanos(),
            new NativeCalls());
    Fabric fabric = new VerbsFabricProvider(System::nanoTime).open(request);
    long live = emulated.get("live");
    assertThat(onStranger(() -> fabric.poll(DiscardedCompletions.INSTANCE)))
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContaining("ibv_poll_cq on thread [stranger]");
    assertThat(onStranger(fabric::close))
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContaining("close on thread [stranger]");
    assertThat(emulated.get("live")).isEqualTo(live).isPositive();
    assertThat(fabric.poll(DiscardedCompletions.INSTANCE)).isZero();
    fabric.close();
    emulated.checkQuiet();
  }
}
