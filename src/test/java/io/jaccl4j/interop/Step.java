package io.jaccl4j.interop;

import io.jaccl4j.Dtype;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One step of the sequence.
 *
 * @param number from 1 on, the same for every topology
 * @param count elements that a rank contributes; of the output for a sum-scatter
 */
record Step(int number, Kind kind, Inputs inputs, boolean inPlace, Dtype dtype, int count) {

  /** What is done. */
  enum Kind {
    ALL_SUM,
    ALL_MAX,
    ALL_MIN,
    ALL_GATHER,
    SUM_SCATTER,
    PASS_RIGHT,
    PASS_LEFT,
    PASS_FAR,
    BURST,
    BARRIER;

    boolean isReduction() {
      return this == ALL_SUM || this == ALL_MAX || this == ALL_MIN;
    }

    /** How far a rank sends. */
    int distance() {
      return switch (this) {
        case PASS_RIGHT -> 1;
        case PASS_LEFT -> -1;
        case PASS_FAR -> 2;
        default -> throw new IllegalStateException(this + " passes nothing on");
      };
    }
  }

  private static final List<Dtype> ALL =
      List.of(
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
          Dtype.COMPLEX64);

  private static final List<Dtype> SINGLE = List.of(Dtype.FLOAT32);
  private static final List<Kind> EXTREMES = List.of(Kind.ALL_MAX, Kind.ALL_MIN);
  private static final int[] PASSED_SINGLES = {1, 3, 1024, 1025, 8192, 50_000, 1_000_003};
  private static final int[] PASSED_BYTES = {1, 4095, 4096, 4097, 1_048_577};

  /** As it is printed. */
  String name() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    name +=
        switch (inputs) {
          case EXACT -> "";
          case ROUGH -> "_r";
          case SPECIAL -> "_s";
        };
    return inPlace ? name + "_ip" : name;
  }

  /** Number, name, type and count as they are printed. */
  String label() {
    String type = kind == Kind.BARRIER ? "-" : dtype.name().toLowerCase(Locale.ROOT);
    return String.format(Locale.ROOT, "%03d %s %s %d", number, name(), type, count);
  }

  /** All steps, also those that some topologies leave out. */
  static List<Step> all() {
    Builder steps = new Builder();
    steps.reduce(List.of(Kind.ALL_SUM), ALL, Inputs.EXACT, false, 1, 3, 1000, 8192, 8193, 50_000);
    steps.reduce(
        List.of(Kind.ALL_SUM),
        List.of(Dtype.FLOAT32, Dtype.BFLOAT16, Dtype.INT64, Dtype.COMPLEX64, Dtype.UINT8),
        Inputs.EXACT,
        false,
        1_000_003);
    steps.reduce(
        List.of(Kind.ALL_SUM, Kind.ALL_MAX, Kind.ALL_MIN),
        List.of(Dtype.FLOAT32, Dtype.INT32, Dtype.FLOAT16),
        Inputs.EXACT,
        true,
        1,
        3,
        8192,
        8193,
        50_000);
    steps.add(Kind.ALL_SUM, Inputs.EXACT, true, Dtype.FLOAT32, 1_000_003);
    steps.reduce(EXTREMES, ALL, Inputs.EXACT, false, 3, 8193, 50_000);
    for (int count : new int[] {1, 3, 1000, 8192}) {
      for (Dtype dtype : List.of(Dtype.FLOAT32, Dtype.BFLOAT16, Dtype.FLOAT16)) {
        steps.add(Kind.ALL_SUM, Inputs.ROUGH, false, dtype, count);
        steps.add(Kind.ALL_SUM, Inputs.ROUGH, true, dtype, count);
      }
    }
    steps.add(Kind.ALL_SUM, Inputs.ROUGH, false, Dtype.FLOAT32, 70_001);
    steps.reduce(
        EXTREMES, List.of(Dtype.FLOAT32, Dtype.BFLOAT16), Inputs.SPECIAL, false, 3, 1000, 8192);
    steps.each(Kind.ALL_GATHER, SINGLE, false, 1, 3, 1000, 8192, 8193, 50_000, 300_001);
    steps.each(Kind.ALL_GATHER, List.of(Dtype.UINT8), false, 1, 3, 4095, 4096, 4097, 1_000_003);
    steps.each(Kind.ALL_GATHER, SINGLE, true, 3, 50_000);
    steps.each(Kind.SUM_SCATTER, ALL, false, 1, 3, 1000, 8193);
    steps.each(Kind.SUM_SCATTER, SINGLE, false, 16_384, 16_385, 50_000, 300_001);
    for (int count : new int[] {3, 1000, 50_000}) {
      steps.add(Kind.SUM_SCATTER, Inputs.ROUGH, false, Dtype.FLOAT32, count);
    }
    for (Kind kind : List.of(Kind.PASS_RIGHT, Kind.PASS_LEFT, Kind.PASS_FAR)) {
      steps.each(kind, SINGLE, false, PASSED_SINGLES);
      steps.each(kind, List.of(Dtype.UINT8), false, PASSED_BYTES);
    }
    steps.add(Kind.BURST, Inputs.EXACT, false, Dtype.INT32, 100);
    for (int i = 0; i < 3; i++) {
      steps.add(Kind.BARRIER, Inputs.EXACT, false, Dtype.UINT8, 0);
    }
    steps.add(Kind.ALL_SUM, Inputs.EXACT, false, Dtype.INT32, 1);
    return steps.steps;
  }

  private static final class Builder {
    private final List<Step> steps = new ArrayList<>();

    void add(Kind kind, Inputs inputs, boolean inPlace, Dtype dtype, int count) {
      steps.add(new Step(steps.size() + 1, kind, inputs, inPlace, dtype, count));
    }

    void reduce(
        List<Kind> kinds, List<Dtype> dtypes, Inputs inputs, boolean inPlace, int... counts) {
      for (int count : counts) {
        for (Dtype dtype : dtypes) {
          for (Kind kind : kinds) {
            add(kind, inputs, inPlace, dtype, count);
          }
        }
      }
    }

    void each(Kind kind, List<Dtype> dtypes, boolean inPlace, int... counts) {
      reduce(List.of(kind), dtypes, Inputs.EXACT, inPlace, counts);
    }
  }
}
