package io.jaccl4j.process;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.testing.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The operations that carry bytes from rank to rank unchanged. */
final class BlockSweep {
  private final Session session;
  private final int rank;
  private final int size;
  private long checks;

  BlockSweep(Session session) {
    this.session = session;
    this.rank = session.rank();
    this.size = session.size();
  }

  long run() {
    for (long count : Sweep.counts(Integer.BYTES)) {
      try (Arena arena = Arena.ofConfined()) {
        broadcast(arena, count);
        passAround(arena, count);
        long blockCount = Sweep.blockCount(count, size);
        allGather(arena, blockCount);
        gatherAndScatter(arena, blockCount);
        allToAll(arena, blockCount);
        session.barrier();
      }
    }
    return checks;
  }

  private static MemorySegment block(Arena arena, long count, int owner) {
    return Elements.fill(arena, Dtype.INT32, 5L * owner, count, owner);
  }

  private MemorySegment allBlocks(Arena arena, long count) {
    long bytes = count * Integer.BYTES;
    MemorySegment all = arena.allocate(size * bytes, 64);
    for (int owner = 0; owner < size; owner++) {
      all.asSlice(owner * bytes, bytes).copyFrom(block(arena, count, owner));
    }
    return all;
  }

  private void allGather(Arena arena, long count) {
    MemorySegment in = block(arena, count, rank);
    MemorySegment want = allBlocks(arena, count);
    MemorySegment out = arena.allocate(want.byteSize(), 64);
    session.allGather(in, out);
    check("allGather x " + count, out, want);

    out.fill((byte) 0);
    MemorySegment own = out.asSlice(rank * in.byteSize(), in.byteSize()).copyFrom(in);
    session.allGather(own, out);
    check("allGather in place x " + count, out, want);
  }

  private void broadcast(Arena arena, long count) {
    int root = (int) (count % size);
    MemorySegment data = block(arena, count, rank);
    session.broadcast(data, root);
    check("broadcast from %d x %d".formatted(root, count), data, block(arena, count, root));
  }

  private void gatherAndScatter(Arena arena, long count) {
    int root = (int) ((count + 1) % size);
    boolean isRoot = rank == root;
    MemorySegment mine = block(arena, count, rank);
    MemorySegment all = MemorySegment.NULL;
    if (isRoot) {
      all = arena.allocate(size * mine.byteSize(), 64);
    }
    session.gather(mine, all, root);
    if (isRoot) {
      check("gather to %d x %d".formatted(root, count), all, allBlocks(arena, count));
    }
    MemorySegment back = arena.allocate(mine.byteSize(), 64);
    session.scatter(all, back, root);
    check("scatter from %d x %d".formatted(root, count), back, mine);
  }

  private void allToAll(Arena arena, long count) {
    long bytes = count * Integer.BYTES;
    MemorySegment in = arena.allocate(size * bytes, 64);
    MemorySegment out = arena.allocate(size * bytes, 64);
    MemorySegment want = arena.allocate(size * bytes, 64);
    for (int peer = 0; peer < size; peer++) {
      in.asSlice(peer * bytes, bytes).copyFrom(block(arena, count, size * rank + peer));
      want.asSlice(peer * bytes, bytes).copyFrom(block(arena, count, size * peer + rank));
    }
    session.allToAll(in, out);
    check("allToAll x " + count, out, want);
  }

  /** Everyone sends to the right and receives from the left; odd ranks receive first. */
  private void passAround(Arena arena, long count) {
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    MemorySegment mine = block(arena, count, rank);
    MemorySegment received = arena.allocate(mine.byteSize(), 64);
    if (rank % 2 == 0) {
      session.send(mine, right);
      session.recv(received, left);
    } else {
      session.recv(received, left);
      session.send(mine, right);
    }
    check("recv from %d x %d".formatted(left, count), received, block(arena, count, left));
  }

  private void check(String what, MemorySegment got, MemorySegment want) {
    Checks.same(what, got, want);
    checks++;
  }
}
