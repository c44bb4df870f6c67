package io.jaccl4j.fabric.verbs.abi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** Finds and loads the verbs library. Each is loaded once and never unloaded. */
public final class VerbsLibrary {
  private static final ConcurrentMap<String, Loaded> LOADED = new ConcurrentHashMap<>();

  /** What came of loading. */
  public sealed interface Outcome {}

  /** The library is there with all its functions: the same object for the same library. */
  public record Loaded(Ibverbs verbs) implements Outcome {}

  /** It is not, and why, with the remedy. */
  public record Unavailable(String reason) implements Outcome {}

  private VerbsLibrary() {}

  /**
   * Loads a library. Never throws.
   *
   * @param path the file, or empty for the system's library
   */
  public static Outcome load(Optional<Path> path) {
    String name = path.map(Path::toString).orElse(OperatingSystem.current().libraryName());
    Loaded loaded = LOADED.get(name);
    return loaded != null ? loaded : attempt(name, path);
  }

  private static Outcome attempt(String name, Optional<Path> path) {
    NativeIbverbs verbs;
    try {
      // Before the bindings' class is loaded, which fails for good where this is forbidden.
      SymbolLookup symbols = lookup(name, path);
      verbs = new NativeIbverbs(symbols);
    } catch (IllegalArgumentException e) {
      return new Unavailable(
          "the verbs library ["
              + name
              + "] cannot be loaded ("
              + e.getMessage()
              + "); "
              + path.map(p -> "check jaccl4j.verbs.library: is the file there, for this processor?")
                  .orElse(OperatingSystem.current().remedy()));
    } catch (IllegalCallerException e) {
      return new Unavailable(
          "this JVM forbids calls into native libraries; start it with"
              + " --enable-native-access=ALL-UNNAMED");
    }
    if (!verbs.missing().isEmpty()) {
      return new Unavailable(
          "the library [" + name + "] has no " + verbs.missing() + "; is it a verbs library?");
    }
    LOADED.putIfAbsent(name, new Loaded(verbs));
    return LOADED.get(name);
  }

  @SuppressWarnings("restricted")
  private static SymbolLookup lookup(String name, Optional<Path> path) {
    return path.map(file -> SymbolLookup.libraryLookup(file, Arena.global()))
        .orElseGet(() -> SymbolLookup.libraryLookup(name, Arena.global()));
  }

  /** The same library, with every call printed on standard error. */
  public static Ibverbs traced(Ibverbs verbs) {
    return traced(Ibverbs.class, verbs);
  }

  private static <T> T traced(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (result instanceof IbvContextOps ops) {
                return traced(IbvContextOps.class, ops);
              }
              if (method.getName().startsWith("ibv_")) {
                System.err.println(
                    method.getName()
                        + Arrays.stream(arguments)
                            .map(VerbsLibrary::text)
                            .collect(Collectors.joining(", ", "(", ")"))
                        + (method.getReturnType() == void.class ? "" : " = " + text(result)));
              }
              return result;
            }));
  }

  private static String text(Object value) {
    return value instanceof MemorySegment segment
        ? "0x" + Long.toHexString(segment.address())
        : String.valueOf(value);
  }
}
