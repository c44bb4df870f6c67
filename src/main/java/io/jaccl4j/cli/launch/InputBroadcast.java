package io.jaccl4j.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Gives everything that the launcher reads to every rank, on a daemon thread. */
final class InputBroadcast {
  private static final int CHUNK_BYTES = 32768;

  private InputBroadcast() {}

  static void start(InputStream in, List<RankInput> ranks) {
    Thread.ofPlatform().daemon().name("launch-stdin").start(() -> run(in, ranks));
  }

  private static void run(InputStream in, List<RankInput> ranks) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        for (RankInput rank : ranks) {
          rank.send(chunk, count);
        }
      }
    } catch (IOException _) {
      // Such as a terminal that is gone: the end of what there is to read.
    } finally {
      ranks.forEach(RankInput::end);
    }
  }
}
