package io.jaccl4j.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.OperationMismatchException;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two actor systems with two groups each, and every order of their ends. */
@Timeout(120)
class ShutdownOrderTest {
  private static final List<String> NAMES = List.of("first", "second");

  /** On tmpfs, as it is meant; what is made there is made by this test alone. */
  private Path shmDirectory;

  private Leftovers leftovers;
  private TwoMembers members;

  private enum Step {
    /** Member 0 closes its groups. */
    CLOSE_0,
    /** Member 1 closes its groups. */
    CLOSE_1,
    /** Coordinated shutdown of member 0's actor system. */
    SHUT_0,
    /** Coordinated shutdown of member 1's actor system. */
    SHUT_1,
    /** Both at the same time. */
    SHUT_BOTH,
    /** Member 0's actor system ends without a coordinated shutdown. */
    TERMINATE_0,
    /** Member 1's actor system ends without a coordinated shutdown. */
    TERMINATE_1,
    /** All groups fail on both members. */
    FAIL
  }

  /** What the JDK and Pekko keep for good once they are used is there before anyone counts. */
  @BeforeAll
  static void warmUp() {
    TwoMembers members = TwoMembers.start(true, settings -> settings.withFabric("tcp"));
    members.form("warm");
    List.of(members.shutDown(0), members.shutDown(1)).forEach(TwoMembers::get);
  }

  @BeforeEach
  void look() throws IOException {
    shmDirectory = Files.createTempDirectory(Path.of("/dev/shm"), "jaccl4j-lifecycle-");
    leftovers = Leftovers.since(shmDirectory);
  }

  @AfterEach
  void end() throws IOException {
    for (int member = 0; member < TwoMembers.SIZE; member++) {
      TwoMembers.get(members.terminate(member));
    }
    Files.delete(shmDirectory);
  }

  private GroupSettings overSharedMemory(GroupSettings settings) {
    return settings
        .withFabric("shm")
        .withMemory(
            new GroupSettings.Memory(64 << 10, settings.memory().registeredBytes(), shmDirectory));
  }

  private GroupSettings overSockets(GroupSettings settings) {
    return overSharedMemory(settings).withFabric("tcp");
  }

  /** Both groups of both members work. */
  private void sum() {
    List<CompletionStage<Integer>> sums =
        IntStream.range(0, TwoMembers.SIZE)
            .boxed()
            .flatMap(member -> members.groups(member).stream())
            .map(
                group ->
                    group.run(
                        session -> {
                          MemorySegment data = session.allocate(Integer.BYTES);
                          data.set(ValueLayout.JAVA_INT, 0, session.rank() + 1);
                          session.allSum(data, data, Dtype.INT32);
                          return data.get(ValueLayout.JAVA_INT, 0);
                        }))
            .toList();
    assertThat(sums).allSatisfy(sum -> assertThat(TwoMembers.get(sum)).isEqualTo(3));
  }

  private void run(Step step) {
    switch (step) {
      case CLOSE_0 -> members.close(0);
      case CLOSE_1 -> members.close(1);
      case SHUT_0 -> TwoMembers.get(members.shutDown(0));
      case SHUT_1 -> TwoMembers.get(members.shutDown(1));
      case SHUT_BOTH -> {
        List<CompletionStage<?>> ends = List.of(members.shutDown(0), members.shutDown(1));
        ends.forEach(TwoMembers::get);
      }
      case TERMINATE_0 -> TwoMembers.get(members.terminate(0));
      case TERMINATE_1 -> TwoMembers.get(members.terminate(1));
      case FAIL -> fail();
    }
  }

  private void fail() {
    for (int group = 0; group < NAMES.size(); group++) {
      MemorySegment data = Arena.ofAuto().allocate(Integer.BYTES);
      MemorySegment other = Arena.ofAuto().allocate(Integer.BYTES);
      CompletionStage<Void> sum = members.groups(0).get(group).allSumAsync(data, data, Dtype.INT32);
      CompletionStage<Void> max =
          members.groups(1).get(group).allMaxAsync(other, other, Dtype.INT32);
      for (CompletionStage<Void> operation : List.of(sum, max)) {
        assertThatThrownBy(() -> operation.toCompletableFuture().join())
            .isInstanceOf(CompletionException.class)
            .hasCauseInstanceOf(OperationMismatchException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CLOSE_0 CLOSE_1 SHUT_0 SHUT_1, true",
    "SHUT_0 CLOSE_0 CLOSE_1 SHUT_1, true",
    "SHUT_1 SHUT_0, true",
    "SHUT_BOTH CLOSE_1 CLOSE_0, true",
    "CLOSE_1 TERMINATE_0 TERMINATE_1 CLOSE_0, true",
    "TERMINATE_0 TERMINATE_1, false",
    "FAIL SHUT_0 SHUT_1, true",
    "FAIL CLOSE_0 SHUT_BOTH CLOSE_1, true",
    "FAIL TERMINATE_1 TERMINATE_0, false",
  })
  void shouldLeaveNothingOverSharedMemory(String order, boolean terminateRunsShutdown) {
    members = TwoMembers.start(terminateRunsShutdown, this::overSharedMemory);
    NAMES.forEach(members::form);
    sum();
    for (String step : order.split(" ")) {
      run(Step.valueOf(step));
    }
    leftovers.assertNone(order);
    assertThat(members.groups(0)).extracting(Group::health).doesNotContain(GroupHealth.READY);
    assertThat(members.groups(1)).extracting(Group::health).doesNotContain(GroupHealth.READY);
  }

  @ParameterizedTest
  @CsvSource({"SHUT_0 CLOSE_1 SHUT_1, true", "FAIL SHUT_BOTH, true"})
  void shouldLeaveNothingOverSockets(String order, boolean terminateRunsShutdown) {
    members = TwoMembers.start(terminateRunsShutdown, this::overSockets);
    NAMES.forEach(members::form);
    sum();
    for (String step : order.split(" ")) {
      run(Step.valueOf(step));
    }
    leftovers.assertNone(order);
  }

  @ParameterizedTest
  @CsvSource({
    "SHUT_0 CLOSE_1 SHUT_1, true",
    "FAIL SHUT_BOTH, true",
    "TERMINATE_0 TERMINATE_1, false"
  })
  void shouldLeaveNothingOverRdma(String order, boolean terminateRunsShutdown) {
    EmulatedVerbs provider = EmulatedVerbs.fresh();
    members =
        TwoMembers.start(
            terminateRunsShutdown,
            settings ->
                overSharedMemory(settings)
                    .withFabric("verbs")
                    .withVerbs(provider.verbs(QueuePairType.AUTO)));
    NAMES.forEach(members::form);
    sum();
    for (String step : order.split(" ")) {
      run(Step.valueOf(step));
    }
    leftovers.assertNone(order);
    provider.checkQuiet();
  }

  @Test
  void shouldLeaveNothingOfAGroupThatWasForming() {
    members = TwoMembers.start(true, this::overSharedMemory);
    CompletionStage<Group> lone = members.join(0, "lone");
    run(Step.SHUT_BOTH);
    assertThatThrownBy(() -> lone.toCompletableFuture().get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FormationException.class,
            e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.STOPPED));
    leftovers.assertNone("while a group forms");
  }

  /** Rank 1 never comes; what rank 0's caller gets, it gets soon. */
  @Test
  void shouldLeaveNothingOfAnOperationThatWaits() {
    members = TwoMembers.start(true, this::overSharedMemory);
    NAMES.forEach(members::form);
    MemorySegment data = Arena.ofAuto().allocate(Integer.BYTES);
    CompletionStage<Void> waiting =
        members.groups(0).getFirst().allSumAsync(data, data, Dtype.INT32);
    run(Step.SHUT_1);
    Throwable failure = catchThrowable(() -> waiting.toCompletableFuture().join());
    assertThat(failure).hasCauseInstanceOf(GroupFailedException.class);
    run(Step.SHUT_0);
    leftovers.assertNone("while an operation waits");
  }
}
