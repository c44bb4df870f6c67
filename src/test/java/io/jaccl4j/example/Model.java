package io.jaccl4j.example;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/**
 * A network of two inputs, one hidden layer and one output, in single precision. Parameters, and
 * gradients, are laid out hidden unit by hidden unit:
 *
 * <pre>
 * per unit   weight of x, weight of y, bias, weight of the unit in the output
 * last       bias of the output
 * </pre>
 */
final class Model {
  private static final int HIDDEN = 12;
  private static final int PER_UNIT = 4;
  static final int PARAMETERS = HIDDEN * PER_UNIT + 1;

  /** Behind the gradient: the sum of the losses and the number of points. */
  static final int LOSS = PARAMETERS;

  static final int POINTS = PARAMETERS + 1;
  static final int GRADIENT_VALUES = PARAMETERS + 2;

  private static final long SEED = 42;
  private static final float RATE = 0.8f;

  private Model() {}

  /** Where every training begins. */
  static void initialise(MemorySegment parameters) {
    Random random = new Random(SEED);
    for (int i = 0; i < PARAMETERS; i++) {
      set(parameters, i, (float) random.nextGaussian() * 0.7f);
    }
  }

  /** Writes the sum of the gradients of some points, and their loss and number. */
  static void gradient(
      MemorySegment parameters, List<TrainingData.Point> points, MemorySegment gradient) {
    gradient.fill((byte) 0);
    float[] activations = new float[HIDDEN];
    for (TrainingData.Point point : points) {
      float output = get(parameters, PARAMETERS - 1);
      for (int unit = 0; unit < HIDDEN; unit++) {
        int at = unit * PER_UNIT;
        activations[unit] =
            (float)
                Math.tanh(
                    get(parameters, at) * point.x()
                        + get(parameters, at + 1) * point.y()
                        + get(parameters, at + 2));
        output += get(parameters, at + 3) * activations[unit];
      }
      float probability = (float) (1 / (1 + Math.exp(-output)));
      float likelihood = point.label() == 1 ? probability : 1 - probability;
      float error = probability - point.label();
      for (int unit = 0; unit < HIDDEN; unit++) {
        int at = unit * PER_UNIT;
        float activation = activations[unit];
        float inner = error * get(parameters, at + 3) * (1 - activation * activation);
        add(gradient, at, inner * point.x());
        add(gradient, at + 1, inner * point.y());
        add(gradient, at + 2, inner);
        add(gradient, at + 3, error * activation);
      }
      add(gradient, PARAMETERS - 1, error);
      add(gradient, LOSS, (float) -Math.log(Math.max(likelihood, 1e-7)));
      add(gradient, POINTS, 1);
    }
  }

  /** One step down the gradient of all ranks' points. */
  static void apply(MemorySegment parameters, MemorySegment gradient) {
    float points = get(gradient, POINTS);
    for (int i = 0; i < PARAMETERS; i++) {
      add(parameters, i, -RATE * get(gradient, i) / points);
    }
  }

  /** Mean loss of all ranks' points. */
  static float loss(MemorySegment gradient) {
    return get(gradient, LOSS) / get(gradient, POINTS);
  }

  static float get(MemorySegment values, int index) {
    return values.getAtIndex(ValueLayout.JAVA_FLOAT, index);
  }

  static void set(MemorySegment values, int index, float value) {
    values.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
  }

  private static void add(MemorySegment values, int index, float value) {
    set(values, index, get(values, index) + value);
  }
}
