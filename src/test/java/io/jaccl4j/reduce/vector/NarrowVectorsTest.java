package io.jaccl4j.reduce.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels on vectors narrower than this machine's: those of arm64 have 128 bits, those of most x86
 * machines 256.
 */
class NarrowVectorsTest {

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  void shouldEqualTheReferenceOnNarrowVectors(int bits) throws IOException, InterruptedException {
    String output =
        ChildJvm.output(
            NarrowVectorsStart.class,
            "--add-modules=jdk.incubator.vector",
            "-XX:MaxVectorSize=" + bits / Byte.SIZE);
    // A machine without vectors as wide as that has narrower ones.
    assertThat(output)
        .containsPattern(NarrowVectorsStart.ALL_EQUAL + "vector \\((128|" + bits + ") bits\\)");
  }
}
