package io.jaccl4j.reduce;

import io.jaccl4j.ReduceOp;

/** How a maximum or minimum of floating-point numbers treats NaN and zeros. */
public enum ElementRules {
  /**
   * A NaN operand gives the canonical NaN, and {@code -0 < +0}: the bits do not depend on the order
   * of operands.
   */
  REPRODUCIBLE,
  /**
   * JACCL's comparison, {@code a > b ? a : b} and {@code a < b ? a : b}: the second operand wins
   * ties and whenever either is NaN, with its bits unchanged.
   */
  JACCL;

  /** Whether a reduction of floating-point numbers is JACCL's comparison. */
  public static boolean comparesAsJaccl(ReduceOp op, ElementRules rules) {
    return rules == JACCL && (op == ReduceOp.MAX || op == ReduceOp.MIN);
  }
}
