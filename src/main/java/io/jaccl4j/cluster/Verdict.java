package io.jaccl4j.cluster;

import java.util.Set;

/**
 * A refusal that members which join a little later must hear too, since otherwise they would wait
 * for candidates that have given up.
 *
 * @param refusal what is wrong
 * @param candidates whom it is about; void once one of them has left the cluster
 * @param untilNanos when the refused join would have ended anyway
 */
record Verdict(Refusal refusal, Set<MemberId> candidates, long untilNanos) {

  Verdict {
    candidates = Set.copyOf(candidates);
  }

  /**
   * Whether a candidate has to hear it.
   *
   * @param refusals how many refusals the member that holds this has seen, this one included; a
   *     candidate that has seen as many is trying again with its eyes open
   */
  boolean concerns(Candidate candidate, long refusals, Set<MemberId> up, long nowNanos) {
    return candidate.refusals() < refusals
        && nowNanos - untilNanos < 0
        && up.containsAll(candidates);
  }
}
