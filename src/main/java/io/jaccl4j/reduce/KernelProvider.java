package io.jaccl4j.reduce;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;

/** A family of kernels. All families give the same bits for the same operands. */
public interface KernelProvider {

  /** Name for people. */
  String name();

  /** The kernel of a reduction and an element type. */
  ReduceKernel kernel(ReduceOp op, Dtype dtype, ElementRules rules);

  /** The division of an element type. Booleans have no mean: theirs refuses. */
  DivisionKernel division(Dtype dtype);
}
