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
              Map.entry("topology.diagram", Set.of("", "topology")),
              Map.entry("config", Set.of("", "topology")),
              Map.entry("config.mlx", Set.of("", "topology")),
              Map.entry("buffer", Set.of("")),
              Map.entry("reduce", Set.of("")),
              Map.entry("reduce.vector", Set.of("", "reduce")),
              Map.entry("fabric", Set.of("")),
              Map.entry("fabric.verbs", Set.of("", "fabric", "fabric.verbs.abi")),
              Map.entry("fabric.verbs.abi", Set.of()),
              Map.entry("fabric.shm", Set.of("", "fabric")),
              Map.entry("fabric.tcp", Set.of("", "fabric")),
              Map.entry("collective", Set.of("", "fabric", "reduce", "topology")),
              Map.entry("ring", Set.of("", "buffer", "reduce", "topology")),
              Map.entry(
                  "engine",
                  Set.of(
                      "",
                      "buffer",
                      "topology",
                      "config",
                      "reduce",
                      "fabric",
                      "fabric.verbs",
                      "fabric.shm",
                      "fabric.tcp",
                      "sidechannel",
                      "collective",
                      "ring")),
              Map.entry(
                  "init",
                  Set.of(
                      "",
                      "topology",
                      "config",
                      "config.mlx",
                      "fabric",
                      "fabric.verbs",
                      "fabric.shm",
                      "sidechannel",
                      "engine",
                      "ring")),
              Map.entry("cli.launch", Set.of("", "topology", "config.mlx")),
              Map.entry("sidechannel", Set.of("")),
              Map.entry("management", Set.of("", "cluster"))));

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
  void shouldUsePekkoInClusterManagementAndCliAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cluster..", ROOT + ".management", ROOT + ".cli..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("org.apache.pekko..", "scala.."))
        .check(CLASSES);
  }

  @Test
  void shouldLaunchWithoutPekko() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".cli.launch")
        .should()
        .dependOnClassesThat(resideInAnyPackage("org.apache.pekko..", "scala.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseHoconInConfigInitClusterManagementAndCliAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".config..",
            ROOT + ".init..",
            ROOT + ".cluster..",
            ROOT + ".management",
            ROOT + ".cli..")
        .should()
        .dependOnClassesThat(resideInAPackage("com.typesafe.config.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseJacksonInConfigClusterManagementAndCliAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".config..", ROOT + ".cluster..", ROOT + ".management", ROOT + ".cli..")
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.."))
        .check(CLASSES);
  }

  @Test
  void shouldUseTheLinkerInTheBindingsOfVerbsAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".fabric.verbs.abi")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup).*")
        .check(CLASSES);
  }

  @Test
  void shouldUseTheVectorApiInOnePackageAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".reduce.vector")
        .should()
        .dependOnClassesThat(resideInAPackage("jdk.incubator.."))
        .check(CLASSES);
  }

  /**
   * Its classes cannot be loaded without the module of the Vector API, so nothing refers to them.
   */
  @Test
  void shouldReachVectorKernelsByNameAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".reduce.vector")
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + ".reduce.vector"))
        .check(CLASSES);
  }

  @Test
  void shouldUseSocketsInTransportsAndTheirYardstickAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".fabric.tcp..",
            ROOT + ".ring..",
            ROOT + ".sidechannel..",
            ROOT + ".cli.bench.sockets")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.n(io\\.channels|et)\\.(Server)?Socket(Channel)?")
        .check(CLASSES);
  }

  @Test
  void shouldUseZeroMqInOneClassAlone() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".sidechannel.ZeroMqStar")
        .should()
        .dependOnClassesThat(resideInAnyPackage("org.zeromq..", "zmq.."))
        .check(CLASSES);
  }

  @Test
  void shouldKeepMlxConfigurationFreeOfHocon() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".config.mlx")
        .should()
        .dependOnClassesThat(resideInAPackage("com.typesafe.config.."))
        .check(CLASSES);
  }

  @Test
  void shouldKeepTopologyPure() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".topology..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.io..", "java.nio..", "java.net..", "java.util.concurrent.."))
        .check(CLASSES);
  }

  @Test
  void shouldKeepSideChannelsFreeOfOurOwnPackages() {
    classes()
        .that()
        .resideInAPackage(ROOT + ".sidechannel")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "javax.crypto..",
                "jdk.net..",
                "org.slf4j..",
                "org.zeromq..",
                "zmq..",
                ROOT,
                ROOT + ".sidechannel"))
        .check(CLASSES);
  }

  @Test
  void shouldKeepManagementAndDiscoveryOutOfTheCore() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cli..", ROOT + ".management")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "org.apache.pekko.management..",
                "org.apache.pekko.discovery..",
                "org.apache.pekko.http.."))
        .check(CLASSES);
  }

  /** Its classes cannot be loaded without the optional libraries, so that only commands may. */
  @Test
  void shouldReachManagementFromOneCommandAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".management")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".cli.BootstrapRendezvous")
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + ".management"))
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
