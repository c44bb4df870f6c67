package io.jaccl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.init.EnvironmentInitializer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups by {@code init} in a process whose environment configures none. */
class JacclTest {

  @BeforeEach
  void checkEnvironment() {
    assumeThat(
            Stream.of("MLX_HOSTFILE", "MLX_IBV_DEVICES", "JACCL_IBV_DEVICES")
                .filter(name -> System.getenv(name) != null))
        .as("MLX's variables in this process's environment")
        .isEmpty();
  }

  @Test
  void shouldMakeAGroupOfOneWhereNothingIsConfigured() {
    try (Group group = Jaccl.init();
        Arena arena = Arena.ofShared()) {
      MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_INT, 7);
      group.allSum(cell, cell, Dtype.INT32);
      assertThat(group.size()).isOne();
      assertThat(cell.get(ValueLayout.JAVA_INT, 0)).isEqualTo(7);
    }
  }

  @Test
  void shouldGiveTheSameGroupUntilItIsClosed() {
    Group first = Jaccl.init();
    assertThat(Jaccl.init()).isSameAs(first);
    first.close();
    try (Group second = Jaccl.init()) {
      assertThat(second).isNotSameAs(first);
      assertThat(second.health()).isEqualTo(GroupHealth.READY);
    }
  }

  @Test
  void shouldKeepBeingAloneApartForEachBackend() {
    try (Group ring = Jaccl.init(false, "ring");
        Group any = Jaccl.init()) {
      assertThat(Jaccl.init(false, Backend.RING)).isSameAs(ring).isNotSameAs(any);
      assertThatThrownBy(() -> Jaccl.init(true, "any"))
          .as("strict, though a group of one is known")
          .isInstanceOf(ConfigurationException.class);
    }
  }

  @Test
  void shouldRefuseABackendOfAnotherName() {
    assertThatThrownBy(() -> Jaccl.init(false, "nccl"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("backend is \"nccl\", want one of any, ring, jaccl");
  }

  @Test
  void shouldRefuseToBeAloneWhereThatIsNotWanted() {
    assertThatThrownBy(() -> Jaccl.init(true, Backend.JACCL))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("JACCL is not configured: missing");
  }

  @Test
  void shouldSayWhatIsAvailable() {
    assertThat(Jaccl.isAvailable(Backend.ANY)).isTrue();
    assertThat(Jaccl.isAvailable(Backend.RING)).isTrue();
    assertThat(Jaccl.isAvailable(Backend.JACCL))
        .as("a verbs library with a device")
        .isEqualTo(new EnvironmentInitializer().unavailableBecause(Backend.JACCL).isEmpty());
  }
}
