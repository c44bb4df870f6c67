package io.jaccl4j.readme;

import io.jaccl4j.Dtype;
import io.jaccl4j.LocalCluster;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The README's snippet of a group in one JVM, between the markers, as a program. */
final class LocalClusterExample {

  private LocalClusterExample() {}

  static List<Float> run() {
    // snippet begins
    try (LocalCluster cluster = LocalCluster.start(4)) {
      return cluster.onAll(
          session -> {
            MemorySegment data = session.allocate(Float.BYTES);
            data.set(ValueLayout.JAVA_FLOAT, 0, session.rank() + 1);
            session.allSum(data, data, Dtype.FLOAT32);
            return data.get(ValueLayout.JAVA_FLOAT, 0);
          });
    }
    // snippet ends
  }
}
