package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * Operations one after the other as one. A peer that is a phase ahead cannot confuse a slower one:
 * each phase posts exactly the receives that its own messages need, and a link keeps the order.
 */
final class Phases implements Collective {
  private static final int MOST = 3;

  private final Collective[] phases = new Collective[MOST];
  private int count;
  private int current;

  Phases clear() {
    count = 0;
    current = 0;
    return this;
  }

  Phases then(Collective phase) {
    phases[count++] = phase;
    return this;
  }

  @Override
  public void start() {
    phases[current].start();
    advance();
  }

  private void advance() {
    while (phases[current].isDone() && current + 1 < count) {
      current++;
      phases[current].start();
    }
  }

  @Override
  public void onSendComplete(Link link, long workId) {
    phases[current].onSendComplete(link, workId);
    advance();
  }

  @Override
  public void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
    phases[current].onReceive(link, workId, memory, offset, bytes, immediate);
    advance();
  }

  @Override
  public boolean isDone() {
    return current == count - 1 && phases[current].isDone();
  }

  @Override
  public int awaitedPeer() {
    return phases[current].awaitedPeer();
  }

  @Override
  public String awaiting() {
    return "in phase " + (current + 1) + " of " + count + ", " + phases[current].awaiting();
  }
}
