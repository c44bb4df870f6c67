package io.jaccl4j.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a JVM like this one: same java, same JVM arguments, same class path. So the
 * flags are written down once, where the first JVM is started.
 */
final class JavaCommand {

  private JavaCommand() {}

  /** A JVM that runs a class. */
  static List<String> of(String mainClass, List<String> arguments) {
    return of(ManagementFactory.getRuntimeMXBean().getInputArguments(), mainClass, arguments);
  }

  static List<String> of(List<String> jvmArguments, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A debugger's port can be had once only.
    jvmArguments.stream()
        .filter(argument -> !argument.startsWith("-agentlib:jdwp"))
        .filter(argument -> !argument.startsWith("-Xrunjdwp"))
        .forEach(command::add);
    // Several JVMs share this machine: no threads for a parallel collector, unless one was asked
    // for.
    if (jvmArguments.stream().noneMatch(argument -> argument.matches("-XX:\\+Use\\w*GC"))) {
      command.add("-XX:+UseSerialGC");
    }
    command.add("-Xshare:auto");
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }
}
