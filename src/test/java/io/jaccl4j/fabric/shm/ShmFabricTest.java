package io.jaccl4j.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file: who can read it, when its name goes, what is refused. */
class ShmFabricTest {
  @TempDir Path directory;

  private FabricRequest request(int rank) {
    return request(rank, 64 << 10, directory);
  }

  private static FabricRequest request(int rank, int slotBytes, Path where) {
    GroupSettings settings = TestSettings.of("files", 2, where);
    return new FabricRequest(
        settings.withMemory(
            new GroupSettings.Memory(slotBytes, settings.memory().registeredBytes(), where)),
        1,
        rank,
        List.of(
            new GroupMember(0, "test://host:9000", 0, "host"),
            new GroupMember(1, "test://host:9001", 1, "host")),
        List.of(new Wire(0, 0, 1)),
        7,
        settings.formationTimeout().toNanos(),
        new NativeCalls());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void shouldHideTheFileFromOthersAndTakeItsNameAwayOnceAllHaveIt() throws IOException {
    try (Fabric first = new ShmFabric(request(0));
        Fabric second = new ShmFabric(request(1))) {
      assertThat(files()).hasSize(1);
      Path file = files().getFirst();
      assertThat(file.getFileName().toString()).matches("jaccl4j-files-[0-9a-f]{32}\\.shm");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      List<byte[]> destinations = List.of(first.destination(), second.destination());
      first.connect(destinations);
      second.connect(destinations);
      first.established();
      second.established();
      assertThat(files()).isEmpty();
      assertThat(first.link(0).peer()).isEqualTo(1);
    }
  }

  @Test
  void shouldUseOnlyThePagesThatAreTouched() throws IOException {
    try (Fabric first = new ShmFabric(request(0))) {
      Path file = files().getFirst();
      assertThat(Files.size(file)).isGreaterThan(128L << 20);
      long blocks = 512 * ((Number) statBlocks(file)).longValue();
      assertThat(blocks).isLessThan(1 << 20);
      assertThat(first.name()).isEqualTo("shm");
    }
  }

  private static long statBlocks(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    try (var reader = stat.inputReader()) {
      return Long.parseLong(reader.readLine());
    }
  }

  @Test
  void shouldTakeTheNameAwayWhenTheGroupDoesNotForm() throws IOException {
    Fabric first = new ShmFabric(request(0));
    Fabric second = new ShmFabric(request(1));
    second.connect(List.of(first.destination(), second.destination()));
    second.close();
    assertThat(files()).as("any rank that has the file takes its name away").isEmpty();
    first.close();
    first.close();
    assertThat(files()).isEmpty();
  }

  @Test
  void shouldRefuseAFileThatIsNotTheAnnouncedOne() throws IOException {
    try (Fabric first = new ShmFabric(request(0));
        Fabric second = new ShmFabric(request(1))) {
      ShmDestination announced = ShmDestination.decode(0, first.destination());
      byte[] otherToken = announced.token().clone();
      otherToken[3] ^= 1;
      byte[] wrong = new ShmDestination(otherToken, announced.path()).encode();
      assertThatThrownBy(() -> second.connect(List.of(wrong, second.destination())))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("is not the file of this formation");

      try (FileChannel channel = FileChannel.open(announced.file(), StandardOpenOption.WRITE)) {
        channel.truncate(4096);
      }
      assertThatThrownBy(() -> second.connect(List.of(first.destination(), second.destination())))
          .hasMessageContaining("is not the file of this formation");
    }
  }

  @Test
  void shouldNameTheFileThatIsMissing() {
    try (Fabric second = new ShmFabric(request(1))) {
      byte[] gone =
          new ShmDestination(new byte[ShmLayout.TOKEN_BYTES], "/nowhere/at-all.shm").encode();
      assertThatThrownBy(() -> second.connect(List.of(gone, second.destination())))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("cannot open /nowhere/at-all.shm")
          .hasMessageContaining("jaccl4j.memory.shm-directory");
    }
  }

  @Test
  void shouldRefuseDestinationsOfAnotherVersionOrTooShort() {
    assertThatThrownBy(() -> ShmDestination.decode(0, new byte[] {9}))
        .hasMessageContaining("version 9, want 1");
    assertThatThrownBy(() -> ShmDestination.decode(0, new byte[] {1, 2}))
        .hasMessageContaining("only 2 bytes");
  }

  @Test
  void shouldSweepOldFilesThatNobodyHolds() throws IOException {
    Path old = Files.createFile(directory.resolve("jaccl4j-dead-00.shm"));
    Path young = Files.createFile(directory.resolve("jaccl4j-young-00.shm"));
    Path foreign = Files.createFile(directory.resolve("other.shm"));
    Path held = Files.createFile(directory.resolve("jaccl4j-held-00.shm"));
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3600));
    for (Path file : List.of(old, foreign, held)) {
      Files.setLastModifiedTime(file, longAgo);
    }
    try (FileChannel channel = FileChannel.open(held, StandardOpenOption.WRITE)) {
      channel.lock();
      ShmLeftovers.sweep(directory, Instant.now());
      assertThat(files()).containsExactlyInAnyOrder(young, foreign, held);
    }
  }

  @Test
  void shouldReportAFullFileSystemInsteadOfCrashing() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()))
        .as("mounting a small file system takes root")
        .isZero();
    try (Fabric first = new ShmFabric(request(0, 64 << 10, small))) {
      first.connect(List.of(first.destination(), new byte[0]));
      assertThatThrownBy(() -> first.memory().allocate(8 << 20))
          .isInstanceOf(InvalidBufferException.class)
          .hasMessageContaining("no room for 8388608 bytes");
    } finally {
      run("umount", small.toString());
    }
  }

  @Test
  void shouldReportThatSlotsDoNotFit() throws Exception {
    Path small = Files.createDirectory(directory.resolve("tiny"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()))
        .as("mounting a small file system takes root")
        .isZero();
    try (Fabric first = new ShmFabric(request(0, 1 << 20, small))) {
      assertThatThrownBy(() -> first.connect(List.of(first.destination(), new byte[0])))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("7340032 bytes of staging slots")
          .hasMessageContaining("jaccl4j.memory.slot-bytes");
    } finally {
      run("umount", small.toString());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
