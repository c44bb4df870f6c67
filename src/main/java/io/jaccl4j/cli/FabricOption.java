package io.jaccl4j.cli;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The transport, on the command line. */
final class FabricOption {

  /** What can be asked for. */
  enum Name {
    AUTO,
    SHM,
    VERBS,
    TCP
  }

  @Option(
      names = "--fabric",
      paramLabel = "FABRIC",
      defaultValue = "auto",
      description =
          "auto, shm (shared memory), verbs (RDMA devices) or tcp (sockets); auto takes the first of"
              + " these that links all ranks (default: ${DEFAULT-VALUE}).")
  private Name fabric;

  /** As in the configuration. */
  String name() {
    return fabric.name().toLowerCase(Locale.ROOT);
  }
}
