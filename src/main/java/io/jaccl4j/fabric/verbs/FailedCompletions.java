package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import java.util.function.BiFunction;

/**
 * Finds the cause among failed completions. Once one work request has failed, everything else that
 * is posted comes back as flushed: an echo, which must not hide what was first.
 */
final class FailedCompletions {
  private FailedCompletions() {}

  /**
   * The failure to report.
   *
   * @param first the first failed completion of the last poll
   * @param count completions of the last poll
   */
  static FabricException firstCause(
      CompletionQueue queue,
      int first,
      int count,
      BiFunction<CompletionQueue, Integer, VerbsLink> linkOf) {
    Failure cause = null;
    int flushed = 0;
    int taken = 0;
    int begin = first;
    int end = count;
    while (end > 0 && taken <= queue.entries()) {
      for (int i = begin; i < end; i++) {
        taken++;
        int status = queue.status(i);
        if (status == IbvConstants.IBV_WC_WR_FLUSH_ERR) {
          flushed++;
        }
        boolean better =
            cause == null
                ? status != IbvConstants.IBV_WC_SUCCESS
                : cause.status == IbvConstants.IBV_WC_WR_FLUSH_ERR
                    && status != IbvConstants.IBV_WC_SUCCESS
                    && status != IbvConstants.IBV_WC_WR_FLUSH_ERR;
        if (better) {
          cause =
              new Failure(linkOf.apply(queue, i), queue.workId(i), status, queue.vendorError(i));
        }
      }
      begin = 0;
      end = queue.poll();
    }
    return cause.toException(
        cause.status == IbvConstants.IBV_WC_WR_FLUSH_ERR ? flushed - 1 : flushed);
  }

  private record Failure(VerbsLink link, long workId, int status, int vendorError) {
    FabricException toException(int flushed) {
      return new FabricException(
          link.peer(),
          link.describe()
              + ": "
              + WorkId.describe(workId)
              + " failed with "
              + IbvNames.status(status)
              + ", vendor error "
              + vendorError
              + (flushed > 0 ? ", " + flushed + " further work requests flushed" : "")
              + IbvNames.statusHint(status),
          null);
    }
  }
}
