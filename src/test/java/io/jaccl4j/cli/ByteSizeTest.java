package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {

  @Test
  void shouldUnderstandUnits() {
    ByteSize size = new ByteSize();
    assertThat(size.convert("4")).isEqualTo(4);
    assertThat(size.convert("64K")).isEqualTo(65_536);
    assertThat(size.convert("1M")).isEqualTo(1_048_576);
    assertThat(size.convert("3G")).isEqualTo(3_221_225_472L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-4", "K", "1T", "1.5M", "1MB", "99999999999"})
  void shouldRefuseAnythingElse(String text) {
    assertThatThrownBy(() -> new ByteSize().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
