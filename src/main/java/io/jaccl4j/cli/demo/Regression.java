package io.jaccl4j.cli.demo;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Linear regression of the last column on the others, all standardised, by gradient descent.
 *
 * @param losses mean squared error before each step
 * @param weights after the last step: one per explaining column, then the intercept
 */
record Regression(double[] losses, double[] weights) {
  static final int STEPS = 10;
  private static final double LEARNING_RATE = 0.2;

  /**
   * Descends over some rows, where {@code combine} adds up what other processes have of the table.
   *
   * @param combine given this process's sums, in place: the gradient per weight, the squared error,
   *     the number of rows
   */
  static Regression descend(
      Dataset rows, List<ColumnStatistics> statistics, UnaryOperator<double[]> combine) {
    double[] weights = new double[rows.columns().size()];
    double[] losses = new double[STEPS];
    for (int step = 0; step < STEPS; step++) {
      double[] sums = combine.apply(sums(rows, statistics, weights));
      double rowCount = sums[weights.length + 1];
      losses[step] = sums[weights.length] / rowCount;
      for (int weight = 0; weight < weights.length; weight++) {
        weights[weight] -= LEARNING_RATE * 2 * sums[weight] / rowCount;
      }
    }
    return new Regression(losses, weights);
  }

  private static double[] sums(Dataset rows, List<ColumnStatistics> statistics, double[] weights) {
    int target = weights.length - 1;
    double[] sums = new double[weights.length + 2];
    double[] inputs = new double[weights.length];
    inputs[target] = 1;
    for (int row = 0; row < rows.rowCount(); row++) {
      double prediction = weights[target];
      for (int column = 0; column < target; column++) {
        inputs[column] = statistics.get(column).standardise(rows.value(row, column));
        prediction += weights[column] * inputs[column];
      }
      double error = prediction - statistics.get(target).standardise(rows.value(row, target));
      for (int weight = 0; weight < weights.length; weight++) {
        sums[weight] += error * inputs[weight];
      }
      sums[weights.length] += error * error;
    }
    sums[weights.length + 1] = rows.rowCount();
    return sums;
  }
}
