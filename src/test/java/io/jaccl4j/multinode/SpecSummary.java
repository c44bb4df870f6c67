package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * One line on what became of a class of multi-node tests: on standard output, and in {@code
 * target/multi-node/summary.txt}, where it stays. Fails if there is a spec that no test runs.
 */
final class SpecSummary implements BeforeAllCallback, AfterAllCallback, TestWatcher {
  private static final Path FILE = Path.of("target", "multi-node", "summary.txt");

  private final List<String> succeeded = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private long startNanos;

  @Override
  public void beforeAll(ExtensionContext context) {
    startNanos = System.nanoTime();
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    succeeded.add(context.getDisplayName());
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    failed.add(context.getDisplayName());
  }

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    skipped.add(context.getDisplayName());
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    skipped.add(context.getDisplayName());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    int count = succeeded.size() + failed.size() + skipped.size();
    String line =
        String.format(
            Locale.ROOT,
            "multi-node: %d specs, %d passed, %d failed, %s, %.0f s",
            count,
            succeeded.size(),
            failed.size(),
            skipped.isEmpty() ? "none skipped" : "skipped: " + String.join(", ", skipped),
            (System.nanoTime() - startNanos) / 1e9);
    System.out.println(line);
    Files.createDirectories(FILE.getParent());
    Files.writeString(FILE, line + "\n");
    boolean wholeClass =
        count
            == Stream.of(context.getRequiredTestClass().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .count();
    if (wholeClass) {
      assertThat(count).as("tests, one for each spec of %s", specs()).isEqualTo(specs().size());
    }
  }

  /** Names of the specs of this package; their classes cannot be initialised here. */
  private static List<String> specs() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of("target", "test-classes", "io", "jaccl4j", "multinode"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Spec.class"))
          .map(name -> SpecSummary.class.getPackageName() + "." + name.replace(".class", ""))
          .filter(SpecSummary::isConcrete)
          .toList();
    }
  }

  private static boolean isConcrete(String name) {
    try {
      Class<?> type = Class.forName(name, false, SpecSummary.class.getClassLoader());
      return !Modifier.isAbstract(type.getModifiers());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
