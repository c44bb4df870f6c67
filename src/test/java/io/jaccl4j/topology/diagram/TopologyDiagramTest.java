package io.jaccl4j.topology.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Topology;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class TopologyDiagramTest {
  private static final List<String> NONE = List.of();

  /** Ranks 0-1 and 1-2 are cabled, 0-2 is not. */
  private static final DeviceMatrix LINE =
      DeviceMatrix.of(
          List.of(
              List.of(NONE, List.of("rdma_en1"), NONE),
              List.of(List.of("rdma_en2"), NONE, List.of("rdma_en3")),
              List.of(NONE, List.of("rdma_en4"), NONE)));

  private static final DeviceMatrix PAIR =
      DeviceMatrix.of(
          List.of(
              List.of(NONE, List.of("rdma_en1", "rdma_en2")),
              List.of(List.of("rdma_en3", "rdma_en4"), NONE)));

  @Test
  void shouldMarkTheBrokenLinkInTheTable() {
    assertThat(TableText.render(TopologyDiagram.of(LINE, Topology.MESH, NONE)))
        .isEqualTo(
            """
            mesh of 3, broken
               from    devices   to      devices   state
               rank 0  rdma_en1  rank 1  rdma_en2  ok
            X  rank 0  -         rank 2  -         no cable between rank 0 and rank 2
               rank 1  rdma_en3  rank 2  rdma_en4  ok
            """);
  }

  @Test
  void shouldShowEveryWireAndHostOfASoundRing() {
    assertThat(TableText.render(TopologyDiagram.of(PAIR, Topology.RING, List.of("studio", "mini"))))
        .isEqualTo(
            """
            ring of 2
              from           devices            to           devices            state
              rank 0 studio  rdma_en1,rdma_en2  rank 1 mini  rdma_en3,rdma_en4  ok
            """);
  }

  @Test
  void shouldShowFaultsOfNoLink() {
    DeviceMatrix alone = DeviceMatrix.of(List.of(List.of(NONE)));

    assertThat(TableText.render(TopologyDiagram.of(alone, Topology.RING, NONE)))
        .contains("ring of 1, broken", "X  1 rank, want 2 or more for a ring");
    assertThat(DotText.render(TopologyDiagram.of(alone, Topology.MESH, NONE)))
        .contains("1 rank, want 2 to 8 for a mesh");
  }

  @Test
  void shouldWriteGraphvizWithBrokenLinkInRed() {
    assertThat(DotText.render(TopologyDiagram.of(LINE, Topology.MESH, NONE)))
        .isEqualTo(
            """
            graph jaccl {
              layout=circo;
              label="mesh of 3, broken";
              node [shape=box];
              r0 [label="rank 0"];
              r1 [label="rank 1"];
              r2 [label="rank 2"];
              r0 -- r1 [taillabel="rdma_en1", headlabel="rdma_en2"];
              r0 -- r2 [taillabel="-", headlabel="-", color=red, fontcolor=red, style=dashed, \
            label="no cable between rank 0 and rank 2"];
              r1 -- r2 [taillabel="rdma_en3", headlabel="rdma_en4"];
            }
            """);
  }

  @Test
  void shouldQuoteNamesForGraphviz() {
    assertThat(DotText.render(TopologyDiagram.of(PAIR, Topology.MESH, List.of("a\"b", "c\\d"))))
        .contains("label=\"rank 0 a\\\"b\"", "label=\"rank 1 c\\\\d\"");
  }

  @Test
  void shouldDrawWellFormedSvgWithBrokenLinkCrossedOut() throws Exception {
    Document document =
        parse(
            SvgDrawing.render(
                TopologyDiagram.of(LINE, Topology.MESH, List.of("<a>", "b&c", "\"d\""))));

    NodeList lines = document.getElementsByTagName("line");
    assertThat(lines.getLength()).isEqualTo(3);
    long dashed = 0;
    for (int i = 0; i < lines.getLength(); i++) {
      dashed += ((Element) lines.item(i)).hasAttribute("stroke-dasharray") ? 1 : 0;
    }
    assertThat(dashed).isOne();
    assertThat(document.getElementsByTagName("path").getLength()).isOne();
    assertThat(document.getDocumentElement().getTextContent())
        .contains("rank 0 <a>", "rank 1 b&c", "no cable between rank 0 and rank 2", "rdma_en3");
  }

  @Test
  void shouldDrawNothingInRedWhereAllIsWell() throws Exception {
    String svg = SvgDrawing.render(TopologyDiagram.of(PAIR, Topology.RING, NONE));

    assertThat(parse(svg).getElementsByTagName("line").getLength()).isOne();
    assertThat(svg).doesNotContain("stroke-dasharray", "#c53030");
  }

  @Test
  void shouldDrawOnlyNeighboursOfARing() {
    DeviceMatrix four =
        DeviceMatrix.of(
            List.of(
                List.of(NONE, List.of("a"), NONE, List.of("b")),
                List.of(List.of("a"), NONE, List.of("b"), NONE),
                List.of(NONE, List.of("a"), NONE, List.of("b")),
                List.of(List.of("a"), NONE, List.of("b"), NONE)));

    TopologyDiagram ring = TopologyDiagram.of(four, Topology.RING, NONE);

    assertThat(ring.isSound()).isTrue();
    assertThat(ring.links())
        .extracting(link -> link.first() + "-" + link.second())
        .containsExactly("0-1", "0-3", "1-2", "2-3");
  }

  @Test
  void shouldRefuseWhatCannotBeDrawn() {
    assertThatThrownBy(() -> TopologyDiagram.of(PAIR, Topology.AUTO, NONE))
        .hasMessage("topology is AUTO, want MESH or RING");
    assertThatThrownBy(() -> TopologyDiagram.of(PAIR, Topology.MESH, List.of("one")))
        .hasMessage("1 host names for 2 ranks");
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
