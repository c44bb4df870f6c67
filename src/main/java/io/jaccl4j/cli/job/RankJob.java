package io.jaccl4j.cli.job;

import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What one rank does with its group, on every rank alike. */
@FunctionalInterface
public interface RankJob {

  /** A thread for a job. */
  enum Place {
    /** The group's engine thread, where operations cost no hand-over. */
    ENGINE_THREAD,
    /** A thread of its own, from where each operation is handed to the engine. */
    OWN_THREAD
  }

  /** Where to run it. */
  default Place place() {
    return Place.ENGINE_THREAD;
  }

  /**
   * Does the work and hands every result over as soon as it is there. The same steps in the same
   * order on every rank.
   */
  void run(Session session, Consumer<StepResult> report);

  /** Further groups of the same ranks. */
  @FunctionalInterface
  interface Groups {

    /**
     * Joins one; all ranks join the same.
     *
     * @param change how its settings differ from those of the job's own group, at least in the name
     */
    CompletionStage<Group> join(UnaryOperator<GroupSettings> change);
  }

  /** Makes the job of one rank; what takes input and output (reading a file) is done here. */
  @FunctionalInterface
  interface Factory {

    /**
     * The job of rank {@code rank} among {@code size}.
     *
     * @param groups for a job that needs more than its own group
     */
    RankJob prepare(int rank, int size, Groups groups);
  }
}
