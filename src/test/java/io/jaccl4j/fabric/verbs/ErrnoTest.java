package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OperatingSystem;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Error numbers: their names, and that they are those of the call. */
@Timeout(60)
class ErrnoTest {
  private static final int TRIES = 10_000;
  private static final int GARBAGE_BYTES = 1 << 20;

  // The numbers of <errno.h> of both systems.
  @ParameterizedTest
  @CsvSource({
    "12, ENOMEM, ENOMEM",
    "13, EACCES, EACCES",
    "16, EBUSY, EBUSY",
    "22, EINVAL, EINVAL",
    "45, unknown on Linux, ENOTSUP",
    "60, unknown on Linux, ETIMEDOUT",
    "65, unknown on Linux, EHOSTUNREACH",
    "95, EOPNOTSUPP, unknown on macOS",
    "96, unknown on Linux, ENODATA",
    "102, unknown on Linux, EOPNOTSUPP",
    "110, ETIMEDOUT, unknown on macOS",
    "113, EHOSTUNREACH, unknown on macOS"
  })
  void shouldNameNumbersAsTheirSystemDoes(int errno, String linux, String darwin) {
    assertThat(Errno.describe(errno, OperatingSystem.LINUX))
        .isEqualTo("errno " + errno + " (" + linux + ")");
    assertThat(Errno.describe(errno, OperatingSystem.DARWIN))
        .isEqualTo("errno " + errno + " (" + darwin + ")");
  }

  @Test
  void shouldReportTheNumberOfTheCallWhateverTheJvmDoesMeanwhile() throws Exception {
    EmulatedVerbs emulated = EmulatedVerbs.fresh();
    Ibverbs verbs =
        ((VerbsLibrary.Loaded) VerbsLibrary.load(Optional.of(emulated.library()))).verbs();
    AtomicBoolean over = new AtomicBoolean();
    // Collections and safepoints, which make system calls of their own.
    Thread littering =
        Thread.ofPlatform()
            .start(
                () -> {
                  byte[][] garbage = new byte[16][];
                  for (int i = 0; !over.get(); i++) {
                    garbage[i % garbage.length] = new byte[GARBAGE_BYTES];
                    if (i % 64 == 0) {
                      System.gc();
                    }
                  }
                });
    try (Arena arena = Arena.ofConfined();
        DeviceContext context = DeviceContext.open(verbs, "emu0")) {
      MemorySegment attr = arena.allocate(IbvStructs.IBV_DEVICE_ATTR);
      for (int i = 0; i < TRIES; i++) {
        emulated.fail("ibv_alloc_pd", 1, Errno.EBUSY);
        assertThat(verbs.ibv_alloc_pd(context.pointer())).isEqualTo(MemorySegment.NULL);
        assertThat(verbs.errno()).as("try %d", i).isEqualTo(Errno.EBUSY);
        assertThat(verbs.ibv_query_device(context.pointer(), attr)).isZero();
      }
    } finally {
      over.set(true);
      littering.join();
    }
    emulated.checkQuiet();
  }
}
