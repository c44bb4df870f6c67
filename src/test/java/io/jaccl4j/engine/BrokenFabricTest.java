package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.testing.ForwardingProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fabrics that throw where no operation is under way to hear of it. */
@Timeout(60)
class BrokenFabricTest {
  private static final FabricProvider SHM = new ShmFabricProvider();

  private final AtomicInteger closed = new AtomicInteger();

  /** Shared memory, save that one method throws. */
  private FabricProvider throwingIn(String broken) {
    return new ForwardingProvider(
        SHM,
        request -> {
          Fabric fabric = SHM.open(request);
          return (Fabric)
              Proxy.newProxyInstance(
                  Fabric.class.getClassLoader(),
                  new Class<?>[] {Fabric.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals(broken)) {
                      throw new IllegalStateException("no " + broken + " today");
                    }
                    closed.addAndGet(method.getName().equals("close") ? 1 : 0);
                    try {
                      return method.invoke(fabric, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
        });
  }

  @Test
  void shouldFailTheGroupWhenItsLinksBreakBetweenOperations() {
    GroupSettings settings = TestSettings.of("broken-between", 2);
    try (LocalRanks ranks = LocalRanks.form(settings, throwingIn("progress"), NanoClock.SYSTEM)) {
      for (LocalRanks.Rank rank : ranks.all()) {
        GroupFailure failure = rank.terminated().orElseThrow();
        assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.INTERNAL);
        assertThat(failure.detail())
            .contains("the engine of rank " + rank.group().rank(), "no progress today");
        assertThatThrownBy(() -> rank.group().barrier())
            .isInstanceOf(GroupFailedException.class)
            .hasMessageContaining("no progress today");
      }
    }
    assertThat(closed).hasValue(2);
  }

  @Test
  void shouldCloseLinksThatCannotBeServed() {
    GroupSettings settings = TestSettings.of("broken-before", 2);
    try (LocalRanks ranks = LocalRanks.start(settings, throwingIn("describe"), NanoClock.SYSTEM)) {
      for (LocalRanks.Rank rank : ranks.all()) {
        assertThatThrownBy(() -> LocalRanks.get(rank.formed()))
            .isInstanceOf(FormationException.class)
            .hasMessageContaining("no describe today");
      }
    }
    assertThat(closed.get()).isGreaterThanOrEqualTo(2);
  }

  /** Many short calls of one name, which together take longer than an operation may. */
  private static Fabric openSlowly(FabricRequest request) {
    long untilNanos = System.nanoTime() + Duration.ofMillis(3500).toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      request.calls().begin();
      ibv_reg_mr();
    }
    return SHM.open(request);
  }

  /** Named as what the watchdog looks for. */
  private static void ibv_reg_mr() {
    LockSupport.parkNanos(1_000_000);
  }

  @Test
  void shouldNotTakeManyCallsIntoADriverForOneThatHangs() {
    GroupSettings settings =
        TestSettings.of("many-calls", 2).withOperationTimeout(Duration.ofSeconds(1));
    try (LocalRanks ranks =
        LocalRanks.form(
            settings,
            new ForwardingProvider(SHM, BrokenFabricTest::openSlowly),
            NanoClock.SYSTEM)) {
      ranks.runOnAll(session -> session.barrier());
    }
  }
}
