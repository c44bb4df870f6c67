package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/**
 * send_recv: every rank sends to the next one and receives from the previous one. A session does
 * one after the other, so that even ranks send first and the time is that of both; between two
 * ranks it is a round trip.
 */
final class NeighbourExchange implements Exchange {
  private final Session session;
  private final TestPattern pattern;
  private final MemorySegment in;
  private final MemorySegment out;
  private final int next;
  private final int previous;

  NeighbourExchange(Session session, TestPattern pattern, Buffers buffers) {
    this.session = session;
    this.pattern = pattern;
    this.in = buffers.in();
    this.out = buffers.out();
    this.next = (session.rank() + 1) % session.size();
    this.previous = (session.rank() + session.size() - 1) % session.size();
  }

  @Override
  public void run() {
    if (session.rank() % 2 == 0) {
      session.send(in, next);
      session.recv(out, previous);
    } else {
      session.recv(out, previous);
      session.send(in, next);
    }
  }

  @Override
  public void fill() {
    Buffers.spoil(out);
    pattern.fill(in, 0, session.rank());
  }

  @Override
  public long countWrong() {
    return pattern.countWrong(out, 0, previous);
  }
}
