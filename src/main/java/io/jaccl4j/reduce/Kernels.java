package io.jaccl4j.reduce;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of this process: Vector API kernels where the JVM has the module and compiles it
 * well, else the scalar reference.
 *
 * <p>Element rules. Integers wrap around; unsigned ones compare as unsigned. Booleans: sum and
 * maximum are "or", minimum is "and". {@code float16} and {@code bfloat16} are added as {@code
 * float32} and rounded to nearest even at every step. {@code -0 < +0}. Complex numbers compare by
 * real part, then by imaginary part. A NaN result is the type's canonical NaN (in a complex maximum
 * or minimum, in both parts), so that the bits do not depend on who reduced.
 */
public final class Kernels {
  private static final Logger LOG = LoggerFactory.getLogger(Kernels.class);
  private static final String VECTOR_MODULE = "jdk.incubator.vector";
  private static final String VECTOR_PROVIDER = "io.jaccl4j.reduce.vector.VectorKernels";
  private static final KernelProvider PROVIDER = choose();
  private static final Map<ElementRules, Map<ReduceOp, Map<Dtype, ReduceKernel>>> TABLE = table();
  private static final Map<Dtype, DivisionKernel> DIVISIONS = divisions();

  private Kernels() {}

  /** The kernel of a reduction and an element type. */
  public static ReduceKernel of(ReduceOp op, Dtype dtype, ElementRules rules) {
    return TABLE.get(rules).get(op).get(dtype);
  }

  /** The division of an element type. */
  public static DivisionKernel division(Dtype dtype) {
    return DIVISIONS.get(dtype);
  }

  /** Name of the family in use. */
  public static String providerName() {
    return PROVIDER.name();
  }

  private static KernelProvider choose() {
    if (ModuleLayer.boot().findModule(VECTOR_MODULE).isEmpty()) {
      LOG.warn(
          "Reductions run on scalar kernels, several times slower. Start the JVM with"
              + " [--add-modules {}] for vector kernels.",
          VECTOR_MODULE);
      return new ScalarKernels();
    }
    String vmInfo = System.getProperty("java.vm.info", "");
    if (!optimizes(vmInfo)) {
      LOG.warn(
          "Reductions run on scalar kernels, several times slower: this JVM [{}] does without its"
              + " optimizing compiler. Start it without [-Xint] and [-XX:TieredStopAtLevel].",
          vmInfo);
      return new ScalarKernels();
    }
    return load(VECTOR_PROVIDER);
  }

  /** By name: a reference would load classes that need the module, and it is not always there. */
  static KernelProvider load(String className) {
    try {
      return (KernelProvider) Class.forName(className).getConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.warn(
          "Reductions run on scalar kernels, several times slower: [{}] cannot be loaded. Keep it"
              + " when repackaging the library, and use the JDK that the library was built for.",
          className,
          e);
      return new ScalarKernels();
    }
  }

  /**
   * Whether the JVM has the compiler that turns vectors into registers; without it every vector is
   * an object, and vector kernels take many times as long as scalar ones.
   */
  static boolean optimizes(String vmInfo) {
    return !vmInfo.contains("emulated-client") && !vmInfo.contains("interpreted mode");
  }

  private static Map<ElementRules, Map<ReduceOp, Map<Dtype, ReduceKernel>>> table() {
    Map<ElementRules, Map<ReduceOp, Map<Dtype, ReduceKernel>>> byRules =
        new EnumMap<>(ElementRules.class);
    for (ElementRules rules : ElementRules.values()) {
      Map<ReduceOp, Map<Dtype, ReduceKernel>> byOp = new EnumMap<>(ReduceOp.class);
      for (ReduceOp op : ReduceOp.values()) {
        Map<Dtype, ReduceKernel> byDtype = new EnumMap<>(Dtype.class);
        for (Dtype dtype : Dtype.values()) {
          byDtype.put(dtype, PROVIDER.kernel(op, dtype, rules));
        }
        byOp.put(op, byDtype);
      }
      byRules.put(rules, byOp);
    }
    return byRules;
  }

  private static Map<Dtype, DivisionKernel> divisions() {
    Map<Dtype, DivisionKernel> byDtype = new EnumMap<>(Dtype.class);
    for (Dtype dtype : Dtype.values()) {
      byDtype.put(dtype, PROVIDER.division(dtype));
    }
    return byDtype;
  }
}
