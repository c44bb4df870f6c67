package io.jaccl4j.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.config.SettingsReader;
import io.jaccl4j.management.GroupBootstrap;
import io.jaccl4j.reduce.Kernels;
import io.jaccl4j.testing.Elements;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Join;

/** What a rank can be told to do. The commands with {@code group} are about its latest join. */
final class RankCommands {
  private static final long UP_SECONDS = 120;

  private final ActorSystem<Void> system;
  private final ClusterWitness witness;
  private final AtomicLong slowPeers = new AtomicLong();

  /** All-sums completed by the command that runs, so that a test knows that it is under way. */
  private final AtomicLong completed = new AtomicLong();

  private volatile Group group;

  RankCommands(Config config) {
    this.system = ActorSystem.create(Behaviors.empty(), "ranks", config);
    this.witness = ClusterWitness.of(system);
    JacclExtension.get(system);
  }

  String address() {
    return Cluster.get(system).selfMember().address().toString();
  }

  /**
   * Executes a command.
   *
   * @param words its number, its name, its arguments
   */
  Answer execute(String[] words) {
    long number = Long.parseLong(words[0]);
    try {
      return Answer.ok(number, dispatch(words));
    } catch (Throwable t) {
      // The parent judges whether this was to be expected.
      return Answer.failed(number, describe(t instanceof CompletionException ? t.getCause() : t));
    }
  }

  private Map<String, ?> dispatch(String[] words) throws InterruptedException {
    return switch (words[1]) {
      case "cluster" -> joinCluster(words[2]);
      case "discover" -> {
        GroupBootstrap bootstrap = GroupBootstrap.of(system, Integer.parseInt(words[2]));
        yield Map.of("endpoint", await(bootstrap.start()));
      }
      case "join" -> join(settings(words), event -> {});
      case "join-and-die" -> join(settings(words), RankCommands::die);
      case "down" -> {
        Cluster.get(system).manager().tell(new Down(AddressFromURIString.parse(words[2])));
        yield Map.of();
      }
      case "sweep" -> sweep();
      case "workloads" -> workloads();
      case "allsum" -> allSum(Long.parseLong(words[2]), Long.parseLong(words[3]));
      case "allsum-close" -> {
        Map<String, ?> done = allSum(Long.parseLong(words[2]), Long.parseLong(words[3]));
        group.close();
        yield done;
      }
      case "allsum-for" -> allSumFor(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2])));
      case "terminated" -> {
        await(group.terminated());
        yield Map.of();
      }
      case "state" -> state();
      case "close" -> {
        group.close();
        yield Map.of("health", group.health());
      }
      default -> throw new IllegalArgumentException(words[1]);
    };
  }

  private Map<String, ?> joinCluster(String seed) throws InterruptedException {
    CountDownLatch up = new CountDownLatch(1);
    org.apache.pekko.cluster.Cluster.get(system).registerOnMemberUp(up::countDown);
    Cluster.get(system).manager().tell(Join.create(AddressFromURIString.parse(seed)));
    if (!up.await(UP_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not up after " + UP_SECONDS + " s");
    }
    return Map.of();
  }

  /** As abrupt as kill -9: no shutdown hook runs. */
  private static void die(GroupEvent event) {
    if (event instanceof GroupEvent.RanksAssigned) {
      Runtime.getRuntime().halt(137);
    }
  }

  /** Name, size, and what differs from the configuration: {@code key=value}. */
  private GroupSettings settings(String[] words) {
    Config overrides =
        ConfigFactory.parseString(Arrays.stream(words).skip(4).collect(Collectors.joining("\n")));
    return SettingsReader.read(
        overrides.withFallback(system.settings().config()), words[2], Integer.parseInt(words[3]));
  }

  private Map<String, ?> join(GroupSettings settings, Consumer<GroupEvent> listener) {
    if (group != null) {
      group.close();
    }
    group =
        await(
            JacclExtension.get(system)
                .join(
                    settings,
                    event -> {
                      slowPeers.addAndGet(event instanceof GroupEvent.SlowPeer ? 1 : 0);
                      listener.accept(event);
                    }));
    return Map.of("rank", group.rank(), "epoch", group.epoch(), "group", group.describe());
  }

  private Map<String, ?> sweep() {
    long checks = await(group.run(session -> new Sweep(session).run()));
    return Map.of("checks", checks, "kernels", Kernels.providerName());
  }

  /** Every operation once, out of own and out of registered memory. */
  private Map<String, ?> workloads() {
    int checks = 0;
    try (Arena arena = Arena.ofShared()) {
      for (Workload workload : Workload.values()) {
        for (boolean registered : new boolean[] {false, true}) {
          boolean right =
              await(
                  group.run(
                      session ->
                          workload.isRight(
                              session,
                              arena,
                              new GuardedBuffers(session, arena, registered),
                              false)));
          if (!right) {
            throw new AssertionError(workload + (registered ? ", registered" : ""));
          }
          checks++;
        }
      }
    }
    return Map.of("checks", checks);
  }

  private Map<String, ?> allSum(long bytes, long count) {
    completed.set(0);
    try (Arena arena = Arena.ofShared()) {
      long elements = bytes / Float.BYTES;
      MemorySegment in = Elements.fill(arena, Dtype.FLOAT32, 0, elements, group.rank());
      MemorySegment out = arena.allocate(in.byteSize(), 64);
      MemorySegment want =
          Elements.reduced(arena, ReduceOp.SUM, Dtype.FLOAT32, 0, elements, group.size());
      for (long i = 0; i < count; i++) {
        group.allSum(in, out.fill((byte) 0), Dtype.FLOAT32);
        Checks.same("allSum #" + i, out, want);
        completed.incrementAndGet();
      }
    }
    return Map.of("completed", completed.get());
  }

  /** All ranks stop after the same operation: rank 0 says when, in the sum. */
  private Map<String, ?> allSumFor(long nanos) {
    return Map.of("completed", await(group.run(session -> allSumFor(session, nanos))));
  }

  private static long allSumFor(Session session, long nanos) {
    MemorySegment cell = session.allocate(Long.BYTES);
    long startNanos = System.nanoTime();
    long operations = 0;
    boolean over = false;
    while (!over) {
      boolean enough = session.rank() == 0 && System.nanoTime() - startNanos > nanos;
      cell.set(ValueLayout.JAVA_LONG, 0, enough ? 1 : 0);
      session.allSum(cell, cell, Dtype.INT64);
      over = cell.get(ValueLayout.JAVA_LONG, 0) > 0;
      operations++;
    }
    return operations;
  }

  private Map<String, ?> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("completed", completed.get());
    state.put("slow", slowPeers.get());
    state.put("unreachable", witness.unreachableNow());
    state.put("unreachable-ever", witness.unreachableEver());
    state.put("up", witness.up());
    state.put("ended", system.getWhenTerminated().toCompletableFuture().isDone());
    state.put("oldest", witness.oldest());
    if (group != null) {
      state.put("group", group.describe());
      state.put("health", group.health());
      state.put("failure", group.failure().map(GroupFailure::toString).orElse("none"));
    }
    return state;
  }

  private Map<String, ?> describe(Throwable failure) {
    Map<String, Object> fields = new LinkedHashMap<>();
    // First of all: what can the application see at the moment when it learns of the failure?
    fields.put("health", group == null ? "none" : group.health());
    fields.put("exception", failure.getClass().getSimpleName());
    fields.put("message", failure.getMessage());
    fields.put("completed", completed.get());
    switch (failure) {
      case GroupFailedException failed -> {
        fields.put("kind", failed.failure().kind());
        fields.put("rank", failed.failure().rank());
        fields.put("address", failed.failure().address());
      }
      case FormationException notFormed -> fields.put("reason", notFormed.reason());
      default -> failure.printStackTrace();
    }
    return fields;
  }

  /** The parent has the deadline; a rank that hangs is killed by it. */
  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
