package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvContextOps;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OwnerThread;
import io.jaccl4j.fabric.verbs.abi.ThreadBoundIbverbs;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What a poll and a post cost through the bindings, against a loop in C around the same calls. The
 * provider is the emulated one: its own time is in both numbers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("restricted")
public class VerbsCallBenchmark {
  private static final int LOOP = 1000;
  private static final int MESSAGE_BYTES = 64;

  private Arena arena;
  private VerbsMemory memory;
  private VerbsDevice device;
  private IbvContextOps ops;
  private MemorySegment queue;
  private MemorySegment queuePair;
  private MemorySegment request;
  private MemorySegment badRequest;
  private MemorySegment completions;
  private MethodHandle pollLoop;
  private MethodHandle postLoop;

  /** One unreliable queue pair whose peer has gone: what it sends completes at once. */
  @Setup
  public void open() {
    EmulatedVerbs emulated = EmulatedVerbs.fresh();
    SymbolLookup symbols = SymbolLookup.libraryLookup(emulated.library(), Arena.global());
    pollLoop =
        handle(
            symbols,
            "emu_poll_loop",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG));
    postLoop =
        handle(
            symbols,
            "emu_post_loop",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    VerbsLibrary.Loaded library =
        (VerbsLibrary.Loaded) VerbsLibrary.load(Optional.of(emulated.library()));
    Ibverbs verbs =
        new ThreadBoundIbverbs(library.verbs(), OwnerThread.current(new NativeCalls()::begin));
    arena = Arena.ofConfined();
    memory = new VerbsMemory(4096, 1, 1, 1, 0);
    DeviceContext context = DeviceContext.open(verbs, "emu0");
    PortState port = context.port();
    Gid gid = GidChoice.choose(context.gids(port), OptionalInt.empty()).orElseThrow();
    DeviceLedger.Entry share =
        (DeviceLedger.Entry)
            DeviceLedger.of(library)
                .reserve("emu0", "the benchmark", new DeviceShare(1, 1, 1, 1), context.limits());
    RegionPlan regions = RegionPlan.of(memory.segment().byteSize(), 4096, 0);
    device = new VerbsDevice(context, share, regions, port, gid);
    device.allocate(arena, 64, false, memory.segment());
    QueuePair pair =
        device.queuePair(
            new QueuePairPlan(IbvConstants.IBV_QPT_UC, 16, 16, (byte) 14), "the benchmark");
    QueuePairAddress nobody = new QueuePairAddress(0, 9999, 7, gid.bytes());
    pair.connect(nobody, gid.index(), nobody, IbvConstants.IBV_MTU_1024);
    ops = device.ops();
    queue = device.completions().pointer();
    queuePair = pair.pointer();
    request =
        new SendRequests(arena, 1, device.regions())
            .plain(0, WorkId.of(WorkId.SEND, 0, 0), 0, MESSAGE_BYTES);
    badRequest = arena.allocate(ADDRESS);
    completions = arena.allocate(IbvStructs.IBV_WC.byteSize() * 16, 64);
  }

  private static MethodHandle handle(
      SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
  }

  /** Gives everything back. */
  @TearDown
  public void close() {
    device.close();
    memory.free();
    arena.close();
  }

  /** An empty poll from Java. */
  @Benchmark
  @OperationsPerInvocation(LOOP)
  public int pollJava() {
    int found = 0;
    for (int i = 0; i < LOOP; i++) {
      found += ops.ibv_poll_cq(queue, 16, completions);
    }
    return found;
  }

  /** An empty poll from C. */
  @Benchmark
  @OperationsPerInvocation(LOOP)
  public long pollC() throws Throwable {
    return (long) pollLoop.invokeExact(queue, completions, (long) LOOP);
  }

  /** A post and the poll for its completion from Java. */
  @Benchmark
  @OperationsPerInvocation(LOOP)
  public int postAndPollJava() {
    int found = 0;
    for (int i = 0; i < LOOP; i++) {
      if (ops.ibv_post_send(queuePair, request, badRequest) != 0) {
        throw new IllegalStateException("post refused");
      }
      found += ops.ibv_poll_cq(queue, 16, completions);
    }
    return found;
  }

  /** A post and the poll for its completion from C. */
  @Benchmark
  @OperationsPerInvocation(LOOP)
  public long postAndPollC() throws Throwable {
    long found = (long) postLoop.invokeExact(queuePair, request, completions, (long) LOOP);
    if (found < 0) {
      throw new IllegalStateException("post refused");
    }
    return found;
  }

  /** Runs all and prints the differences. */
  public static void main(String[] arguments) throws RunnerException {
    TreeMap<String, Double> nanos = new TreeMap<>();
    new Runner(
            new OptionsBuilder()
                .include(VerbsCallBenchmark.class.getName())
                .forks(1)
                .warmupIterations(3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(5)
                .measurementTime(TimeValue.seconds(1))
                .build())
        .run()
        .forEach(
            result ->
                nanos.put(
                    result.getPrimaryResult().getLabel(), result.getPrimaryResult().getScore()));
    System.out.printf(
        Locale.ROOT,
        "%nverbs calls, ns: poll %.1f from Java, %.1f from C (+%.1f, x%.2f);"
            + " post and poll %.1f from Java, %.1f from C (+%.1f, x%.2f)%n",
        nanos.get("pollJava"),
        nanos.get("pollC"),
        nanos.get("pollJava") - nanos.get("pollC"),
        nanos.get("pollJava") / nanos.get("pollC"),
        nanos.get("postAndPollJava"),
        nanos.get("postAndPollC"),
        nanos.get("postAndPollJava") - nanos.get("postAndPollC"),
        nanos.get("postAndPollJava") / nanos.get("postAndPollC"));
  }
}
