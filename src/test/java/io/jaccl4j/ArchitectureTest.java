package io.jaccl4j;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who may use what: one rule a test. */
class ArchitectureTest {
  private static final String ROOT = "io.jaccl4j";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  /** What each package may use of ours, besides itself. */
  private static final Map<String, Set<String>> ALLOWED =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("", Set.of()),
              Map.entry("topology", Set.of("")),
              Map.entry("config", Set.of("", "topology")),
              Map.entry("reduce", Set.of("")),
              Map.entry("fabric", Set.of("")),
              Map.entry("fabric.verbs", Set.of("", "fabric")),
              Map.entry("fabric.shm", Set.of("", "fabric")),
              Map.entry("fabric.tcp", Set.of("", "fabric")),
              Map.entry("collective", Set.of("", "fabric", "reduce", "topology")),
              Map.entry("ring", Set.of("", "reduce", "topology")),
              Map.entry(
                  "engine",
                  Set.of(
                      "",
                      "topology",
                      "config",
                      "reduce",
                      "fabric",
                      "fabric.verbs",
                      "fabric.shm",
                      "fabric.tcp",
                      "collective",
                      "ring")),
              Map.entry("sidechannel", Set.of(""))));

  private static String packageOf(JavaClass javaClass) {
    String name = javaClass.getPackageName();
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldUseOnlyWhatItsPackageMay() {
    for (Map.Entry<String, Set<String>> rule : ALLOWED.entrySet()) {
      Set<String> used =
          CLASSES.stream()
              .filter(javaClass -> packageOf(javaClass).equals(rule.getKey()))
              .flatMap(javaClass -> javaClass.getDirectDependenciesFromSelf().stream())
              .map(dependency -> dependency.getTargetClass())
              .filter(target -> target.getPackageName().startsWith(ROOT))
              .map(ArchitectureTest::packageOf)
              .filter(target -> !target.equals(rule.getKey()))
              .collect(Collectors.toSet());
      assertThat(rule.getValue()).as("what [%s] uses", rule.getKey()).containsAll(used);
    }
  }

  @Test
  void shouldKeepTheApiFreeOfLibraries() {
    classes()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage("java..", ROOT))
        .check(CLASSES);
  }

  @Test
  void shouldUsePekkoInClusterAndCliAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cluster..", ROOT + ".cli..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("org.apache.pekko..", "scala.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseHoconInConfigClusterAndCliAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".config..", ROOT + ".cluster..", ROOT + ".cli..")
        .should()
        .dependOnClassesThat(resideInAPackage("com.typesafe.config.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseJacksonInConfigAndClusterAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".config..", ROOT + ".cluster..")
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseTheLinkerInVerbsAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".fabric.verbs..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup).*")
        .check(CLASSES);
  }

  @Test
  void shouldUseTheVectorApiInOneClassAlone() {
    Set<String> users =
        CLASSES.stream()
            .filter(
                javaClass ->
                    javaClass.getDirectDependenciesFromSelf().stream()
                        .anyMatch(
                            dependency ->
                                dependency
                                    .getTargetClass()
                                    .getPackageName()
                                    .startsWith("jdk.incubator.vector")))
            .map(javaClass -> javaClass.getFullName().replaceAll("\\$.*", ""))
            .collect(Collectors.toSet());
    assertThat(users).containsExactly(ROOT + ".reduce.VectorKernels");
  }

  @Test
  void shouldKeepManagementAndDiscoveryOutOfTheCore() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cli..", ROOT + ".cluster.bootstrap..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("org.apache.pekko.management..", "org.apache.pekko.discovery.."))
        .check(CLASSES);
  }

  @Test
  void shouldNameClassesForTheirJob() {
    noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Impl)").check(CLASSES);
  }

  @Test
  void shouldDescribeEveryPackage() {
    Set<String> packages =
        CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    for (String name : packages) {
      assertThat(Path.of("src/main/java", name.replace('.', '/'), "package-info.java"))
          .as("package %s", name)
          .isRegularFile();
    }
  }
}
