package io.jaccl4j;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A formed group of ranks: the collective operations for any thread.
 *
 * <p>Every operation is handed to the group's engine thread and executed there in submission order,
 * one at a time. The blocking forms wait for it without spinning; the {@code Async} forms return at
 * once and complete on the engine thread, so dependent stages must be short or asynchronous.
 * Interrupting a blocking caller does not withdraw the operation: the call returns when it is
 * complete and the thread's interrupt flag is set again.
 *
 * <p>An operation must be complete within {@link GroupSettings#operationTimeout()} of its
 * submission, waiting in the queue included. A group that failed stays failed; join again for a new
 * one with a higher epoch.
 *
 * <p>An all-reduce of an array:
 *
 * {@snippet file="io/jaccl4j/javadoc/GroupExample.java" region="all-sum"}
 *
 * <p>Many small operations, on the group's own thread:
 *
 * {@snippet file="io/jaccl4j/javadoc/GroupExample.java" region="run"}
 *
 * <p>What a failure says:
 *
 * {@snippet file="io/jaccl4j/javadoc/GroupExample.java" region="failure"}
 */
public interface Group extends Session, AutoCloseable {

  /** {@return the group's name, unique in the cluster} */
  String name();

  /** {@return all ranks in rank order, this one included; the same table on every rank} */
  List<GroupMember> members();

  /** {@return whether operations can be submitted} */
  GroupHealth health();

  /** {@return the first cause, if the group failed} */
  Optional<GroupFailure> failure();

  /**
   * Completes normally when the group is closed, exceptionally with the first cause when it fails,
   * without any operation under way.
   *
   * @return the end of the group
   */
  CompletionStage<Void> terminated();

  /**
   * {@return one line for people: name, epoch, rank, topology and links, with the reason of each
   * choice}
   */
  String describe();

  /** {@return the counts of this rank since formation} */
  GroupCounters counters();

  /**
   * Asynchronous {@link #allSum}. Argument errors complete the stage too; nothing is thrown by any
   * of the asynchronous forms.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> allSumAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #allMax}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> allMaxAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #allMin}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> allMinAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #allGather}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @return complete when the operation is
   */
  CompletionStage<Void> allGatherAsync(MemorySegment in, MemorySegment out);

  /**
   * Asynchronous {@link #sumScatter}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> sumScatterAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #send}.
   *
   * @param data the bytes
   * @param peer the other rank
   * @return complete when the operation is
   */
  CompletionStage<Void> sendAsync(MemorySegment data, int peer);

  /**
   * Asynchronous {@link #recv}.
   *
   * @param data the bytes
   * @param peer the other rank
   * @return complete when the operation is
   */
  CompletionStage<Void> recvAsync(MemorySegment data, int peer);

  /**
   * Asynchronous {@link #allProduct}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> allProductAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #allAverage}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @return complete when the operation is
   */
  CompletionStage<Void> allAverageAsync(MemorySegment in, MemorySegment out, Dtype dtype);

  /**
   * Asynchronous {@link #broadcast}.
   *
   * @param data the bytes
   * @param root the rank that it is about
   * @return complete when the operation is
   */
  CompletionStage<Void> broadcastAsync(MemorySegment data, int root);

  /**
   * Asynchronous {@link #reduce}.
   *
   * @param op the reduction
   * @param in this rank's elements
   * @param out where the result goes
   * @param dtype the type of the elements
   * @param root the rank that it is about
   * @return complete when the operation is
   */
  CompletionStage<Void> reduceAsync(
      ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root);

  /**
   * Asynchronous {@link #gather}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param root the rank that it is about
   * @return complete when the operation is
   */
  CompletionStage<Void> gatherAsync(MemorySegment in, MemorySegment out, int root);

  /**
   * Asynchronous {@link #scatter}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @param root the rank that it is about
   * @return complete when the operation is
   */
  CompletionStage<Void> scatterAsync(MemorySegment in, MemorySegment out, int root);

  /**
   * Asynchronous {@link #allToAll}.
   *
   * @param in this rank's elements
   * @param out where the result goes
   * @return complete when the operation is
   */
  CompletionStage<Void> allToAllAsync(MemorySegment in, MemorySegment out);

  /**
   * Asynchronous {@link #barrier}.
   *
   * @return complete when the operation is
   */
  CompletionStage<Void> barrierAsync();

  /**
   * Runs a function on the engine thread, where operations cost no hand-over. It takes its turn in
   * submission order like an operation; the operations inside have a deadline each, the function
   * itself has none, and nothing else of this group proceeds until it returns. That may hold for
   * the end of what its last operation sends, too: compute elsewhere, or a peer waits for it.
   *
   * @param <T> type of the function's result
   * @param function gets the operations; runs on the engine thread
   * @return the function's result; what it throws completes the stage and leaves the group usable,
   *     unless it came from a failed operation
   */
  <T> CompletionStage<T> run(Function<Session, T> function);

  /**
   * Leaves the group: operations not yet started fail with a {@link GroupClosedException}, the one
   * under way gets a second to complete, memory and links are released, the other ranks are told.
   * Idempotent, and due for a failed group too. Returns when the engine thread has ended; if a
   * function given to {@link #run} holds it up, after five seconds, and the rest happens when the
   * function returns.
   */
  @Override
  void close();

  /**
   * Leaves the group because this rank cannot go on, and gives the reason: where the ranks can tell
   * each other, every operation of the others ends at once with a {@link PeerLostException} that
   * names this rank and the cause. Ranks of MLX and JACCL learn only that it has gone. Does nothing
   * else than {@link #close()} to a group that has failed before.
   *
   * @param cause why, such as an exception of the program
   */
  void abort(Throwable cause);
}
