package io.jaccl4j.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest, and of the JVM. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "jaccl4j " + (version == null ? "(development classes, not a jar)" : version),
      "Java " + Runtime.version() + ", " + System.getProperty("java.vm.name")
    };
  }
}
