package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * An operation whose result is copied to its place when it is complete: blocks that lie at even
 * distances in what the operation left.
 */
final class CopyAfter implements Collective {
  private final Collective operation;
  private final MemorySegment result;
  private final MemorySegment out;
  private final int blocks;
  private boolean copied;

  CopyAfter(Collective operation, MemorySegment result, MemorySegment out, int blocks) {
    this.blocks = blocks;
    this.operation = operation;
    this.result = result;
    this.out = out;
  }

  private void copyWhenDone() {
    if (!copied && operation.isDone()) {
      long blockBytes = out.byteSize() / blocks;
      for (int block = 0; block < blocks; block++) {
        long from = block * out.byteSize();
        if (result.address() + from != out.address()) {
          MemorySegment.copy(result, from, out, block * blockBytes, blockBytes);
        }
      }
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
