package io.jaccl4j.benchmark.start;

/** How far a started process has come, in order. */
enum StartPhase {
  JVM_STARTED("JVM"),
  SYSTEM_UP("system"),
  MEMBERS_UP("members"),
  RANKS_DEALT("ranks"),
  LINKS_OPENED("open"),
  METADATA_GATHERED("gather"),
  LINKS_CONNECTED("connect"),
  READY("ready");

  private final String column;

  StartPhase(String column) {
    this.column = column;
  }

  /** Heads the column of what it took to come here from the phase before. */
  String column() {
    return column;
  }
}
