package io.jaccl4j.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.JacclException;
import io.jaccl4j.ring.MlxRing;
import io.jaccl4j.ring.RingHosts;
import io.jaccl4j.ring.RingOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One rank of MLX's sequence, among ranks of MLX: started with {@code MLX_HOSTFILE} and {@code
 * MLX_RANK} like those, prints their lines, and exits with 0 if all is well.
 */
public final class MlxRingRank {
  /** Ranks of MLX wait 31 seconds for each other; large steps take seconds. */
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(60), Duration.ofSeconds(120));

  private MlxRingRank() {}

  public static void main(String[] arguments) {
    PrintStream lines = System.out;
    // Whatever is logged must not come between.
    System.setOut(System.err);
    boolean allWell;
    try {
      allWell = run(System.getenv(), lines::println);
    } catch (IOException | IllegalArgumentException | JacclException e) {
      System.err.println("mlx-ring: " + e.getMessage());
      allWell = false;
    }
    lines.flush();
    System.exit(allWell ? 0 : 1);
  }

  /** Runs the sequence; whether all was well. */
  static boolean run(Map<String, String> environment, Consumer<String> lines) throws IOException {
    String hostfile = environment.get("MLX_HOSTFILE");
    String rank = environment.get("MLX_RANK");
    if (hostfile == null || rank == null) {
      throw new IllegalArgumentException(
          "MLX_HOSTFILE is " + hostfile + " and MLX_RANK is " + rank + ", want both");
    }
    RingHosts hosts = new RingHosts(read(Path.of(hostfile)));
    try (MlxRing ring = MlxRing.connect(hosts, Integer.parseInt(rank), OPTIONS)) {
      MlxExpectation expectation = new MlxExpectation(hosts.size(), hosts.connections());
      MlxSequence sequence = new MlxSequence(ring, expectation, lines);
      for (Step step : MlxSteps.all()) {
        sequence.run(step);
        expectation.forget(step);
      }
      return sequence.finish();
    }
  }

  private static List<List<InetSocketAddress>> read(Path hostfile) throws IOException {
    List<List<InetSocketAddress>> rows = new ArrayList<>();
    for (JsonNode row : new ObjectMapper().readTree(hostfile.toFile())) {
      List<InetSocketAddress> addresses = new ArrayList<>();
      for (JsonNode address : row) {
        int colon = address.textValue().lastIndexOf(':');
        addresses.add(
            new InetSocketAddress(
                address.textValue().substring(0, colon),
                Integer.parseInt(address.textValue().substring(colon + 1))));
      }
      rows.add(addresses);
    }
    return rows;
  }
}
