package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.config.mlx.DeviceFile;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ranks of a recorded configuration as processes of ours. They know JACCL's environment and nothing
 * else, and share an emulated provider, which has the cables that the recorded ranks had.
 */
final class InteropRanks implements AutoCloseable {
  /** What the build leaves for whoever starts a rank by hand. */
  private static final Path ARGUMENTS = Path.of("target/interop.args");

  private static final long PATIENCE_SECONDS = 100;

  private final JacclShape shape;
  private final RecordedRun recorded;
  private final Path directory;
  private final Map<String, String> emulatedDevices = new LinkedHashMap<>();
  private final Path deviceFile;
  private final int port;
  private final List<Process> processes = new ArrayList<>();
  private final List<CompletableFuture<List<String>>> outputs = new ArrayList<>();

  /**
   * None yet.
   *
   * @param directory for their files, empty
   */
  InteropRanks(JacclShape shape, RecordedRun recorded, Path directory) throws IOException {
    this.shape = shape;
    this.recorded = recorded;
    this.directory = directory;
    for (RecordedRun.Pair pair : recorded.pairs()) {
      emulatedDevices.putIfAbsent(pair.device(), "emu" + emulatedDevices.size());
    }
    deviceFile = directory.resolve("devices.json");
    DeviceFile.write(devices(), deviceFile);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
  }

  private DeviceMatrix devices() {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < shape.size(); rank++) {
      List<List<String>> row = new ArrayList<>();
      for (int peer = 0; peer < shape.size(); peer++) {
        int from = rank;
        int to = peer;
        row.add(
            recorded.pairs().stream()
                .filter(pair -> pair.rank() == from && pair.peer() == to)
                .map(pair -> emulated(pair.device()))
                .distinct()
                .toList());
      }
      rows.add(row);
    }
    return DeviceMatrix.of(rows);
  }

  /** What a device that was recorded is called here. */
  String emulated(String recordedDevice) {
    return emulatedDevices.get(recordedDevice);
  }

  InteropRanks startAll(Map<String, String> more) throws IOException {
    for (int rank = 0; rank < shape.size(); rank++) {
      start(rank, more);
    }
    return this;
  }

  /** Starts a rank; the lowest one first. */
  void start(int rank, Map<String, String> more) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + ARGUMENTS,
            "jaccl");
    Map<String, String> environment = builder.environment();
    environment.put("JACCL_RANK", Integer.toString(rank));
    environment.put("JACCL_IBV_DEVICES", deviceFile.toString());
    environment.put("JACCL_COORDINATOR", "127.0.0.1:" + port);
    environment.put("JACCL4J_VERBS_LIBRARY", EmulatedVerbs.build().toString());
    environment.put("EMULATED_VERBS_FILE", directory.resolve("fabric").toString());
    environment.put("EMULATED_VERBS_HOLD", "1");
    environment.put("EMULATED_VERBS_DEVICES", Integer.toString(emulatedDevices.size()));
    environment.put("EMULATED_VERBS_TRANSCRIPT", transcriptFile(rank).toString());
    if (shape.ring()) {
      environment.put("JACCL_RING", "1");
      environment.put("INTEROP_WIRES", Integer.toString(shape.wires()));
    }
    environment.putAll(more);
    Process process =
        builder.redirectError(directory.resolve("rank-" + rank + ".log").toFile()).start();
    processes.add(process);
    outputs.add(CompletableFuture.supplyAsync(() -> process.inputReader().lines().toList()));
  }

  /** Waits until all have ended, and returns what they ended with. */
  List<Integer> exitValues() throws InterruptedException {
    for (Process process : processes) {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    return processes.stream().map(Process::exitValue).toList();
  }

  /** What a rank has printed, once it has ended. */
  List<String> lines(int rank) {
    return outputs.get(rank).join();
  }

  /** The last line of each rank, once all have ended. */
  List<String> lastLines() {
    return outputs.stream()
        .map(CompletableFuture::join)
        .map(lines -> lines.isEmpty() ? "nothing" : lines.getLast())
        .toList();
  }

  /** What a rank has done with its queue pairs, once it has ended. */
  VerbsTranscript transcript(int rank) throws IOException {
    return new VerbsTranscript(transcriptFile(rank));
  }

  private Path transcriptFile(int rank) {
    return directory.resolve("rank-" + rank + ".transcript");
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
