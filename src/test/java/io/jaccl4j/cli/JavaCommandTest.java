package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaCommandTest {

  @Test
  void shouldHandTheOwnJvmArgumentsOn() {
    List<String> command =
        JavaCommand.of(
            List.of("--enable-native-access=ALL-UNNAMED", "-Xmx1g"), "a.Main", List.of("x", "y z"));
    assertThat(command.getFirst()).startsWith(System.getProperty("java.home")).endsWith("java");
    assertThat(command)
        .containsSubsequence("--enable-native-access=ALL-UNNAMED", "-Xmx1g", "a.Main", "x", "y z")
        .containsSubsequence("-classpath", System.getProperty("java.class.path"));
  }

  @Test
  void shouldTakeTheSerialCollectorUnlessAnotherWasAskedFor() {
    assertThat(JavaCommand.of(List.of(), "M", List.of())).contains("-XX:+UseSerialGC");
    assertThat(JavaCommand.of(List.of("-XX:+UseZGC"), "M", List.of()))
        .contains("-XX:+UseZGC")
        .doesNotContain("-XX:+UseSerialGC");
  }

  @Test
  void shouldNotHandADebuggerOn() {
    assertThat(
            JavaCommand.of(
                List.of("-agentlib:jdwp=transport=dt_socket,address=5005"), "M", List.of()))
        .noneMatch(argument -> argument.contains("jdwp"));
  }
}
