package io.jaccl4j.fabric.shm;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Shared memory between ranks of one user on one host. */
public final class ShmFabricProvider implements FabricProvider {
  static final String NAME = "shm";

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    Path directory = settings.memory().shmDirectory();
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      return Optional.of(
          directory
              + " is not a directory that this user can write; set jaccl4j.memory.shm-directory");
    }
    return Optional.empty();
  }

  /**
   * The boot of the machine, the user, and the file system: containers of one host have different
   * file systems unless they share it.
   */
  @Override
  public String reach(GroupSettings settings) {
    try {
      String boot =
          Files.isReadable(BOOT_ID)
              ? Files.readString(BOOT_ID).strip()
              : InetAddress.getLocalHost().getHostName();
      return boot
          + "/"
          + System.getProperty("user.name")
          + "/"
          + Files.getAttribute(settings.memory().shmDirectory(), "unix:dev");
    } catch (IOException e) {
      throw new FabricException(
          "cannot tell which machine this is: "
              + BOOT_ID
              + " or "
              + settings.memory().shmDirectory(),
          e);
    }
  }

  @Override
  public Fabric open(FabricRequest request) {
    return new ShmFabric(request);
  }
}
