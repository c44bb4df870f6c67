package io.jaccl4j.engine;

import io.jaccl4j.JacclException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Work for the engine thread and the promise of its result.
 *
 * @param label the operation's name, for errors
 * @param deadlineNanos of the operation inside, or {@link OperationRunner#FROM_NOW} for each
 * @param body what to do
 * @param result completed on the engine thread
 */
record Task(
    String label,
    long deadlineNanos,
    Function<EngineSession, ?> body,
    CompletableFuture<Object> result) {

  void run(EngineSession session) {
    session.deadline(deadlineNanos);
    Object value;
    try {
      value = body.apply(session);
    } catch (Throwable t) {
      // Whatever the application threw belongs to whoever asked for the result.
      result.completeExceptionally(t);
      return;
    }
    result.complete(value);
  }

  void refuse(JacclException reason) {
    result.completeExceptionally(reason);
  }
}
