package io.jaccl4j.fabric.verbs.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Waits on file descriptors of the library with {@code poll(2)}: its own calls for events block
 * without a limit.
 */
public final class Descriptors {
  private static final MemoryLayout POLLFD =
      MemoryLayout.structLayout(
          JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));
  private static final long POLLFD_BYTES = POLLFD.byteSize();
  private static final long EVENTS = 4;
  private static final long REVENTS = 6;
  private static final short POLLIN = 1;

  /** {@code nfds_t} is a long on Linux and an int on macOS; in a register both are read alike. */
  private static final MethodHandle POLL = poll();

  private Descriptors() {}

  @SuppressWarnings("restricted")
  private static MethodHandle poll() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("poll"),
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  /** Memory for {@link #anyReadable}. */
  public static MemorySegment request(Arena arena, int... descriptors) {
    MemorySegment request = arena.allocate(POLLFD, descriptors.length);
    for (int i = 0; i < descriptors.length; i++) {
      request.set(JAVA_INT, i * POLLFD_BYTES, descriptors[i]);
      request.set(JAVA_SHORT, i * POLLFD_BYTES + EVENTS, POLLIN);
    }
    return request;
  }

  /**
   * Whether there is something to read from one of them, waiting for it if need be.
   *
   * @param timeoutMillis 0 not to wait
   */
  public static boolean anyReadable(MemorySegment request, int timeoutMillis) {
    try {
      long count = request.byteSize() / POLLFD_BYTES;
      return (int) POLL.invokeExact(request, count, timeoutMillis) > 0;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Whether the last {@link #anyReadable} found something to read from the descriptor of a place.
   */
  public static boolean wasReadable(MemorySegment request, int place) {
    return (request.get(JAVA_SHORT, place * POLLFD_BYTES + REVENTS) & POLLIN) != 0;
  }
}
