package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SettingsAgreementTest {

  /** Of rank 0, whose peers say this. */
  private static void reach(Map<String, String> own, String... others) {
    AllGather channel =
        (contribution, timeoutNanos) -> {
          byte[][] all = new byte[others.length + 1][];
          all[0] = contribution.clone();
          for (int i = 0; i < others.length; i++) {
            all[i + 1] = others[i].getBytes(StandardCharsets.UTF_8);
          }
          return List.of(all);
        };
    new SettingsAgreement(channel, "g").reach(new TreeMap<>(own), 1);
  }

  @Test
  void shouldAgreeWhereAllIsEqual() {
    assertThatCode(() -> reach(Map.of("a", "1=2", "b", ""), "a=1=2\nb=\n", "b=\na=1=2\n"))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldNameTheFirstDifferenceWithBothValues() {
    assertThatThrownBy(() -> reach(Map.of("a", "1", "b", "2"), "a=1\nb=2\n", "a=1\nb=3\n"))
        .isInstanceOf(FormationException.class)
        .hasMessage("group [g]: b is [2] on rank 0 and [3] on rank 2; make it equal on all ranks");
    assertThatThrownBy(() -> reach(Map.of("a", "1"), "a=1\nc=3\n"))
        .hasMessage(
            "group [g]: c is [not there] on rank 0 and [3] on rank 1; make it equal on all ranks");
    assertThatThrownBy(() -> reach(Map.of("a", "1"), "garbage"))
        .hasMessage(
            "group [g]: a is [1] on rank 0 and [not there] on rank 1; make it equal on all ranks");
  }
}
