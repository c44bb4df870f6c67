package io.jaccl4j.javadoc;

import io.jaccl4j.Dtype;
import io.jaccl4j.LocalCluster;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** For {@link LocalCluster}. */
final class LocalClusterExample {
  private LocalClusterExample() {}

  static List<Integer> run() {
    // @start region="local-cluster"
    try (LocalCluster cluster = LocalCluster.start(4)) {
      cluster.runOnAll(Session::barrier);
      return cluster.onAll(
          session -> {
            MemorySegment own = session.allocate(Integer.BYTES);
            own.set(ValueLayout.JAVA_INT, 0, session.rank());
            session.allSum(own, own, Dtype.INT32);
            return own.get(ValueLayout.JAVA_INT, 0);
          });
    }
    // @end
  }
}
