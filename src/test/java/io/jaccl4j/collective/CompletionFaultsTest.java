package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.Workload;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.ExtraCompletion;
import io.jaccl4j.testing.emulated.NetworkScript;
import io.jaccl4j.testing.emulated.WorkKind;
import io.jaccl4j.testing.emulated.WorkStatus;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A completion that is not what it should be fails the group and is never taken for data. */
@ParameterizedClass(name = "{0}")
@EnumSource(EmulatedShape.class)
class CompletionFaultsTest {
  private static final int VICTIM = 1;
  private static final WorkStatus[] STATUSES = {
    WorkStatus.LOC_LEN,
    WorkStatus.LOC_PROT,
    WorkStatus.WR_FLUSH,
    WorkStatus.RETRY_EXC,
    WorkStatus.GENERAL
  };

  private final EmulatedShape shape;

  CompletionFaultsTest(EmulatedShape shape) {
    this.shape = shape;
  }

  /** Numbers of the first, a middle and the last request of a kind in a workload. */
  private Set<Long> numbers(Workload workload, WorkKind kind) {
    try (EmulatedRanks ranks = shape.form(shape.fewestRanks(), NetworkScript.faultless());
        Arena arena = Arena.ofShared()) {
      ranks.runOnAll(session -> run(workload, new GuardedBuffers(session, arena, false), arena));
      long count = ranks.network().log().posts(VICTIM, kind);
      return Set.copyOf(List.of(0L, count / 2, count - 1));
    }
  }

  private static void run(Workload workload, GuardedBuffers buffers, Arena arena) {
    workload.isRight(buffers.session(), arena, buffers, false);
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldFailOnAllRanksWhenAReceiveEndsWithAnError(Workload workload) {
    for (long number : numbers(workload, WorkKind.RECEIVE)) {
      for (WorkStatus status : STATUSES) {
        NetworkScript script =
            NetworkScript.seeded(21).delays(10).finish(VICTIM, WorkKind.RECEIVE, number, status);
        Outcome outcome = Outcome.of(shape, workload, script);
        String what = workload + ", " + script;
        assertThat(outcome.returned()).as(what).doesNotContain(VICTIM);
        outcome.checkFailedEverywhere(what);
        assertThat(outcome.failure().rank()).as(what).isNotEqualTo(VICTIM);
        assertThat(outcome.failure().detail())
            .as(what)
            .contains("on rank 1: receive " + number + " with rank " + outcome.failure().rank())
            .contains("on wire ")
            .contains("work id 0x")
            .contains("ended with " + status + " (" + status.number() + ")");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldFailOnAllRanksWhenASendEndsWithAnError(Workload workload) {
    for (long number : numbers(workload, WorkKind.SEND)) {
      NetworkScript script =
          NetworkScript.seeded(21)
              .delays(10)
              .finish(VICTIM, WorkKind.SEND, number, WorkStatus.RETRY_EXC);
      Outcome outcome = Outcome.of(shape, workload, script);
      String what = workload + ", " + script;
      outcome.checkFailedEverywhere(what);
      assertThat(outcome.failure().detail())
          .as(what)
          .contains("on rank 1: send " + number + " with rank " + outcome.failure().rank())
          .contains("ended with RETRY_EXC (12)");
    }
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldRefuseACompletionTooMany(Workload workload) {
    for (WorkKind kind : WorkKind.values()) {
      for (long number : numbers(workload, kind)) {
        for (ExtraCompletion extra : ExtraCompletion.values()) {
          NetworkScript script =
              NetworkScript.seeded(31).delays(10).repeat(VICTIM, kind, number, extra);
          Outcome outcome = Outcome.of(shape, workload, script);
          String what = workload + ", " + script;
          outcome.checkFailedEverywhere(what);
          assertThat(outcome.failure().detail())
              .as(what)
              .contains("on rank 1: unexpected completion of ");
        }
      }
    }
  }

  /**
   * What became of a workload and the barriers after it, which see completions that came late.
   *
   * @param returned ranks on which the workload itself succeeded
   * @param failures what each rank failed with
   * @param causes what each rank's group failed with
   */
  private record Outcome(
      Queue<Integer> returned, List<RuntimeException> failures, List<GroupFailure> causes) {

    static Outcome of(EmulatedShape shape, Workload workload, NetworkScript script) {
      Queue<Integer> returned = new ConcurrentLinkedQueue<>();
      Queue<GuardedBuffers> buffers = new ConcurrentLinkedQueue<>();
      try (EmulatedRanks ranks = shape.form(shape.fewestRanks(), script);
          Arena arena = Arena.ofShared()) {
        List<RuntimeException> failures =
            ranks.failuresOnAll(
                session -> {
                  GuardedBuffers own = new GuardedBuffers(session, arena, false);
                  buffers.add(own);
                  run(workload, own, arena);
                  returned.add(session.rank());
                  session.barrier();
                  // The others cannot be through here when the victim fails in the first one.
                  session.barrier();
                });
        List<GroupFailure> causes = new ArrayList<>();
        for (int rank = 0; rank < shape.fewestRanks(); rank++) {
          causes.add(ranks.ranks().group(rank).failure().orElse(null));
        }
        assertThat(buffers).as("guards").allMatch(GuardedBuffers::areIntact);
        return new Outcome(returned, failures, causes);
      }
    }

    void checkFailedEverywhere(String what) {
      assertThat(failures)
          .as(what)
          .hasSize(causes.size())
          .allSatisfy(e -> assertThat(e).isExactlyInstanceOf(GroupFailedException.class));
      assertThat(causes).as(what).containsOnly(failure());
      assertThat(failure().kind()).as(what).isEqualTo(GroupFailure.Kind.FABRIC);
      assertThat(failure().reportedBy()).as(what).isEqualTo(VICTIM);
    }

    GroupFailure failure() {
      return causes.get(VICTIM);
    }
  }
}
