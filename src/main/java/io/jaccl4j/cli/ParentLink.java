package io.jaccl4j.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A started rank's connection to its parent: messages out, the address to join in, and the end of
 * the parent, however it came about, as end of file.
 */
final class ParentLink {
  private final PrintStream out;
  private final CompletableFuture<String> seedAddress = new CompletableFuture<>();

  private ParentLink(PrintStream out) {
    this.out = out;
  }

  /**
   * Begins to listen.
   *
   * @param onParentGone called on the listening thread, once
   */
  static ParentLink open(InputStream in, PrintStream out, Runnable onParentGone) {
    ParentLink link = new ParentLink(out);
    Thread.ofPlatform()
        .daemon()
        .name("parent-link")
        .start(
            () -> {
              link.listen(in);
              onParentGone.run();
            });
    return link;
  }

  /** Tells the parent. Any thread. */
  synchronized void send(RankMessage message) {
    out.println(RankProtocol.encode(message));
    out.flush();
  }

  /** Waits for the address to join. */
  String awaitSeed(Duration timeout) throws RunFailedException, InterruptedException {
    try {
      return seedAddress.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new RunFailedException(
          ExitCode.NOT_FORMED,
          "the parent did not say which member to join within " + timeout.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw new RunFailedException(
          ExitCode.FAILED, "no member to join: " + e.getCause().getMessage());
    }
  }

  private void listen(InputStream in) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        accept(line);
      }
      seedAddress.completeExceptionally(new IOException("the parent is gone"));
    } catch (IOException e) {
      seedAddress.completeExceptionally(e);
    }
  }

  private void accept(String line) {
    try {
      seedAddress.complete(RankProtocol.decodeJoin(line));
    } catch (IllegalArgumentException e) {
      seedAddress.completeExceptionally(e);
    }
  }
}
