package io.jaccl4j.config.mlx;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.jaccl4j.ConfigurationException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes the files that this package reads. */
final class JsonFile {

  /** Writes one document. */
  @FunctionalInterface
  interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private JsonFile() {}

  static String text(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      content.writeTo(json);
    } catch (IOException e) {
      throw new ConfigurationException("the hosts cannot be written as JSON: " + e, e);
    }
    return text.append('\n').toString();
  }

  /**
   * Writes a file, so that a reader sees the whole file or none of it.
   *
   * @throws ConfigurationException if it cannot be written
   */
  static void write(Path file, String text) {
    Path absolute = file.toAbsolutePath();
    try {
      Path whole = Files.createTempFile(absolute.getParent(), ".jaccl", ".json");
      try {
        Files.writeString(whole, text);
        Files.move(
            whole, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(whole);
      }
    } catch (IOException e) {
      throw new ConfigurationException(file + ": cannot be written (" + e + ")", e);
    }
  }
}
