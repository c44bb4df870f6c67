package io.jaccl4j;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Makes the groups of {@link LocalCluster}: found by {@link java.util.ServiceLoader}, so that the
 * API knows nothing of what is below it.
 */
public interface LocalGroupInitializer {

  /**
   * Forms a group whose ranks are all in this JVM, over shared memory; on the caller's thread,
   * within the configured deadline.
   *
   * @param size number of ranks, positive
   * @param adaptation changes the configured settings; what it makes of name and size is kept, the
   *     fabric is not
   * @return every rank's side of the group, in rank order
   * @throws FormationException if the group does not form; nothing of it is left then
   */
  List<Group> form(int size, UnaryOperator<GroupSettings> adaptation);
}
