package io.jaccl4j.config.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HostfilesTest {

  /** Each kind of file. */
  private enum Form {
    DEVICES(DeviceFile::parse, DeviceFile::read),
    RING(RingHostfile::parse, RingHostfile::read),
    LAUNCH(LaunchHostfile::parse, LaunchHostfile::read),
    PLAIN(PlainHostfile::parse, PlainHostfile::read);

    private final BiFunction<String, String, Object> parser;
    private final java.util.function.Function<Path, Object> reader;

    Form(
        BiFunction<String, String, Object> parser,
        java.util.function.Function<Path, Object> reader) {
      this.parser = parser;
      this.reader = reader;
    }
  }

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Form.class)
  void shouldRefuseWhatIsNoJson(Form form) {
    assertRefused(form, "[1,\n 2,,]", "f.json:2:4: not JSON: ");
    assertRefused(form, "[1, 2", "f.json:1:6: not JSON: ");
    assertRefused(form, "{\"a\": 1, \"a\": 2}", "f.json:1:", "Duplicate field 'a'");
    assertRefused(form, "[] []", "f.json:1:4: more after the end of the JSON");
    assertRefused(form, " \n", "f.json: empty, want ", "mlx.launch writes an empty file");
    assertRefused(form, "17", "f.json:1:1: the file is a number, want ");
    assertRefused(form, "true", "f.json:1:1: the file is a boolean, want ");
    assertRefused(form, "null", "f.json:1:1: the file is null, want ");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void shouldNameTheFileThatIsNotThere(Form form) {
    Path missing = directory.resolve("missing.json");

    assertThatThrownBy(() -> form.reader.apply(missing))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(missing + ": there is no such file, want ");
    assertThatThrownBy(() -> form.reader.apply(directory))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(directory + ": cannot be read (");
  }

  @Test
  void shouldReadDevicesInEveryFormOfACell() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("devices.json"),
            """
            [[null, "rdma_en5", ["rdma_en3", "rdma_en4"]],
             ["rdma_en2", [], null],
             [["rdma_en1"], null, null]]
            """);

    assertThat(DeviceFile.read(file))
        .isEqualTo(
            DeviceMatrix.of(
                List.of(
                    List.of(List.of(), List.of("rdma_en5"), List.of("rdma_en3", "rdma_en4")),
                    List.of(List.of("rdma_en2"), List.of(), List.of()),
                    List.of(List.of("rdma_en1"), List.of(), List.of()))));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "[]|f.json:1:1: the list is empty, want one row for each rank",
        "{}|f.json:1:1: the file is an object, want a device matrix",
        "[[null, \"a\"], 5]|f.json:1:15: row of rank 1 is a number, want a list",
        "[[null, \"a\"], [\"b\"]]|f.json:1:15: row of rank 1 has 1 cells, want 2",
        "[[null, 7], [\"b\", null]]|f.json:1:9: rank 0, device towards rank 1 is a number, want"
            + " null, a device name or a list of device names",
        "[[null, [7]], [\"b\", null]]|f.json:1:10: rank 0, device towards rank 1 is a number, want"
            + " a device name",
        "[[null, \"a\"], [[\"\"], null]]|f.json:1:17: rank 1, device towards rank 0 is blank"
      },
      delimiter = '|')
  void shouldSayWhatIsWrongWithDevices(String text, String complaint) {
    assertRefused(Form.DEVICES, text, complaint);
  }

  @Test
  void shouldReadRingHosts() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("ring.json"),
            "[[\"10.0.0.1:5000\",\"10.0.0.1:5001\"],[\"[::1]:5000\",\"b:5001\"]]");

    RingHostfile ring = RingHostfile.read(file);

    assertThat(ring.size()).isEqualTo(2);
    assertThat(ring.connections()).isEqualTo(2);
    assertThat(ring.addresses())
        .containsExactly(
            List.of(new HostPort("10.0.0.1", 5000), new HostPort("10.0.0.1", 5001)),
            List.of(new HostPort("::1", 5000), new HostPort("b", 5001)));
  }

  @Test
  void shouldReadFlatRingHostsAsMlxDoes() {
    assertThat(RingHostfile.parse("[\"a:1\", \"b:1\", \"c:1\"]", "f.json").addresses())
        .containsExactly(
            List.of(new HostPort("a", 1)),
            List.of(new HostPort("b", 1)),
            List.of(new HostPort("c", 1)));
  }

  @Test
  void shouldReadPlainHostsAsARingWithOneConnection() {
    assertThat(RingHostfile.parse("{\"hosts\": [\"a:1\", \"[::1]:2\"]}", "f.json").addresses())
        .containsExactly(List.of(new HostPort("a", 1)), List.of(new HostPort("::1", 2)));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "[]|f.json:1:1: 0 ranks, want 2 or more for a ring",
        "[[\"a:1\"]]|f.json:1:1: 1 rank, want 2 or more for a ring",
        "[[],[]]|f.json:1:2: rank 0 has no address, want one for each connection",
        "[[\"a:1\"],[\"b:1\",\"b:2\"]]|f.json:1:10: rank 1 has 2 addresses, want 1 as rank 0 has",
        "[[\"a:1\"],[3]]|f.json:1:11: address of rank 1 is a number, want text such as",
        "[[\"a:1\"],[\"b\"]]|f.json:1:11: rank 1: address \"b\": no port, want host:port",
        "[[\"a:1\"],[\"b:70000\"]]|f.json:1:11: rank 1: address \"b:70000\": port 70000, want 1 to",
        "[[\"a:1\"],[\"A:1\"]]|f.json:1:11: rank 1: address A:1 is there twice, first for rank 0",
        "[[\"a:1\",\"a:1\"],[\"b:1\",\"b:2\"]]|f.json:1:9: rank 0: address a:1 is there twice",
        "[{\"ssh\":\"a\"},{\"ssh\":\"b\"}]|f.json:1:2: row of rank 0 is an object, want a list of"
            + " addresses; mlx.launch makes this file from its own",
        "[3,[\"a:1\"]]|f.json:1:2: row of rank 0 is a number, want a list of addresses",
        "{\"hosts\":[\"a:1\"]}|f.json:1:1: 1 rank, want 2 or more for a ring",
        "{\"backend\":\"jaccl\",\"hosts\":[\"a:1\",\"b:1\"]}|f.json:1:1: \"backend\" is \"mlx\", want tcp or"
            + " ring; the others take a device matrix, in MLX_IBV_DEVICES"
      },
      delimiter = '|')
  void shouldSayWhatIsWrongWithRingHosts(String text, String complaint) {
    assertRefused(Form.RING, text, complaint);
  }

  @Test
  void shouldReadBothFormsOfLaunchHosts() throws IOException {
    String hosts =
        """
        [{"ssh": "studio", "ips": ["10.0.0.1", "10.0.1.1"], "rdma": [null, "rdma_en5"]},
         {"ssh": "mini", "ips": [], "rdma": ["rdma_en4", null], "comment": "ignored"}]
        """;
    Path file =
        Files.writeString(
            directory.resolve("hosts.json"),
            "{\"backend\": \"jaccl\", \"envs\": [\"A=1=2\", \"B\"], \"hosts\": " + hosts + "}");

    LaunchHostfile list = LaunchHostfile.parse(hosts, "f.json");
    LaunchHostfile object = LaunchHostfile.read(file);

    assertThat(object.hosts()).isEqualTo(list.hosts());
    assertThat(object.backend()).contains("jaccl");
    assertThat(object.environment()).isEqualTo(Map.of("A", "1=2", "B", ""));
    assertThat(list.backend()).isEmpty();
    assertThat(list.environment()).isEmpty();
    assertThat(list.hosts().getFirst().ssh()).isEqualTo("studio");
    assertThat(list.devices())
        .isEqualTo(DeviceFile.parse("[[null,\"rdma_en5\"],[\"rdma_en4\",null]]", "x"));
    assertThat(list.coordinator(32323)).isEqualTo(new HostPort("10.0.0.1", 32323));
  }

  @Test
  void shouldMakeTheRingHostsThatMlxLaunchMakes() {
    LaunchHostfile hosts =
        LaunchHostfile.parse(
            "[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\",\"10.0.1.1\"]},{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\",\"10.0.1.2\"]}]",
            "f.json");

    assertThat(hosts.ring(LaunchHostfile.DEFAULT_STARTING_PORT, 2))
        .isEqualTo(
            RingHostfile.parse(
                """
                [["10.0.0.1:32323", "10.0.0.1:32324", "10.0.1.1:32325", "10.0.1.1:32326"],
                 ["10.0.0.2:32327", "10.0.0.2:32328", "10.0.1.2:32329", "10.0.1.2:32330"]]
                """,
                "x"));
    assertThatThrownBy(() -> hosts.ring(65533, 1))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("rank 1: port 65536, want 1 to 65535; lower the starting port 65533");
  }

  @Test
  void shouldSayWhichLaunchHostLacksSomething() {
    LaunchHostfile bare =
        LaunchHostfile.parse(
            "[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"],\"rdma\":[null,\"x\"]},{\"ssh\":\"b\",\"ips\":null,\"rdma\":[]}]",
            "f.json");

    assertThatThrownBy(bare::devices)
        .hasMessage("host of rank 1 (b) has no \"rdma\", want its row of device names");
    assertThatThrownBy(() -> bare.ring(1000, 1))
        .hasMessage(
            "host of rank 1 (b) has no \"ips\", want an address that the other ranks reach");
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "[]|f.json:1:1: the list of hosts is empty",
        "{}|f.json:1:1: no \"hosts\", want a list of hosts",
        "{\"hosts\": []}|f.json:1:11: the list of hosts is empty",
        "{\"hosts\": 3}|f.json:1:11: \"hosts\" is a number, want a list of hosts",
        "{\"backend\": 3, \"hosts\": []}|f.json:1:13: \"backend\" is a number, want a backend",
        "{\"envs\": {}, \"hosts\": []}|f.json:1:10: \"envs\" is an object, want a list of NAME",
        "{\"envs\": [\"=1\"], \"hosts\": []}|f.json:1:11: \"=1\" in \"envs\" is no variable",
        "[\"a\"]|f.json:1:2: host of rank 0 is text, want an object with",
        "[{\"ips\": []}]|f.json:1:2: host of rank 0 has no \"ssh\"",
        "[{\"ssh\": \" \"}]|f.json:1:10: \"ssh\" of rank 0 is blank",
        "[{\"ssh\": \"a\", \"ips\": \"b\"}]|f.json:1:22: \"ips\" of rank 0 is text, want a list",
        "[{\"ssh\": \"a\", \"ips\": [\"b:1\"]}]|f.json:1:23: rank 0: \"b:1\" is no host name",
        "[{\"ssh\": \"a\", \"ips\": [\"b\", \"b\"]}]|f.json:1:28: rank 0: address b is there twice",
        "[{\"ssh\": \"a\", \"rdma\": [null, null]}]|f.json:1:23: row of rank 0 has 2 cells, want 1",
        "[{\"ssh\": \"a\", \"rdma\": 4}]|f.json:1:23: row of rank 0 is a number, want a list"
      },
      delimiter = '|')
  void shouldSayWhatIsWrongWithLaunchHosts(String text, String complaint) {
    assertRefused(Form.LAUNCH, text, complaint);
  }

  @ParameterizedTest
  @CsvSource({
    "tcp, TCP",
    "ring, TCP",
    "thunderbolt, THUNDERBOLT",
    "tb, THUNDERBOLT",
    "mlx, MLX",
    "jaccl, MLX",
    "mlx-jaccl, MLX"
  })
  void shouldReadEveryNameOfABackend(String name, BackendName backend) {
    assertThat(
            PlainHostfile.parse(
                "{\"backend\": \"" + name + "\", \"hosts\": [\"a:1\", \"[::1]:2\"]}", "f.json"))
        .isEqualTo(
            new PlainHostfile(backend, List.of(new HostPort("a", 1), new HostPort("::1", 2))));
  }

  @Test
  void shouldTakeTcpWhereNoBackendIsNamed() {
    assertThat(PlainHostfile.parse("{\"hosts\": [\"a:1\"]}", "f.json").backend())
        .isEqualTo(BackendName.TCP);
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "[]|f.json:1:1: the file is a list, want an object such as",
        "{}|f.json:1:1: no \"hosts\", want an object such as",
        "{\"hosts\": []}|f.json:1:11: \"hosts\" is empty, want one address for each rank",
        "{\"hosts\": \"a:1\"}|f.json:1:11: \"hosts\" is text, want a list of addresses",
        "{\"hosts\": [\"a:1\", \"a\"]}|f.json:1:19: rank 1: address \"a\": no port",
        "{\"hosts\": [\"a:1\", \"b:1\", \"a:1\"]}|f.json:1:26: rank 2: address a:1 is there twice,"
            + " first for rank 0",
        "{\"backend\": \"nccl\", \"hosts\": [\"a:1\"]}|f.json:1:13: \"backend\" is \"nccl\", want one"
            + " of tcp, ring, thunderbolt, tb, mlx, jaccl, mlx-jaccl",
        "{\"backend\": null, \"hosts\": [\"a:1\"]}|f.json:1:13: \"backend\" is null, want one of",
        "{\"host\": [\"a:1\"]}|f.json:1:10: unknown member \"host\", want an object such as"
      },
      delimiter = '|')
  void shouldSayWhatIsWrongWithPlainHosts(String text, String complaint) {
    assertRefused(Form.PLAIN, text, complaint);
  }

  @ParameterizedTest
  @EnumSource(BackendName.class)
  void shouldReadBackWhatItWrote(BackendName backend) {
    PlainHostfile hosts = PlainHostfile.loopback(backend, 3, 5000);
    Path file = directory.resolve("plain.json");

    hosts.write(file);
    assertThat(PlainHostfile.read(file)).isEqualTo(hosts);

    PlainHostfile other =
        new PlainHostfile(
            backend, List.of(new HostPort("fe80::1%en5", 7), new HostPort("studio.local", 8)));
    other.write(file);
    assertThat(PlainHostfile.read(file)).isEqualTo(other);
    assertThat(directory).isDirectoryNotContaining("glob:**/.jaccl*");
  }

  @Test
  void shouldWriteTheCanonicalForm() {
    assertThat(PlainHostfile.loopback(BackendName.TCP, 2, 5000).toJson())
        .isEqualToIgnoringWhitespace(
            "{\"backend\": \"tcp\", \"hosts\": [\"127.0.0.1:5000\", \"127.0.0.1:5001\"]}");
  }

  @Test
  void shouldReadBackRingHostsAndDevices() {
    Path file = directory.resolve("written.json");
    RingHostfile ring = RingHostfile.loopback(3, 2, 5000);
    ring.write(file);
    assertThat(RingHostfile.read(file)).isEqualTo(ring);
    assertThat(ring.toJson())
        .isEqualToIgnoringWhitespace(
            """
            [["127.0.0.1:5000", "127.0.0.1:5001"], ["127.0.0.1:5002", "127.0.0.1:5003"],
             ["127.0.0.1:5004", "127.0.0.1:5005"]]
            """);

    String devices =
        """
        [[null, "rdma_en5", ["rdma_en3", "rdma_en4"]],
         ["rdma_en2", null, null],
         ["rdma_en1", null, null]]
        """;
    DeviceMatrix matrix = DeviceFile.parse(devices, "f.json");
    DeviceFile.write(matrix, file);
    assertThat(DeviceFile.read(file)).isEqualTo(matrix);
    assertThat(DeviceFile.toJson(matrix)).isEqualToIgnoringWhitespace(devices);
  }

  @Test
  void shouldRefuseRingOnThisMachineThatCannotBe() {
    assertThatThrownBy(() -> RingHostfile.loopback(1, 1, 5000))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("1 ranks with 1 connections, want 2 or more with 1 or more");
    assertThatThrownBy(() -> RingHostfile.loopback(2, 0, 5000))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("2 ranks with 0 connections");
    assertThatThrownBy(() -> RingHostfile.loopback(2, 2, 65533))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("port 65536, want 1 to 65535");
  }

  @Test
  void shouldRefuseLoopbackThatCannotBe() {
    assertThatThrownBy(() -> PlainHostfile.loopback(BackendName.TCP, 0, 5000))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("size is 0, want 1 or more ranks");
    assertThatThrownBy(() -> PlainHostfile.loopback(BackendName.TCP, 2, 65535))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("2 ranks from port 65535: port 65536, want 1 to 65535");
  }

  @Test
  void shouldNameTheFileThatCannotBeWritten() {
    Path file = directory.resolve("no/such/plain.json");

    assertThatThrownBy(() -> PlainHostfile.loopback(BackendName.TCP, 2, 5000).write(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(file + ": cannot be written (");
  }

  private static void assertRefused(Form form, String text, String... complaints) {
    assertThatThrownBy(() -> form.parser.apply(text, "f.json"))
        .as("%s %s", form, text)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(complaints[0])
        .hasMessageContainingAll(complaints);
  }
}
