package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;

/**
 * Why a group cannot be formed by these candidates, in the words that every one of them reports.
 *
 * @param reason what kind of obstacle
 * @param text what is wrong, with whom, and what to do
 */
record Refusal(FormationException.Reason reason, String text) {

  FormationException toException() {
    return new FormationException(reason, text);
  }
}
