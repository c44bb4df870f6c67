package io.jaccl4j.testing;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Every operation once, with several messages per link, checked on the rank that runs it. */
public enum Workload {
  ALL_SUM_SMALL {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      return allReduce(ReduceOp.SUM, Dtype.FLOAT32, SMALL, session, arena, buffers, inPlace);
    }
  },
  ALL_SUM_LARGE {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      return allReduce(ReduceOp.SUM, Dtype.FLOAT32, LARGE, session, arena, buffers, inPlace);
    }
  },
  ALL_MAX {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      return allReduce(ReduceOp.MAX, Dtype.BFLOAT16, LARGE, session, arena, buffers, inPlace);
    }
  },
  ALL_MIN {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      return allReduce(ReduceOp.MIN, Dtype.INT64, SMALL, session, arena, buffers, inPlace);
    }
  },
  ALL_GATHER {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      long bytes = BLOCK * Dtype.INT32.bytes();
      MemorySegment out = buffers.zeros(bytes * session.size());
      MemorySegment own = Elements.fill(arena, Dtype.INT32, 0, BLOCK, session.rank());
      MemorySegment in =
          inPlace ? out.asSlice(bytes * session.rank(), bytes).copyFrom(own) : buffers.copyOf(own);
      session.allGather(in, out);
      boolean right = true;
      for (int rank = 0; rank < session.size(); rank++) {
        MemorySegment want = Elements.fill(arena, Dtype.INT32, 0, BLOCK, rank);
        right &= out.asSlice(bytes * rank, bytes).mismatch(want) == -1;
      }
      return right;
    }
  },
  SUM_SCATTER {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      long bytes = BLOCK * Dtype.FLOAT32.bytes();
      int rank = session.rank();
      MemorySegment in =
          buffers.copyOf(Elements.fill(arena, Dtype.FLOAT32, 0, BLOCK * session.size(), rank));
      MemorySegment out = inPlace ? in.asSlice(bytes * rank, bytes) : buffers.zeros(bytes);
      session.sumScatter(in, out, Dtype.FLOAT32);
      MemorySegment want =
          Elements.reduced(arena, ReduceOp.SUM, Dtype.FLOAT32, BLOCK * rank, BLOCK, session.size());
      return out.mismatch(want) == -1;
    }
  },
  PASS_AROUND {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      int right = (session.rank() + 1) % session.size();
      int left = (session.rank() + session.size() - 1) % session.size();
      MemorySegment mine =
          buffers.copyOf(Elements.fill(arena, Dtype.INT16, 0, LARGE, session.rank()));
      MemorySegment got = buffers.zeros(mine.byteSize());
      if (session.rank() == 0) {
        session.send(mine, right);
        session.recv(got, left);
      } else {
        session.recv(got, left);
        session.send(mine, right);
      }
      return got.mismatch(Elements.fill(arena, Dtype.INT16, 0, LARGE, left)) == -1;
    }
  },
  BARRIER {
    @Override
    public boolean isRight(Session session, Arena arena, GuardedBuffers buffers, boolean inPlace) {
      session.barrier();
      return true;
    }
  };

  /** Two messages of all to all. */
  private static final long SMALL = 4000;

  /** Several messages per block, and a tail for three and for four ranks. */
  private static final long LARGE = 50_003;

  private static final long BLOCK = 20_001;

  /** Runs it on one rank; whether the result is right. */
  public abstract boolean isRight(
      Session session, Arena arena, GuardedBuffers buffers, boolean inPlace);

  private static boolean allReduce(
      ReduceOp op,
      Dtype dtype,
      long count,
      Session session,
      Arena arena,
      GuardedBuffers buffers,
      boolean inPlace) {
    MemorySegment in = buffers.copyOf(Elements.fill(arena, dtype, 0, count, session.rank()));
    MemorySegment out = inPlace ? in : buffers.zeros(in.byteSize());
    switch (op) {
      case SUM -> session.allSum(in, out, dtype);
      case MAX -> session.allMax(in, out, dtype);
      case MIN -> session.allMin(in, out, dtype);
    }
    return out.mismatch(Elements.reduced(arena, op, dtype, 0, count, session.size())) == -1;
  }
}
