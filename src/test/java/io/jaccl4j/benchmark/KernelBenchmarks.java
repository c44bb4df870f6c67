package io.jaccl4j.benchmark;

import java.util.Collection;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the kernel benchmarks with JMH's own command line and prints ratios below JMH's results.
 * Without a pattern it runs {@link ReduceBenchmark} and {@link CopyBenchmark}.
 */
public final class KernelBenchmarks {
  private KernelBenchmarks() {}

  public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
    CommandLineOptions commandLine = new CommandLineOptions(arguments);
    OptionsBuilder options = new OptionsBuilder();
    options.parent(commandLine);
    if (commandLine.getIncludes().isEmpty()) {
      options.include(ReduceBenchmark.class.getName());
      options.include(CopyBenchmark.class.getName());
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    Optional.of(KernelRatios.table(results))
        .filter(table -> !table.isEmpty())
        .ifPresent(System.out::println);
  }
}
