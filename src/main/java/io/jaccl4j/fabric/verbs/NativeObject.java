package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * One object of the library with the call that destroys it. Destroyed once, even if that fails:
 * what a second attempt would do is up to the driver.
 */
final class NativeObject {
  private final String destroyCall;
  private final String device;
  private final MemorySegment pointer;
  private final ToIntFunction<MemorySegment> destroyer;
  private boolean destroyed;

  private NativeObject(
      String destroyCall,
      String device,
      MemorySegment pointer,
      ToIntFunction<MemorySegment> destroyer) {
    this.destroyCall = destroyCall;
    this.device = device;
    this.pointer = pointer;
    this.destroyer = destroyer;
    NativeObjects.made();
  }

  /**
   * Makes one.
   *
   * @param call name of the call that makes it, for errors
   * @param hint what to do if it fails, or empty
   */
  static NativeObject make(
      Ibverbs verbs,
      String device,
      String call,
      Supplier<MemorySegment> maker,
      Supplier<String> hint,
      String destroyCall,
      ToIntFunction<MemorySegment> destroyer) {
    MemorySegment pointer = maker.get();
    if (pointer.equals(MemorySegment.NULL)) {
      int errno = verbs.errno();
      throw new FabricException(
          "device " + device + ": " + call + " failed with " + Errno.describe(errno) + hint.get(),
          null);
    }
    return new NativeObject(destroyCall, device, pointer, destroyer);
  }

  MemorySegment pointer() {
    if (destroyed) {
      throw new IllegalStateException("destroyed by " + destroyCall);
    }
    return pointer;
  }

  /** Idempotent. */
  void destroy() {
    if (destroyed) {
      return;
    }
    destroyed = true;
    int errno = destroyer.applyAsInt(pointer);
    if (errno != 0) {
      throw new FabricException(
          "device "
              + device
              + ": "
              + destroyCall
              + " failed with "
              + Errno.describe(errno)
              + "; the driver may keep it until this process ends",
          null);
    }
    NativeObjects.destroyed();
  }
}
