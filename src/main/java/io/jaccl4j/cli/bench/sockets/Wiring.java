package io.jaccl4j.cli.bench.sockets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which ranks are joined by a socket. */
public enum Wiring {
  /** One socket between any two ranks. */
  MESH {
    @Override
    List<Edge> edges(int ranks) {
      List<Edge> edges = new ArrayList<>();
      for (int from = 0; from < ranks; from++) {
        for (int to = from + 1; to < ranks; to++) {
          edges.add(new Edge(from, to));
        }
      }
      return edges;
    }
  },

  /** One socket from each rank to the next: two ranks have two, as in MLX's ring. */
  RING {
    @Override
    List<Edge> edges(int ranks) {
      List<Edge> edges = new ArrayList<>();
      for (int from = 0; from < ranks; from++) {
        edges.add(new Edge(from, (from + 1) % ranks));
      }
      return edges;
    }
  };

  /** One socket, which {@code from} opens. */
  record Edge(int from, int to) {}

  /** All of them, in the same order on every rank. */
  abstract List<Edge> edges(int ranks);

  /** Its name in results. */
  public String label() {
    return "sockets-" + name().toLowerCase(Locale.ROOT);
  }
}
