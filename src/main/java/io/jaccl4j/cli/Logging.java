package io.jaccl4j.cli;

/**
 * Logging of the commands. Said in system properties, before the first logger is made, so that an
 * application that embeds the library never meets this configuration.
 */
final class Logging {
  private static final String CONFIGURATION = "logback.configurationFile";
  private static final String LEVEL = "jaccl4j.cli.log-level";

  private Logging() {}

  /** Warnings to standard error, unless the user has configured something else. */
  static void configure() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/jaccl4j/cli/logback-cli.xml");
    }
  }

  /** Informational lines too. */
  static void showInfo() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "INFO");
    }
  }
}
