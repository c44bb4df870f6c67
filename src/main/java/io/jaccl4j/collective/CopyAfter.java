package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/** An operation whose result is copied to its place when it is complete. */
final class CopyAfter implements Collective {
  private final Collective operation;
  private final MemorySegment result;
  private final MemorySegment out;
  private boolean copied;

  CopyAfter(Collective operation, MemorySegment result, MemorySegment out) {
    this.operation = operation;
    this.result = result;
    this.out = out;
  }

  private void copyWhenDone() {
    if (!copied && operation.isDone()) {
      out.copyFrom(result);
      copied = true;
    }
  }

  @Override
  public void start() {
    operation.start();
    copyWhenDone();
  }

  @Override
  public void onSendComplete(Link link, long workId) {
    operation.onSendComplete(link, workId);
    copyWhenDone();
  }

  @Override
  public void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
    operation.onReceive(link, workId, memory, offset, bytes, immediate);
    copyWhenDone();
  }

  @Override
  public boolean isDone() {
    return copied;
  }

  @Override
  public int awaitedPeer() {
    return operation.awaitedPeer();
  }

  @Override
  public String awaiting() {
    return operation.awaiting();
  }
}
