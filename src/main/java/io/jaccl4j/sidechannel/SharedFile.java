package io.jaccl4j.sidechannel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A file that appears whole or not at all: written beside its place and renamed. Where a folder is
 * copied by some service, which does not rename, the header tells a part from the whole.
 *
 * <pre>
 * 0   "J4JD"
 * 4   int32 length
 * 8   int32 CRC-32C of the content
 * 12  content
 * </pre>
 */
final class SharedFile {
  private static final int MAGIC = 0x444a344a;
  private static final int HEADER_BYTES = 12;

  private SharedFile() {}

  /**
   * Writes a file, over one of that name.
   *
   * @param writer tells those apart who may write the same file
   */
  static void write(Path file, String writer, byte[] content) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + content.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putInt(content.length).putInt(checksum(content)).put(content);
    Path draft = file.resolveSibling(".draft-" + writer + "-" + file.getFileName());
    try {
      Files.write(draft, bytes.array());
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** The content, or empty if the file is not there, or not whole yet. */
  static Optional<byte[]> read(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
    if (bytes.length < HEADER_BYTES) {
      return Optional.empty();
    }
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (header.getInt() != MAGIC || header.getInt() != bytes.length - HEADER_BYTES) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
    return header.getInt() == checksum(content) ? Optional.of(content) : Optional.empty();
  }

  private static int checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }
}
