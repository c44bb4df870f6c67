package io.jaccl4j.reduce.vector;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.DivisionKernel;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.KernelProvider;
import io.jaccl4j.reduce.ReduceKernel;
import io.jaccl4j.reduce.ScalarKernels;

/** The provider of kernels on the Vector API. */
public final class VectorKernels implements KernelProvider {
  private final KernelProvider scalar = new ScalarKernels();

  /** Loaded by name, see {@link io.jaccl4j.reduce.Kernels}. */
  public VectorKernels() {}

  @Override
  public String name() {
    return "vector (" + Lanes.BYTES.vectorBitSize() + " bits)";
  }

  @Override
  public ReduceKernel kernel(ReduceOp op, Dtype dtype, ElementRules rules) {
    boolean ordered = op == ReduceOp.MAX || op == ReduceOp.MIN;
    if (dtype == Dtype.FLOAT16 && !ordered) {
      return Float16Kernels.arithmetic(op);
    }
    VectorLoop loop =
        switch (dtype) {
          case BOOL -> BoolKernels.loop(op);
          case INT8 -> Int8Kernels.signed(op);
          case UINT8 -> Int8Kernels.unsigned(op);
          case INT16 -> Int16Kernels.signed(op);
          case UINT16 -> Int16Kernels.unsigned(op);
          case INT32 -> Int32Kernels.signed(op);
          case UINT32 -> Int32Kernels.unsigned(op);
          case INT64 -> Int64Kernels.signed(op);
          case UINT64 -> Int64Kernels.unsigned(op);
          case FLOAT16 -> Float16Kernels.order().loop(op, rules);
          case BFLOAT16 -> Bfloat16Kernels.loop(op, rules);
          case FLOAT32 -> Float32Kernels.loop(op, rules);
          case FLOAT64 -> Float64Kernels.loop(op, rules);
          case COMPLEX64 -> Complex64Kernels.loop(op, rules);
        };
    return WholeVectors.reduction(loop, scalar.kernel(op, dtype, rules), dtype.bytes());
  }

  /** Integers stay with the scalar division: there is no vector instruction that divides them. */
  @Override
  public DivisionKernel division(Dtype dtype) {
    DivisionKernel rest = scalar.division(dtype);
    return switch (dtype) {
      case BOOL, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> rest;
      case FLOAT16 -> Float16Kernels::divide;
      case BFLOAT16 -> WholeVectors.division(Bfloat16Kernels::divide, rest, 2);
      case FLOAT32 -> WholeVectors.division(Float32Kernels::divide, rest, 4);
      case FLOAT64 -> WholeVectors.division(Float64Kernels::divide, rest, 8);
      case COMPLEX64 -> WholeVectors.division(Float32Kernels::divide, rest, 8);
    };
  }
}
