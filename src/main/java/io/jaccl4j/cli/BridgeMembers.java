package io.jaccl4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which network interfaces of this machine are members of a bridge. A member has no address of its
 * own, and so an RDMA device on it has no GID that a peer could reach.
 *
 * @param bridgeOf name of the bridge, by name of the interface
 */
record BridgeMembers(Map<String, String> bridgeOf) {
  private static final Path LINUX_INTERFACES = Path.of("/sys/class/net");
  private static final Pattern INTERFACE = Pattern.compile("^(\\S+): flags=.*");
  private static final Pattern MEMBER = Pattern.compile("^\\s+member: (\\S+).*");
  private static final long PATIENCE_SECONDS = 5;
  private static final String RDMA_PREFIX = "rdma_";

  BridgeMembers {
    bridgeOf = Map.copyOf(bridgeOf);
  }

  /** Asks the operating system; none where it cannot be asked. */
  static BridgeMembers ofThisMachine() {
    return Files.isDirectory(LINUX_INTERFACES) ? ofLinux(LINUX_INTERFACES) : ofIfconfig();
  }

  /** By the directory that Linux has one entry in for each interface. */
  static BridgeMembers ofLinux(Path interfaces) {
    Map<String, String> bridgeOf = new HashMap<>();
    try (Stream<Path> all = Files.list(interfaces)) {
      for (Path each : all.toList()) {
        Path bridge = each.resolve("brport/bridge");
        if (Files.exists(bridge)) {
          bridgeOf.put(each.getFileName().toString(), bridge.toRealPath().getFileName().toString());
        }
      }
    } catch (IOException e) {
      return new BridgeMembers(Map.of());
    }
    return new BridgeMembers(bridgeOf);
  }

  private static BridgeMembers ofIfconfig() {
    Process process = null;
    try {
      process = new ProcessBuilder("ifconfig", "-a").redirectErrorStream(true).start();
      Process running = process;
      CompletableFuture<String> output =
          CompletableFuture.supplyAsync(
                  () -> running.inputReader(StandardCharsets.UTF_8).lines().toList())
              .thenApply(lines -> String.join("\n", lines));
      return parseIfconfig(output.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (IOException | ExecutionException | TimeoutException e) {
      return new BridgeMembers(Map.of());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new BridgeMembers(Map.of());
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  /** By what {@code ifconfig -a} prints on macOS. */
  static BridgeMembers parseIfconfig(String output) {
    Map<String, String> bridgeOf = new HashMap<>();
    String bridge = "";
    for (String line : output.split("\n")) {
      Matcher name = INTERFACE.matcher(line);
      Matcher member = MEMBER.matcher(line);
      if (name.matches()) {
        bridge = name.group(1);
      } else if (member.matches()) {
        bridgeOf.put(member.group(1), bridge);
      }
    }
    return new BridgeMembers(bridgeOf);
  }

  /**
   * What is wrong with the interface of an RDMA device.
   *
   * @param device such as {@code rdma_en5}, which is on {@code en5}
   */
  Optional<String> finding(String device) {
    String name = device.startsWith(RDMA_PREFIX) ? device.substring(RDMA_PREFIX.length()) : device;
    return Optional.ofNullable(bridgeOf.get(name))
        .map(
            bridge ->
                "device %s: interface %s is a member of %s; take it out, so that it has an address of its own"
                    .formatted(device, name, bridge));
  }
}
