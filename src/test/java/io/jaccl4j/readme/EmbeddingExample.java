package io.jaccl4j.readme;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;

/** The README's embedding snippet, between the markers, as a program. */
final class EmbeddingExample {

  private EmbeddingExample() {}

  static float run(ActorSystem<?> system) throws Exception {
    // snippet begins
    JacclExtension jaccl = JacclExtension.get(system);
    GroupSettings settings = jaccl.settings("training", 2);
    CompletionStage<Group> joined = jaccl.join(settings);
    Group group = joined.toCompletableFuture().get(60, TimeUnit.SECONDS);
    try (group) {
      MemorySegment gradient = group.allocate(1000 * Float.BYTES);
      for (int i = 0; i < 1000; i++) {
        gradient.setAtIndex(ValueLayout.JAVA_FLOAT, i, group.rank() + 1);
      }
      group.allSum(gradient, gradient, Dtype.FLOAT32);
      group.barrier();
      return gradient.getAtIndex(ValueLayout.JAVA_FLOAT, 999);
    }
    // snippet ends
  }
}
