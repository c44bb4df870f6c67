package io.jaccl4j.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The name of this machine, by which ranks tell who is on the same one. */
final class Hosts {
  private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

  /** Where only the resolver knows the name: it may be silent, and a caller must go on. */
  private static final long LONGEST_LOOK_UP_MILLIS = 5000;

  private Hosts() {}

  /**
   * The name, in bounded time.
   *
   * @param otherwise where this machine cannot tell: its address in the cluster, say, since two
   *     machines must not look like one
   */
  static String localName(String otherwise) {
    return localName(KERNEL_NAME, () -> InetAddress.getLocalHost().getHostName(), otherwise);
  }

  /** {@link #localName(String)} by given means. */
  static String localName(Path kernelName, Callable<String> resolver, String otherwise) {
    try {
      if (Files.isReadable(kernelName)) {
        String name = Files.readString(kernelName).strip();
        return name.isEmpty() ? otherwise : name;
      }
      FutureTask<String> lookUp = new FutureTask<>(resolver);
      Thread.ofPlatform().daemon(true).name("jaccl-own-name").start(lookUp);
      return lookUp.get(LONGEST_LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException | TimeoutException unknown) {
      return otherwise;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return otherwise;
    }
  }
}
