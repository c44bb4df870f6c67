package io.jaccl4j.interop;

import io.jaccl4j.Dtype;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The steps of MLX's sequence, numbered from 0. */
final class MlxSteps {
  private static final Dtype[] ALL = {
    Dtype.BOOL,
    Dtype.UINT8,
    Dtype.UINT16,
    Dtype.UINT32,
    Dtype.UINT64,
    Dtype.INT8,
    Dtype.INT16,
    Dtype.INT32,
    Dtype.INT64,
    Dtype.FLOAT16,
    Dtype.BFLOAT16,
    Dtype.FLOAT32,
    Dtype.FLOAT64,
    Dtype.COMPLEX64
  };
  private static final Dtype[] ROUGH = {Dtype.FLOAT32, Dtype.BFLOAT16, Dtype.FLOAT16};
  private static final Dtype[] COMPARED = {
    Dtype.FLOAT32, Dtype.INT32, Dtype.BFLOAT16, Dtype.COMPLEX64, Dtype.BOOL
  };
  private static final int[] SUMMED = {1, 3, 5, 1000, 70_001, 700_001};
  private static final int[] REDUCED = {3, 1000, 700_001};
  private static final int[] PASSED_SINGLES = {1, 255, 256, 257, 513, 100_003, 3_000_001};
  private static final int[] PASSED_BYTES = {1, 1023, 1024, 1025, 2049};

  private final List<Step> steps = new ArrayList<>();

  private MlxSteps() {}

  static List<Step> all() {
    MlxSteps all = new MlxSteps();
    for (int count : SUMMED) {
      all.add(Step.Kind.ALL_SUM, Inputs.EXACT, count, ALL);
    }
    all.add(Step.Kind.ALL_SUM, Inputs.EXACT, 20_000_003, Dtype.FLOAT32);
    all.add(Step.Kind.ALL_SUM, Inputs.EXACT, 2_500_003, Dtype.BFLOAT16);
    for (int count : REDUCED) {
      all.add(Step.Kind.ALL_SUM, Inputs.ROUGH, count, ROUGH);
    }
    for (int count : REDUCED) {
      for (Step.Kind kind : List.of(Step.Kind.ALL_MAX, Step.Kind.ALL_MIN)) {
        all.add(kind, Inputs.EXACT, count, COMPARED);
        all.add(kind, Inputs.SPECIAL, count, Dtype.FLOAT32);
      }
    }
    for (int count : new int[] {1, 1000, 200_001, 1_500_001}) {
      all.add(Step.Kind.ALL_GATHER, Inputs.EXACT, count, Dtype.FLOAT32);
    }
    for (int count : new int[] {1, 3, 1_000_003}) {
      all.add(Step.Kind.ALL_GATHER, Inputs.EXACT, count, Dtype.UINT8);
    }
    for (Step.Kind kind : List.of(Step.Kind.PASS_RIGHT, Step.Kind.PASS_LEFT)) {
      for (int count : PASSED_SINGLES) {
        all.add(kind, Inputs.EXACT, count, Dtype.FLOAT32);
      }
      for (int count : PASSED_BYTES) {
        all.add(kind, Inputs.EXACT, count, Dtype.UINT8);
      }
    }
    all.add(Step.Kind.ALL_SUM, Inputs.EXACT, 1, Dtype.INT32);
    return all.steps;
  }

  private void add(Step.Kind kind, Inputs inputs, int count, Dtype... dtypes) {
    for (Dtype dtype : dtypes) {
      steps.add(new Step(steps.size(), kind, inputs, false, dtype, count));
    }
  }

  /** Number, name, type and count as they are printed. */
  static String label(Step step) {
    String name = step.kind().name().toLowerCase(Locale.ROOT);
    name +=
        switch (step.inputs()) {
          case EXACT -> "";
          case ROUGH -> "_r";
          case SPECIAL -> "_nan";
        };
    return String.format(
        Locale.ROOT,
        "step=%03d name=%-12s dtype=%-9s count=%-9d",
        step.number(),
        name,
        step.dtype().name().toLowerCase(Locale.ROOT),
        step.count());
  }
}
