package io.jaccl4j.config.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:5000, 127.0.0.1, 5000",
    "localhost:1, localhost, 1",
    "studio-2.local:65535, studio-2.local, 65535",
    "[::1]:11441, ::1, 11441",
    "[fe80::1%en5]:5000, fe80::1%en5, 5000",
    "[::ffff:10.0.0.1]:7, ::ffff:10.0.0.1, 7",
    "0.0.0.0:80, 0.0.0.0, 80"
  })
  void shouldReadAndWrite(String text, String host, int port) {
    HostPort read = HostPort.parse(text);

    assertThat(read).isEqualTo(new HostPort(host, port));
    assertThat(read).hasToString(text);
    assertThat(read.toSocketAddress().getHostString()).isEqualTo(host);
    assertThat(read.toSocketAddress().isUnresolved()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "::1|more than one colon",
        "host|no port",
        "host:|no port",
        ":5000|no host",
        "host:99999|port 99999, want 1 to 65535",
        "host:0|port 0, want 1 to 65535",
        "host:12ab|the port is no number",
        "host:-1|the port is no number",
        "host: 5|the port is no number",
        "host:4294967296|the port is no number",
        "[::1]|no port",
        "[::1]5000|no port",
        "[::1:5000|no closing bracket",
        "[host]:5000|no IPv6 address in the brackets",
        "[::g]:5000|\"::g\" is no host name or address",
        "[fe80::1%]:5000|\"fe80::1%\" is no host name or address",
        "256.0.0.1:5000|\"256.0.0.1\" is no host name or address",
        "10.0.1:5000|\"10.0.1\" is no host name or address",
        "-host:5000|\"-host\" is no host name or address",
        "two words:5000|\"two words\" is no host name or address",
        "user@host:5000|\"user@host\" is no host name or address",
        "''|no port"
      },
      delimiter = '|')
  void shouldQuoteWhatItRefuses(String text, String why) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "address \"%s\": %s, want host:port, an IPv6 address in brackets".formatted(text, why));
  }

  @Test
  void shouldRefuseNamesThatNoHostCanHave() {
    assertThatThrownBy(() -> new HostPort("a".repeat(254), 1))
        .hasMessageContaining("is no host name or address");
  }
}
