package io.jaccl4j.testing;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;

/** Settings of groups in tests: small memory, short patience. */
public final class TestSettings {
  private TestSettings() {}

  /** A group of so many ranks on the machine's shared memory. */
  public static GroupSettings of(String name, int size) {
    return of(name, size, Path.of("/dev/shm"));
  }

  /** A group whose shared memory is in a directory of its own. */
  public static GroupSettings of(String name, int size, Path shmDirectory) {
    return new GroupSettings(
        name,
        size,
        OptionalInt.empty(),
        "",
        "shm",
        Topology.AUTO,
        WireMode.EXACT,
        Duration.ofSeconds(20),
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        Duration.ofSeconds(2),
        64,
        new GroupSettings.Idle(
            Duration.ZERO, Duration.ofMillis(1), Duration.ofNanos(50_000), false),
        new GroupSettings.Memory(512 << 10, 64L << 20, shmDirectory),
        GroupSettings.Verbs.auto(),
        GroupSettings.Tcp.auto(),
        new GroupSettings.Mesh(32768),
        new GroupSettings.Ring(1, 32768, 65536, false),
        new GroupSettings.SideChannel(65536, 16 << 20, Duration.ofMillis(200)));
  }
}
