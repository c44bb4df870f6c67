package io.jaccl4j.interop;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One rank of an interoperability sequence, to be put among ranks of MLX: {@code java
 * @target/interop.args jaccl}, or {@code mlx-ring}. All it needs is in the environment; it prints one line per step and
 * exits with 0 if all are right, 1 if one is not, 3 after an error, 2 for a wrong argument.
 */
public final class InteropMain {
  private static final int ERROR = 3;
  private static final int USAGE = 2;

  private InteropMain() {}

  /**
   * Runs one rank.
   *
   * @param arguments the sequence: {@code jaccl} or {@code mlx-ring}
   */
  public static void main(String[] arguments) {
    PrintStream lines = System.out;
    // Whatever logs, logs to stderr.
    System.setOut(System.err);
    System.exit(run(arguments, System.getenv(), lines::println));
  }

  static int run(String[] arguments, Map<String, String> environment, Consumer<String> lines) {
    String sequence = arguments.length == 1 ? arguments[0] : "";
    return switch (sequence) {
      case "jaccl" -> jaccl(environment, lines);
      case "mlx-ring" -> mlxRing(environment, lines);
      default -> {
        System.err.println("want one argument: jaccl or mlx-ring");
        yield USAGE;
      }
    };
  }

  private static int mlxRing(Map<String, String> environment, Consumer<String> lines) {
    try {
      return MlxRingRank.run(environment, lines) ? 0 : 1;
    } catch (IOException | RuntimeException e) {
      e.printStackTrace();
      return ERROR;
    }
  }

  private static int jaccl(Map<String, String> environment, Consumer<String> lines) {
    StepCounter steps = new StepCounter();
    try {
      return new JacclRank(environment, lines, steps).run() ? 0 : 1;
    } catch (RuntimeException | LinkageError e) {
      lines.accept(
          "ERROR rank=%s step=%03d %s"
              .formatted(
                  environment.getOrDefault("JACCL_RANK", environment.get("MLX_RANK")),
                  steps.current(),
                  String.valueOf(e.getMessage()).replace('\n', ' ')));
      e.printStackTrace();
      return ERROR;
    }
  }

  /** The step that runs, for errors. */
  static final class StepCounter {
    private int current;

    void begin(int step) {
      current = step;
    }

    int current() {
      return current;
    }
  }
}
