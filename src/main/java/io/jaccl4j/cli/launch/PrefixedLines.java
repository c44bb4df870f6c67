package io.jaccl4j.cli.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One stream of one rank on its way to the launcher's: whole lines, each with the rank in front, as
 * bytes, whatever their encoding. One thread writes; the target is shared with other ranks and
 * locked for each line.
 */
final class PrefixedLines {
  /** A longer line is shown in parts. */
  static final int MAX_LINE_BYTES = 1 << 20;

  private final byte[] prefix;
  private final OutputStream target;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  PrefixedLines(int rank, OutputStream target) {
    this.prefix = ("[" + rank + "] ").getBytes(StandardCharsets.UTF_8);
    this.target = target;
  }

  /** Takes what was printed; passes on the lines that are complete. */
  void write(byte[] bytes, int length) throws IOException {
    int begin = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n' || line.size() + i - begin >= MAX_LINE_BYTES) {
        boolean newline = bytes[i] == '\n';
        line.write(bytes, begin, i - begin + (newline ? 0 : 1));
        pass();
        begin = i + 1;
      }
    }
    line.write(bytes, begin, length - begin);
  }

  /** The stream has ended: a last line without its end is one. */
  void end() throws IOException {
    if (line.size() > 0) {
      pass();
    }
  }

  private void pass() throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream(prefix.length + line.size() + 1);
    whole.write(prefix);
    line.writeTo(whole);
    whole.write('\n');
    line.reset();
    synchronized (target) {
      whole.writeTo(target);
      target.flush();
    }
  }
}
