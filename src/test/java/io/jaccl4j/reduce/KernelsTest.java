package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelsTest {

  @ParameterizedTest
  @ValueSource(strings = {"mixed mode, emulated-client, sharing", "interpreted mode, sharing"})
  void shouldNotTakeVectorKernelsWhereNothingOptimizesThem(String vmInfo) {
    assertThat(Kernels.optimizes(vmInfo)).isFalse();
  }

  @Test
  void shouldTakeVectorKernelsInAnOrdinaryJvm() {
    assertThat(Kernels.optimizes("mixed mode, sharing")).isTrue();
    assertThat(Kernels.providerName()).startsWith("vector");
  }
}
