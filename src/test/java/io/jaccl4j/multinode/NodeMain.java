package io.jaccl4j.multinode;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** One node: runs one spec and exits with 0 if all of it passed. */
final class NodeMain {
  private static final int FAILED = 1;
  private static final int ORPHANED = 2;

  private NodeMain() {}

  public static void main(String[] arguments) {
    Thread.ofPlatform().daemon().name("parent-watch").start(NodeMain::endWithParent);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(arguments[0])).build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, summary);
    summary.getSummary().printFailuresTo(new PrintWriter(System.out, true), 40);
    boolean passed =
        summary.getSummary().getTotalFailureCount() == 0
            && summary.getSummary().getTestsSucceededCount() > 0;
    Runtime.getRuntime().halt(passed ? 0 : FAILED);
  }

  /** The parent holds the other end of the standard input for as long as it lives. */
  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The end all the same.
    }
    Runtime.getRuntime().halt(ORPHANED);
  }
}
