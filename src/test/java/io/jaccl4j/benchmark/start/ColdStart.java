package io.jaccl4j.benchmark.start;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Processes that are started at once, and when the last one of them came how far. */
final class ColdStart {
  private static final long PATIENCE_SECONDS = 120;

  private ColdStart() {}

  /**
   * Starts processes, waits until all have come to the end of their way, and ends them.
   *
   * @return nanoseconds from the first start until the last process reached each phase
   */
  static Map<StartPhase, Long> run(StartWay way, int size)
      throws IOException, InterruptedException {
    List<Integer> ports = freePorts(size);
    List<Process> processes = new ArrayList<>();
    Path log = Files.createTempFile("jaccl4j-cold-start-", ".log");
    try {
      long startNanos = epochNanos();
      for (int number = 0; number < size; number++) {
        processes.add(
            new ProcessBuilder(command(way, number, ports))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
      }
      Map<StartPhase, Long> last = new EnumMap<>(StartPhase.class);
      for (CompletableFuture<Map<StartPhase, Long>> one :
          processes.stream().map(process -> watch(process, way)).toList()) {
        one.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
            .forEach((phase, nanos) -> last.merge(phase, nanos - startNanos, Math::max));
      }
      return last;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          way.title() + ": a process has not come to its end:\n" + Files.readString(log), e);
    } finally {
      processes.forEach(Process::destroyForcibly);
      for (Process process : processes) {
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      Files.delete(log);
    }
  }

  private static List<String> command(StartWay way, int number, List<Integer> ports) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(ColdProcess.class.getName());
    command.add(way.name());
    command.add(Integer.toString(number));
    ports.forEach(port -> command.add(Integer.toString(port)));
    return command;
  }

  private static CompletableFuture<Map<StartPhase, Long>> watch(Process process, StartWay way) {
    CompletableFuture<Map<StartPhase, Long>> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              Map<StartPhase, Long> reached = new EnumMap<>(StartPhase.class);
              try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  String[] words = line.split(" ");
                  StartPhase phase = StartPhase.valueOf(words[0]);
                  reached.put(phase, Long.parseLong(words[1]));
                  if (reached.containsKey(way.lastPhase())
                      && reached.containsKey(StartPhase.MEMBERS_UP)) {
                    result.complete(reached);
                    return;
                  }
                }
                result.completeExceptionally(new IOException("ended after " + reached.keySet()));
              } catch (IOException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static long epochNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
