package io.jaccl4j.rdma;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.TagFilter.includeTags;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the tests tagged {@code rdma} and prints a line for each and one for all. Exits with 1 if
 * one failed or was skipped, or if there was none.
 */
public final class RdmaTests {
  private RdmaTests() {}

  /**
   * Runs them.
   *
   * @param arguments a pattern of class names, or nothing for all
   */
  public static void main(String[] arguments) {
    String pattern = arguments.length == 0 ? ".*" : arguments[0];
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("io.jaccl4j.rdma"), selectPackage("io.jaccl4j.process"))
                .filters(includeTags("rdma"), includeClassNamePatterns(pattern))
                .build(),
            summary,
            new LinePerTest(out));
    TestExecutionSummary counts = summary.getSummary();
    counts.printFailuresTo(out, 40);
    out.printf(
        "rdma: %d passed, %d failed, %d skipped%n",
        counts.getTestsSucceededCount(),
        counts.getTestsFailedCount(),
        counts.getTestsSkippedCount());
    boolean right =
        counts.getTestsSucceededCount() > 0
            && counts.getTotalFailureCount() == 0
            && counts.getTestsSkippedCount() == 0
            && counts.getContainersSkippedCount() == 0
            && counts.getTestsAbortedCount() == 0;
    System.exit(right ? 0 : 1);
  }

  private record LinePerTest(PrintWriter out) implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        out.println(
            result.getStatus()
                + "  "
                + test.getLegacyReportingName()
                + "  "
                + test.getDisplayName());
        // At once and not only in the summary, which a run that is cut short does not reach.
        result.getThrowable().ifPresent(failure -> out.println("  " + failure));
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      out.println("SKIPPED  " + test.getDisplayName() + "  " + reason);
    }
  }
}
