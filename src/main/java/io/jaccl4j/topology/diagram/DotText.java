package io.jaccl4j.topology.diagram;

/** A diagram in the language of Graphviz; broken links are red and dashed. */
public final class DotText {
  private DotText() {}

  /** The graph, for {@code dot} or {@code circo}. */
  public static String render(TopologyDiagram diagram) {
    StringBuilder text = new StringBuilder("graph jaccl {\n");
    text.append("  layout=circo;\n  label=").append(quoted(label(diagram))).append(";\n");
    text.append("  node [shape=box];\n");
    for (int rank = 0; rank < diagram.labels().size(); rank++) {
      text.append("  r%d [label=%s];\n".formatted(rank, quoted(diagram.labels().get(rank))));
    }
    for (DrawnLink link : diagram.links()) {
      text.append(
          "  r%d -- r%d [taillabel=%s, headlabel=%s%s];\n"
              .formatted(
                  link.first(),
                  link.second(),
                  quoted(DrawnLink.names(link.firstDevices())),
                  quoted(DrawnLink.names(link.secondDevices())),
                  link.fault()
                      .map(
                          fault ->
                              ", color=red, fontcolor=red, style=dashed, label=" + quoted(fault))
                      .orElse("")));
    }
    return text.append("}\n").toString();
  }

  private static String label(TopologyDiagram diagram) {
    return diagram.faults().isEmpty()
        ? diagram.title()
        : diagram.title() + ": " + String.join("; ", diagram.faults());
  }

  private static String quoted(String content) {
    return '"' + content.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
