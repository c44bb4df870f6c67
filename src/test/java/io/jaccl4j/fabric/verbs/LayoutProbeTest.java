package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Java's idea of the header against a C compiler's. */
@Timeout(60)
class LayoutProbeTest {
  private static final Path SYSTEM_HEADER = Path.of("/usr/include/infiniband/verbs.h");

  /** Not in the system's header: a link layer of Apple's alone. */
  private static final Set<String> APPLE_ONLY = Set.of("IBV_LINK_LAYER_THUNDERBOLT");

  @TempDir Path directory;

  @Test
  void shouldHaveTheLayoutsAndValuesOfOwnHeader() throws Exception {
    assertThat(probe()).containsAll(expected());
  }

  @Test
  void shouldHaveTheLayoutsAndValuesOfTheSystemsHeader() throws Exception {
    assumeTrue(Files.exists(SYSTEM_HEADER), SYSTEM_HEADER + " is missing (Debian: libibverbs-dev)");
    assertThat(probe("-DSYSTEM")).containsAll(expected());
  }

  @Test
  void shouldProbeEverythingThatJavaUses() throws Exception {
    Set<String> probed = new HashSet<>();
    probe().forEach(line -> probed.add(line.substring(0, line.lastIndexOf(' '))));
    assertThat(expected().stream().map(line -> line.substring(0, line.lastIndexOf(' '))))
        .allMatch(probed::contains);
  }

  private List<String> probe(String... options) throws Exception {
    return new CCompiler(directory)
        .run(
            Path.of("native-headers/layout-probe.c"),
            Stream.concat(Stream.of("-Inative-headers"), Stream.of(options)).toList());
  }

  private static List<String> expected() throws IllegalAccessException {
    List<String> lines = new ArrayList<>();
    for (StructLayout struct : IbvStructs.ALLOCATED_HERE) {
      lines.add("size " + name(struct) + " " + struct.byteSize());
      lines.addAll(offsets(struct));
    }
    for (StructLayout struct : IbvStructs.READ_ONLY) {
      lines.addAll(offsets(struct));
    }
    for (Field field : IbvConstants.class.getDeclaredFields()) {
      if (!APPLE_ONLY.contains(field.getName())) {
        lines.add("value " + field.getName() + " " + field.getInt(null));
      }
    }
    return lines;
  }

  private static List<String> offsets(StructLayout struct) {
    return struct.memberLayouts().stream()
        .filter(member -> !(member instanceof PaddingLayout))
        .map(
            member ->
                "offset "
                    + name(struct)
                    + " "
                    + name(member)
                    + " "
                    + IbvStructs.offset(struct, name(member)))
        .toList();
  }

  private static String name(MemoryLayout layout) {
    return layout.name().orElseThrow();
  }
}
