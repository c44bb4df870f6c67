package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelsTest {
  private static final String LOG_CLASSES = "-Xlog:class+load";
  private static final String VECTOR_PACKAGE = "io.jaccl4j.reduce.vector";

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

  @ParameterizedTest
  @ValueSource(strings = {"io.jaccl4j.reduce.vector.Absent", "io.jaccl4j.reduce.Kernels"})
  void shouldFallBackWhereTheProviderCannotBeLoaded(String className) {
    assertThat(Kernels.load(className)).isInstanceOf(ScalarKernels.class);
  }

  @Test
  void shouldLoadNothingOfTheVectorKernelsWithoutTheModule()
      throws IOException, InterruptedException {
    assertThat(ChildJvm.output(KernelsStart.class, LOG_CLASSES))
        .contains(KernelsStart.PROVIDER + "scalar", KernelsStart.SUM + "3.75")
        .contains("--add-modules jdk.incubator.vector")
        .doesNotContain(VECTOR_PACKAGE);
  }

  /** That the test above would see them. */
  @Test
  void shouldLoadTheVectorKernelsWithTheModule() throws IOException, InterruptedException {
    assertThat(
            ChildJvm.output(KernelsStart.class, LOG_CLASSES, "--add-modules=jdk.incubator.vector"))
        .contains(KernelsStart.PROVIDER + "vector", KernelsStart.SUM + "3.75")
        .contains(VECTOR_PACKAGE);
  }
}
