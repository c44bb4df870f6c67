package io.jaccl4j.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README tells operators and newcomers is what the code says and has. */
class OperatorPageTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern PEKKO_KEY = Pattern.compile("`(pekko(?:\\.[a-z][a-z0-9-]*+)++)`");

  private static String section(String title) throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("\n" + title + "\n");
    assertThat(begin).as(title).isNotNegative();
    // Up to the next heading of the same level or a higher one.
    Matcher next = Pattern.compile("\n#{1,%d} ".formatted(title.indexOf(' '))).matcher(readme);
    int end = next.find(begin + title.length()) ? next.start() : readme.length();
    return readme.substring(begin, end);
  }

  /** Cells of the rows of a section's tables. */
  private static List<List<String>> rows(String title) throws IOException {
    return section(title)
        .lines()
        .filter(line -> line.startsWith("|") && !line.startsWith("| ---"))
        .map(line -> List.of(line.substring(1, line.length() - 1).split("\\|")))
        .map(cells -> cells.stream().map(String::strip).toList())
        .toList();
  }

  private static Set<String> code(String cell) {
    return CODE.matcher(cell)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldExplainEveryExceptionAndEveryReason() throws IOException {
    Set<String> explained = new TreeSet<>();
    rows("### Errors").forEach(row -> explained.addAll(code(row.getFirst())));
    assertThat(explained).containsAll(exceptions());
    assertThat(explained)
        .containsAll(Arrays.stream(FormationException.Reason.values()).map(Enum::name).toList());
    assertThat(code(section("### Errors")))
        .containsAll(Arrays.stream(GroupFailure.Kind.values()).map(Enum::name).toList());
  }

  /** Public exceptions of the API. */
  private static List<String> exceptions() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES.resolve("io/jaccl4j"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (name.equals("package-info")) {
          continue;
        }
        Class<?> type = Class.forName("io.jaccl4j." + name);
        if (Throwable.class.isAssignableFrom(type) && Modifier.isPublic(type.getModifiers())) {
          names.add(name);
        }
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
    assertThat(names).hasSizeGreaterThan(10);
    return names;
  }

  @Test
  void shouldQuoteMessagesThatTheCodeHas() throws IOException {
    String literals = literals();
    List<String> quoted =
        rows("### Errors").stream().skip(1).flatMap(row -> code(row.get(1)).stream()).toList();
    assertThat(quoted).hasSizeGreaterThan(40).allMatch(literals::contains);
  }

  /** All string literals; what is put together from several is one. */
  private static String literals() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(
              file ->
                  all.append(read(file).replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"", "\"")));
    }
    return all.toString();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldNamePekkosKeysAsTheyAre() throws IOException {
    Config known =
        ConfigFactory.parseResources("io/jaccl4j/management/bootstrap.conf")
            .withFallback(ConfigFactory.defaultReference());
    Set<String> keys =
        PEKKO_KEY
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    assertThat(keys).hasSizeGreaterThan(5).allMatch(known::hasPathOrNull);
  }

  @Test
  void shouldTellTheDefaultPorts() throws IOException {
    Config defaults = ConfigFactory.defaultReference();
    String ports = section("### Ports");
    for (String key : List.of("pekko.remote.artery.canonical.port", "pekko.management.http.port")) {
      assertThat(ports).contains(key).contains(defaults.getString(key));
    }
  }

  @Test
  void shouldHaveACounterpartForEveryOperationAndEveryVariable() throws IOException {
    Set<String> here = new TreeSet<>();
    rows("## Coming from elsewhere")
        .forEach(
            row -> code(row.getLast()).forEach(name -> here.add(name.replaceAll("\\(.*", ""))));
    List<String> operations =
        Stream.of(Session.class, Group.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .map(method -> method.getName())
            .filter(name -> !name.endsWith("Async"))
            .distinct()
            .filter(
                name ->
                    !Set.of(
                            "epoch",
                            "name",
                            "members",
                            "health",
                            "describe",
                            "counters",
                            "settings")
                        .contains(name))
            .filter(name -> !name.contains("$") && !name.startsWith("is"))
            .toList();
    assertThat(here).containsAll(operations);

    String environment = read(SOURCES.resolve("io/jaccl4j/config/mlx/MlxEnvironment.java"));
    Set<String> variables =
        Pattern.compile("new Setting\\([^;]*?\\)")
            .matcher(environment)
            .results()
            .flatMap(
                setting ->
                    Pattern.compile("\"((?:JACCL|JACCL4J|MLX)_[A-Z_]+)\"")
                        .matcher(setting.group())
                        .results())
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    Set<String> listed = new TreeSet<>();
    rows("## MLX").forEach(row -> listed.addAll(code(row.getFirst())));
    assertThat(variables).hasSizeGreaterThan(8);
    assertThat(listed).containsAll(variables);
  }
}
