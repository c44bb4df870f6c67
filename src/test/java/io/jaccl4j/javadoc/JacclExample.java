package io.jaccl4j.javadoc;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.Jaccl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** For {@link Jaccl}. */
final class JacclExample {
  private JacclExample() {}

  static double mean(double own) {
    // @start region="init"
    // The environment says who this rank is: JACCL_RANK, JACCL_IBV_DEVICES, JACCL_COORDINATOR, or
    // MLX_HOSTFILE. With none of them the group is this process alone.
    try (Group group = Jaccl.init();
        Arena arena = Arena.ofShared()) {
      MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, own);
      group.allSum(cell, cell, Dtype.FLOAT64);
      return cell.get(ValueLayout.JAVA_DOUBLE, 0) / group.size();
    }
    // @end
  }
}
