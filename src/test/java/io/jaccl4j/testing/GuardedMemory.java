package io.jaccl4j.testing;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * Memory between two pages that nobody may touch: an access one byte before or behind it ends the
 * process. For one thread at a time.
 */
@SuppressWarnings("restricted")
public final class GuardedMemory implements AutoCloseable {
  private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
  private static final boolean MAC = OS.contains("mac");

  // The values are those of <sys/mman.h>; MAP_ANONYMOUS alone differs between the two systems.
  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = MAC ? 0x1000 : 0x20;
  private static final long MAP_FAILED = -1;

  private static final int RUSAGE_SELF = 0;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;

  private final MemorySegment mapping;
  private final long guardBytes;

  private GuardedMemory(MemorySegment mapping, long guardBytes) {
    this.mapping = mapping;
    this.guardBytes = guardBytes;
  }

  /** Whether this system has what it takes: Linux and macOS. */
  public static boolean isSupported() {
    return MAC || OS.contains("linux");
  }

  /** Maps at least as many bytes, rounded up to whole pages. */
  public static GuardedMemory map(long bytes) {
    try {
      long pageBytes = (int) function("getpagesize", FunctionDescriptor.of(INT)).invokeExact();
      long innerBytes = (bytes + pageBytes - 1) / pageBytes * pageBytes;
      long allBytes = innerBytes + 2 * pageBytes;
      MemorySegment start =
          (MemorySegment)
              function("mmap", FunctionDescriptor.of(POINTER, POINTER, LONG, INT, INT, INT, LONG))
                  .invokeExact(
                      MemorySegment.NULL,
                      allBytes,
                      PROT_READ_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0L);
      if (start.address() == MAP_FAILED) {
        throw new IllegalStateException("mmap of " + allBytes + " bytes failed");
      }
      GuardedMemory memory = new GuardedMemory(start.reinterpret(allBytes), pageBytes);
      memory.protect(0);
      memory.protect(pageBytes + innerBytes);
      return memory;
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The mapping with its guard pages: bounds checks pass there, the access does not. */
  public MemorySegment withGuards() {
    return mapping;
  }

  /** Offset in the mapping of the first byte behind the guard page at the start. */
  public long startOffset() {
    return guardBytes;
  }

  /** Offset in the mapping of the guard page at the end. */
  public long endOffset() {
    return mapping.byteSize() - guardBytes;
  }

  /** Whether memory at an offset of the mapping can be written, as the operating system sees it. */
  public boolean isWritable(long offset) {
    try {
      MethodHandle getrusage = function("getrusage", FunctionDescriptor.of(INT, INT, POINTER));
      return (int) getrusage.invokeExact(RUSAGE_SELF, mapping.asSlice(offset)) == 0;
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    try {
      int result =
          (int)
              function("munmap", FunctionDescriptor.of(INT, POINTER, LONG))
                  .invokeExact(mapping, mapping.byteSize());
      if (result != 0) {
        throw new IllegalStateException("munmap failed");
      }
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private void protect(long offset) throws Throwable {
    int result =
        (int)
            function("mprotect", FunctionDescriptor.of(INT, POINTER, LONG, INT))
                .invokeExact(mapping.asSlice(offset), guardBytes, PROT_NONE);
    if (result != 0) {
      throw new IllegalStateException("mprotect failed");
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  private static RuntimeException failure(Throwable cause) {
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("a call of the C library failed", cause);
  }
}
