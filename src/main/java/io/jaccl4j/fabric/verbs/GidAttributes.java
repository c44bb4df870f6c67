package io.jaccl4j.fabric.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux says of a GID beside its value. The library's own function for it is private, so it is
 * read where that reads it.
 */
final class GidAttributes {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  private GidAttributes() {}

  /** For instance {@code RoCE v2}; empty where the system does not say. */
  static String type(String device, int index) {
    return read(device, "types", index);
  }

  /** Network interface that has the address; empty where the system does not say. */
  static String interfaceName(String device, int index) {
    return read(device, "ndevs", index);
  }

  private static String read(String device, String attribute, int index) {
    Path file =
        DEVICES
            .resolve(device)
            .resolve("ports")
            .resolve(Byte.toString(DeviceContext.PORT))
            .resolve("gid_attrs")
            .resolve(attribute)
            .resolve(Integer.toString(index));
    try {
      return Files.isReadable(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      // Reading the entry of an empty place is an error of the kernel's.
      return "";
    }
  }
}
