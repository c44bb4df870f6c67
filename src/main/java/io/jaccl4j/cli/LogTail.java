package io.jaccl4j.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines that a process printed. Any thread. */
final class LogTail {
  private final int capacity;
  private final Deque<String> lines = new ArrayDeque<>();

  LogTail(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(String line) {
    if (lines.size() == capacity) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }
}
