package io.jaccl4j.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The state of the training in a file: what rank 0 begins with after the group was formed again.
 */
final class Checkpoint {
  private final Path file;

  Checkpoint(Path directory) {
    this.file = directory.resolve("checkpoint");
  }

  /** Replaces the file as a whole: whoever reads it finds one state or the other. */
  void save(MemorySegment state) {
    try {
      Path fresh = file.resolveSibling("checkpoint.new");
      Files.write(fresh, state.toArray(ValueLayout.JAVA_BYTE));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the state if there is one. */
  boolean load(MemorySegment state) {
    if (!Files.exists(file)) {
      return false;
    }
    try {
      state.copyFrom(MemorySegment.ofArray(Files.readAllBytes(file)));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
