package io.jaccl4j.javadoc;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletionStage;

/** For {@link Group}. */
final class GroupExample {
  private GroupExample() {}

  static float[] allSum(Group group, float[] gradients) {
    // @start region="all-sum"
    // Once: memory that the links send without copying it first.
    MemorySegment buffer = group.allocate((long) gradients.length * Float.BYTES);
    // In every step:
    MemorySegment.copy(gradients, 0, buffer, ValueLayout.JAVA_FLOAT, 0, gradients.length);
    group.allSum(buffer, buffer, Dtype.FLOAT32);
    MemorySegment.copy(buffer, ValueLayout.JAVA_FLOAT, 0, gradients, 0, gradients.length);
    // @end
    return gradients;
  }

  static CompletionStage<Integer> run(Group group) {
    // @start region="run"
    // A thousand small operations, for the price of one hand-over.
    CompletionStage<Integer> highest =
        group.run(
            session -> {
              MemorySegment cell = session.allocate(Integer.BYTES);
              for (int step = 0; step < 1000; step++) {
                cell.set(ValueLayout.JAVA_INT, 0, step * session.size() + session.rank());
                session.allMax(cell, cell, Dtype.INT32);
              }
              return cell.get(ValueLayout.JAVA_INT, 0);
            });
    // @end
    return highest;
  }

  static String failure(Group group) {
    // @start region="failure"
    try {
      group.barrier();
      return "all are here";
    } catch (PeerLostException e) {
      return "rank " + e.rank() + " at " + e.address() + " is gone: close, and join again";
    } catch (OperationTimeoutException e) {
      return "rank " + e.failure().rank() + " did not come in time: " + e.getMessage();
    }
    // @end
  }
}
