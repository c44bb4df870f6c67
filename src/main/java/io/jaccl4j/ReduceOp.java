package io.jaccl4j;

/** How an element-wise reduction combines the ranks' values. */
public enum ReduceOp {
  /** Sum; integers wrap around, booleans are or-ed. */
  SUM("allSum"),
  /** Largest value; a NaN on any rank gives NaN on every rank. */
  MAX("allMax"),
  /** Smallest value; a NaN on any rank gives NaN on every rank. */
  MIN("allMin"),
  /**
   * Product; integers wrap around, booleans are and-ed, complex numbers multiply. Not in JACCL:
   * only with {@link WireMode#EXACT}.
   */
  PRODUCT("allProduct");

  private final String allReduceName;

  ReduceOp(String allReduceName) {
    this.allReduceName = allReduceName;
  }

  /** {@return the name of the all-reduce operation that uses this reduction} */
  public String allReduceName() {
    return allReduceName;
  }
}
