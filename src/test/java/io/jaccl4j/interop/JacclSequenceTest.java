package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.AllGather;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.sidechannel.MemoryAllGather;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.MessageRuns;
import io.jaccl4j.testing.emulated.NetworkLog;
import io.jaccl4j.testing.emulated.NetworkScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole sequence by our own ranks, in JACCL's wire mode: against computed results, and against
 * what JACCL's own ranks printed and sent where that was recorded.
 */
class JacclSequenceTest {

  static List<JacclShape> shapes() {
    List<JacclShape> shapes = new ArrayList<>(JacclShape.recorded());
    shapes.add(new JacclShape(false, 8, 1));
    shapes.add(new JacclShape(true, 5, 1));
    shapes.add(new JacclShape(true, 5, 2));
    return shapes;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldPrintWhatJacclPrintsOverSharedMemory(JacclShape shape) {
    try (LocalRanks ranks = LocalRanks.form(shape.settings())) {
      run(shape, ranks, step -> {}, step -> {});
    }
  }

  /** As among JACCL's ranks: its exchange of metadata, unreliable queue pairs, counted frames. */
  @ParameterizedTest
  @MethodSource("shapes")
  void shouldPrintWhatJacclPrintsOverQueuePairs(JacclShape shape) {
    EmulatedVerbs emulated = EmulatedVerbs.fresh().set("hold_unreliable", 1).set("count_frames", 1);
    GroupSettings settings = shape.settings();
    CountedGathers gathers = new CountedGathers();
    try (LocalRanks ranks =
        LocalRanks.start(
                settings
                    .withFabric("verbs")
                    .withMemory(
                        new GroupSettings.Memory(
                            512 << 10, 1 << 20, settings.memory().shmDirectory()))
                    .withVerbs(emulated.verbs(GroupSettings.QueuePairType.UC, "emu0", "emu1")),
                new VerbsFabricProvider(System::nanoTime),
                NanoClock.SYSTEM,
                gathers,
                LinkExchange.JACCL)
            .await()) {
      run(shape, ranks, step -> {}, step -> {});
    }
    emulated.checkQuiet();
    if (shape.isRecorded()) {
      RecordedRun recorded = new RecordedRun(shape);
      for (int rank = 0; rank < shape.size(); rank++) {
        assertThat(gathers.bytes(rank))
            .as("bytes that rank %d gathers", rank)
            .isEqualTo(recorded.gatherBytes(rank));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldSendWhatJacclSends(JacclShape shape) {
    GroupSettings settings = shape.settings();
    GroupSettings.Memory memory =
        new GroupSettings.Memory(512 << 10, 1 << 20, settings.memory().shmDirectory());
    try (EmulatedRanks ranks =
        EmulatedRanks.form(
            settings.withMemory(memory), NetworkScript.faultless(), NanoClock.SYSTEM)) {
      NetworkLog log = ranks.network().log();
      RecordedRun recorded = shape.isRecorded() ? new RecordedRun(shape) : null;
      run(
          shape,
          ranks.ranks(),
          step -> log.clear(),
          step -> {
            ranks.network().checkQuiet();
            if (recorded != null) {
              checkMessages(shape, step, recorded, log);
            }
          });
    }
  }

  /** A side channel that knows how many bytes each rank has contributed to each round. */
  private static final class CountedGathers implements AllGather.Factory {
    private final MemoryAllGather memory = new MemoryAllGather();
    private final Map<Integer, List<Integer>> bytesOfRank = new ConcurrentHashMap<>();

    @Override
    public AllGather open(int rank, int size) {
      List<Integer> bytes = new CopyOnWriteArrayList<>();
      bytesOfRank.put(rank, bytes);
      AllGather channel = memory.open(rank, size);
      return (contribution, timeoutNanos) -> {
        bytes.add(contribution.length);
        return channel.allGather(contribution, timeoutNanos);
      };
    }

    List<Integer> bytes(int rank) {
      return bytesOfRank.get(rank);
    }
  }

  private static void checkMessages(
      JacclShape shape, Step step, RecordedRun recorded, NetworkLog log) {
    Map<Integer, List<RecordedRun.Flow>> flows = recorded.messages(step);
    long seen = 0;
    for (int rank = 0; rank < shape.size(); rank++) {
      for (RecordedRun.Flow flow : flows.getOrDefault(rank, List.of())) {
        if (flow.sent()) {
          int wire = shape.wire(rank, flow.queuePair());
          MessageRuns got = log.runs(wire, rank);
          assertThat(got)
              .as("%s of rank %d, queue pair %d", step.label(), rank, flow.queuePair())
              .isEqualTo(flow.runs());
          seen += got.count();
        }
      }
    }
    assertThat(log.messages()).as("%s: all messages", step.label()).hasSize((int) seen);
  }

  private static void run(
      JacclShape shape, LocalRanks ranks, Consumer<Step> before, Consumer<Step> after) {
    int size = shape.size();
    Expectation expectation = shape.expectation();
    List<List<String>> lines = new ArrayList<>();
    List<JacclSequence> sequences = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      List<String> printed = new CopyOnWriteArrayList<>();
      lines.add(printed);
      Group group = ranks.group(rank);
      sequences.add(
          new JacclSequence(group, shape.ring(), shape.wires(), expectation, printed::add));
    }
    List<Step> steps = shape.steps();
    try (ExecutorService callers = Executors.newFixedThreadPool(size)) {
      for (Step step : steps) {
        before.accept(step);
        List<CompletableFuture<Void>> running =
            sequences.stream()
                .map(sequence -> CompletableFuture.runAsync(() -> sequence.run(step), callers))
                .toList();
        running.forEach(LocalRanks::get);
        after.accept(step);
        expectation.forget(step);
      }
    }
    for (int rank = 0; rank < size; rank++) {
      assertThat(sequences.get(rank).finish()).as("%s", lines.get(rank)).isTrue();
      if (shape.isRecorded()) {
        checkLines(expectation, steps, lines.get(rank), new RecordedRun(shape).lines(rank));
      }
    }
    for (Step step : steps) {
      int at = steps.indexOf(step);
      if (step.kind().isReduction() || step.kind() == Step.Kind.BURST) {
        assertThat(IntStream.range(0, size).mapToObj(rank -> lines.get(rank).get(at)))
            .as("the same on all ranks")
            .containsOnly(lines.getFirst().get(at));
      }
    }
  }

  static void checkLines(
      Expectation expectation, List<Step> steps, List<String> got, List<String> want) {
    assertThat(got).hasSameSizeAs(want);
    for (int i = 0; i < want.size(); i++) {
      if (i == steps.size() || !expectation.dependsOnArrival(steps.get(i))) {
        assertThat(got.get(i)).isEqualTo(want.get(i));
      }
    }
  }
}
