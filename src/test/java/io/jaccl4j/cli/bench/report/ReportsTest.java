package io.jaccl4j.cli.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.Timing;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The files, read back with other people's parsers. */
class ReportsTest {
  private static final String NASTY = "a \"b\" \\ <c> & d\te\u0001\n\u20ac";

  @Test
  void shouldWriteCsvWithAsManyCellsAsNames() {
    List<String> lines = CsvReport.render(measurements(Mode.SESSION)).lines().toList();
    assertThat(lines).hasSize(4);
    List<String> names = List.of(lines.getFirst().split(",", -1));
    assertThat(names)
        .contains("bytes", "median_ns", "bus_gb_per_s", "errors")
        .doesNotHaveDuplicates();
    for (String line : lines.subList(1, lines.size())) {
      assertThat(line.split(",", -1)).hasSameSizeAs(names);
    }
    assertThat(lines.get(1))
        .isEqualTo(
            "all_sum,float32,shm,session,4,8,2,10,20,500.0,1000.0,2000.0,0.008,0.012,,250.0,4.0");
    assertThat(lines.get(2).split(",", -1)[names.indexOf("errors")]).isEqualTo("3");
  }

  @Test
  void shouldWriteJsonThatJacksonReads() throws Exception {
    JsonNode json =
        new ObjectMapper()
            .readTree(JsonReport.render(Map.of("os", NASTY), measurements(Mode.SESSION)));
    assertThat(json.path("setting").path("os").asText()).isEqualTo(NASTY);
    JsonNode first = json.path("measurements").path(0);
    assertThat(json.path("measurements")).hasSize(3);
    assertThat(first.path("operation").asText()).isEqualTo("all_sum");
    assertThat(first.path("bytes").asLong()).isEqualTo(8);
    assertThat(first.path("median_ns").asDouble()).isEqualTo(1000.0);
    assertThat(first.path("bus_gb_per_s").asDouble()).isEqualTo(0.012);
    assertThat(first.path("errors").isNull()).isTrue();
    assertThat(json.path("measurements").path(1).path("errors").asLong()).isEqualTo(3);
  }

  @Test
  void shouldDrawALinePerModeAndOneForTheCopyInBothCharts() throws Exception {
    List<Measurement> both = new ArrayList<>(measurements(Mode.SESSION));
    both.addAll(measurements(Mode.HAND_OVER));
    Document svg = parse(SvgReport.render(NASTY.replace("\u0001", ""), both));
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    // Two charts with three lines each, every line once more in the legend.
    assertThat(elements(svg, "polyline")).hasSize(12);
    // The copies have no dots.
    assertThat(elements(svg, "circle")).hasSize(2 * 2 * 3);
    List<String> texts = elements(svg, "text").stream().map(Element::getTextContent).toList();
    assertThat(texts)
        .contains(
            "all_sum float32 between 4 ranks",
            "session",
            "hand-over",
            "memcpy in one process",
            "message size, bytes",
            "GB/s",
            "microseconds",
            "0.01",
            "512 Ki");
    assertThat(texts.stream().filter(text -> text.contains("<c> & d"))).hasSize(1);
  }

  @Test
  void shouldDrawALinePerTransportWhereTheyAreCompared() throws Exception {
    List<Measurement> all = new ArrayList<>();
    for (String transport : List.of("shm", "tcp", "ring", "sockets-mesh", "sockets-ring")) {
      all.add(over(transport, 8));
      all.add(over(transport, 4096));
    }
    Document svg = parse(SvgReport.render("", all));
    // No copy was measured: five lines in two charts, every line once more in the legend.
    assertThat(elements(svg, "polyline")).hasSize(20);
    assertThat(elements(svg, "text").stream().map(Element::getTextContent))
        .contains("shm", "tcp", "ring", "sockets-mesh", "sockets-ring")
        .doesNotContain("memcpy in one process");
    assertThat(elements(svg, "circle").stream().map(dot -> dot.getAttribute("fill")).distinct())
        .hasSize(5);
  }

  private static Measurement over(String transport, long bytes) {
    return new Measurement(
        Operation.ALL_SUM,
        Dtype.FLOAT32,
        transport,
        Mode.SESSION,
        2,
        bytes,
        bytes / 4,
        new Timing(10, 2, 100, 200, 300),
        Measurement.NOT_CHECKED,
        Measurement.NOT_MEASURED);
  }

  @Test
  void shouldKeepAllPointsWithinThePage() throws Exception {
    Document svg = parse(SvgReport.render("", measurements(Mode.SESSION).subList(0, 1)));
    for (Element dot : elements(svg, "circle")) {
      assertThat(Double.parseDouble(dot.getAttribute("cx"))).isBetween(0.0, 1200.0);
      assertThat(Double.parseDouble(dot.getAttribute("cy"))).isBetween(0.0, 560.0);
    }
  }

  private static List<Measurement> measurements(Mode mode) {
    return List.of(
        measurement(mode, 8, 1_000, Measurement.NOT_CHECKED),
        measurement(mode, 4096, 4_000, 3),
        measurement(mode, 1 << 20, 100_000, 0));
  }

  private static Measurement measurement(Mode mode, long bytes, double medianNanos, long wrong) {
    return new Measurement(
        Operation.ALL_SUM,
        Dtype.FLOAT32,
        "shm",
        mode,
        4,
        bytes,
        bytes / 4,
        new Timing(10, 2, medianNanos / 2, medianNanos, 2 * medianNanos),
        wrong,
        medianNanos / 4);
  }

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}
