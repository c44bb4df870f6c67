package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The emulated provider, built once and loaded into this JVM. All groups of this JVM share its
 * devices: {@code emu0} and {@code emu1} unless a test says otherwise.
 */
@SuppressWarnings("restricted")
public final class EmulatedVerbs {
  private static final Path SOURCE = Path.of("src/test/native/emulated_verbs.c");
  private static final Path DIRECTORY = Path.of("target/emulated-verbs");

  /** What an entry of a GID table holds. */
  public enum GidKind {
    EMPTY,
    LINK_LOCAL,
    IPV4,
    ROUTABLE,
    UNREADABLE
  }

  private static Path built;
  private static EmulatedVerbs instance;

  private final Path library;

  /** What earlier tests left behind on purpose, in threads that never return. */
  private int lost;

  private final MethodHandle reset;
  private final MethodHandle get;
  private final MethodHandle set;
  private final MethodHandle setDevice;
  private final MethodHandle setGid;
  private final MethodHandle fault;
  private final MethodHandle event;
  private final MethodHandle violation;

  private EmulatedVerbs(Path library) {
    this.library = library;
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
    reset = handle(symbols, "emu_reset", FunctionDescriptor.ofVoid());
    get = handle(symbols, "emu_get", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    set = handle(symbols, "emu_set", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    setDevice =
        handle(
            symbols,
            "emu_set_device",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));
    setGid =
        handle(symbols, "emu_set_gid", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, JAVA_INT));
    fault =
        handle(
            symbols,
            "emu_fault",
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT));
    event = handle(symbols, "emu_event", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT));
    violation = handle(symbols, "emu_violation", FunctionDescriptor.of(ADDRESS));
  }

  private static MethodHandle handle(
      SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
  }

  /** The provider without faults; skips the test where there is no compiler. */
  public static synchronized EmulatedVerbs fresh() {
    if (instance == null) {
      instance = new EmulatedVerbs(build());
    }
    instance.call(() -> instance.reset.invoke());
    instance.lost = NativeObjects.live();
    return instance;
  }

  /** Builds the library, unless this JVM has; for processes that load it themselves. */
  public static synchronized Path build() {
    if (built == null) {
      built = compile().toAbsolutePath();
    }
    return built;
  }

  private static Path compile() {
    try {
      Files.createDirectories(DIRECTORY);
      return new CCompiler(DIRECTORY).library(SOURCE, List.of("-Inative-headers"));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Settings of a group over the provider, with little memory. */
  public GroupSettings settings(int size) {
    GroupSettings settings = TestSettings.of("verbs", size);
    return settings
        .withFabric("verbs")
        .withMemory(new GroupSettings.Memory(64 << 10, 4 << 20, settings.memory().shmDirectory()))
        .withVerbs(verbs(QueuePairType.AUTO));
  }

  /** Use of the provider with a type of queue pairs, on devices or on the first one. */
  public GroupSettings.Verbs verbs(QueuePairType type, String... devices) {
    return new GroupSettings.Verbs(
        Optional.of(library), List.of(devices), List.of(), type, OptionalInt.empty(), false, false);
  }

  public Path library() {
    return library;
  }

  public long get(String key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(key);
      return call(() -> (long) get.invoke(name));
    }
  }

  public EmulatedVerbs set(String key, long value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(key);
      int known = call(() -> (int) set.invoke(name, value));
      assertThat(known).as(key).isZero();
    }
    return this;
  }

  public EmulatedVerbs setDevice(int device, String key, long value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(key);
      int known = call(() -> (int) setDevice.invoke(device, name, value));
      assertThat(known).as(key).isZero();
    }
    return this;
  }

  /** Writes a device's GID table, from index 0. */
  public EmulatedVerbs setGids(int device, List<GidKind> kinds) {
    for (int index = 0; index < 16; index++) {
      int place = index;
      int kind = index < kinds.size() ? kinds.get(index).ordinal() : 0;
      call(() -> setGid.invoke(device, place, kind));
    }
    return this;
  }

  /** Lets a call fail at its n-th time from now. */
  public EmulatedVerbs fail(String call, long at, int errno) {
    return fault(call, at, errno, false);
  }

  /** Lets a call never return, at its n-th time from now. */
  public EmulatedVerbs block(String call, long at) {
    return fault(call, at, 0, true);
  }

  private EmulatedVerbs fault(String name, long at, int errno, boolean block) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      call(() -> fault.invoke(text, at, errno, block ? 1 : 0));
    }
    return this;
  }

  /** Reports an asynchronous event. */
  public void event(int device, int type) {
    call(() -> event.invoke(device, type));
  }

  /** Nothing is left of what was made, and no rule was broken. */
  public void checkQuiet() {
    MemorySegment text = call(() -> (MemorySegment) violation.invoke());
    assertThat(text.reinterpret(512).getString(0)).as("first broken rule").isEmpty();
    assertThat(get("live")).as("live objects of the provider").isZero();
    assertThat(NativeObjects.live()).as("live objects by our own count").isEqualTo(lost);
  }

  private interface Downcall<T> {
    T run() throws Throwable;
  }

  private <T> T call(Downcall<T> downcall) {
    try {
      return downcall.run();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
