package io.jaccl4j.fabric.verbs.abi;

import java.util.Locale;

/** Systems that have a verbs library, and what differs between them. */
public enum OperatingSystem {
  LINUX("libibverbs.so.1"),
  DARWIN("librdma.dylib");

  private final String libraryName;

  OperatingSystem(String libraryName) {
    this.libraryName = libraryName;
  }

  /** The one that this process runs on; anything but macOS counts as Linux. */
  public static OperatingSystem current() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return name.contains("mac") || name.contains("darwin") ? DARWIN : LINUX;
  }

  /** Name under which the loader finds the verbs library. */
  public String libraryName() {
    return libraryName;
  }

  /** What to do where the library, or every device, is missing. */
  public String remedy() {
    return switch (this) {
      case LINUX ->
          "install rdma-core (Debian: ibverbs-providers, rdma-core) and load the card's driver; without"
              + " such a card, a software device on any network interface will do:"
              + " rdma link add rxe0 type rxe netdev eth0";
      case DARWIN ->
          "RDMA over Thunderbolt needs Apple silicon with Thunderbolt 5, macOS 26.2 or newer, and"
              + " \"rdma_ctl enable\" run once in Recovery";
    };
  }
}
