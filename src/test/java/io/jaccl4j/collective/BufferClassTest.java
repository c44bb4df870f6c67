package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Message sizes of JACCL's classes. */
class BufferClassTest {

  @ParameterizedTest
  @CsvSource({
    "1, 4096",
    "4096, 4096",
    "8191, 4096",
    "8192, 8192",
    "32772, 32768",
    "200000, 131072",
    "524287, 262144",
    "524288, 524288",
    "4000012, 524288",
  })
  void shouldTakeTheLargestClassThatATransferFills(long bytes, int want) {
    assertThat(BufferClass.messageBytes(bytes, 512 << 10)).isEqualTo(want);
  }
}
