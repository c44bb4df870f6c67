package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;

/** The receives posted on all links of one rank. */
final class PostedReceives {
  private final PostedWork[] workOfWire;

  PostedReceives(int wires) {
    workOfWire = new PostedWork[wires];
    for (int wire = 0; wire < wires; wire++) {
      workOfWire[wire] = new PostedWork(PostedWork.Kind.RECEIVE, wire);
    }
  }

  void post(Link link, int capacityBytes) {
    link.postReceive(workOfWire[link.wire()].post(), capacityBytes);
  }

  /** A receive whose message may go to {@code offset} if it has this length and this tag. */
  void post(Link link, int capacityBytes, long offset, int bytes, int tag) {
    link.postReceive(workOfWire[link.wire()].post(), capacityBytes, offset, bytes, tag);
  }

  /** Refuses a completion that no posted receive awaits. */
  void complete(Link link, long workId) {
    workOfWire[link.wire()].complete(link, workId);
  }
}
