package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.testing.TestSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which devices are left when wires of a ring are not used. */
class WireSelectionTest {

  private static GroupSettings settings(
      int size, int wires, List<String> devices, List<List<List<String>>> matrix) {
    GroupSettings settings = TestSettings.of("selection", size);
    GroupSettings.Verbs verbs = settings.verbs();
    return settings
        .withRing(new GroupSettings.Ring(wires, 1, 2, true))
        .withVerbs(
            new GroupSettings.Verbs(
                verbs.library(),
                devices,
                matrix,
                verbs.queuePair(),
                verbs.gidIndex(),
                verbs.pairWires(),
                verbs.trace()));
  }

  @Test
  void shouldLeaveOutTheSameWireOfEveryCable() {
    GroupSettings settings = settings(3, 3, List.of("a", "b", "c"), List.of());
    // Wires 0 to 2 are of the first cable, 3 to 5 of the second.
    WireSelection selection = WireSelection.all(3, 3).without(Map.of(4, "down"));
    assertThat(selection.used()).containsExactly(0, 2);
    GroupSettings fewer = selection.apply(settings);
    assertThat(fewer.ring().wires()).isEqualTo(2);
    assertThat(fewer.verbs().devices()).containsExactly("a", "c");
    assertThat(selection.describe()).isEqualTo("wire 1 of each cable is left out, down");
  }

  @Test
  void shouldCountWiresAsTheyAreNumberedAfterAnEarlierLoss() {
    GroupSettings settings = settings(3, 3, List.of("a", "b", "c"), List.of());
    WireSelection selection =
        WireSelection.all(3, 3).without(Map.of(0, "down")).without(Map.of(3, "dead"));
    assertThat(selection.used()).containsExactly(1);
    assertThat(selection.apply(settings).verbs().devices()).containsExactly("b");
    assertThat(selection.without(Map.of(2, "gone")).used()).isEmpty();
  }

  @Test
  void shouldKeepBothCablesOfARingOfTwoOnTheirOwnDevices() {
    WireSelection selection = WireSelection.all(2, 2).without(Map.of(0, "down"));
    assertThat(
            selection
                .apply(settings(2, 2, List.of("a", "b", "c", "d"), List.of()))
                .verbs()
                .devices())
        .containsExactly("b", "d");
    assertThat(selection.apply(settings(2, 2, List.of("a", "b"), List.of())).verbs().devices())
        .containsExactly("b", "b");
  }

  @Test
  void shouldLeaveDevicesOutOfEveryCellOfAMatrix() {
    List<List<List<String>>> matrix =
        List.of(
            List.of(List.of(), List.of("a", "b"), List.of("c", "d")),
            List.of(List.of("e", "f"), List.of(), List.of("g", "h")),
            List.of(List.of("i", "j"), List.of("k", "l"), List.of()));
    GroupSettings fewer =
        WireSelection.all(3, 2).without(Map.of(1, "down")).apply(settings(3, 2, List.of(), matrix));
    assertThat(fewer.verbs().deviceMatrix())
        .isEqualTo(
            List.of(
                List.of(List.of(), List.of("a"), List.of("c")),
                List.of(List.of("e"), List.of(), List.of("g")),
                List.of(List.of("i"), List.of("k"), List.of())));
    assertThat(fewer.verbs().devices()).isEmpty();
  }
}
