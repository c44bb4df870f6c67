package io.jaccl4j.collective;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;

/**
 * The operations of one topology. Arguments are valid: the engine has checked sizes, overlap and
 * peers. Each method prepares the one operation that runs next and returns it; the object is reused
 * for later operations. {@code tag} travels with every message ({@link OperationTag}).
 */
public interface Algorithms {

  /** Element-wise reduction to all ranks. */
  Collective allReduce(ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int tag);

  /** Concatenation of all inputs on all ranks. */
  Collective allGather(MemorySegment in, MemorySegment out, int tag);

  /** Element-wise sum of which each rank receives its block. */
  Collective sumScatter(Dtype dtype, MemorySegment in, MemorySegment out, int tag);

  /** Copy of the root's data on all ranks. */
  Collective broadcast(MemorySegment data, int root, int tag);

  /** Element-wise reduction to the root; the output is the root's alone. */
  Collective reduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int root, int tag);

  /** Concatenation of all inputs on the root; the output is the root's alone. */
  Collective gather(MemorySegment in, MemorySegment out, int root, int tag);

  /** Distribution of the root's blocks; the input is the root's alone. */
  Collective scatter(MemorySegment in, MemorySegment out, int root, int tag);

  /** Exchange of blocks between all pairs of ranks. */
  Collective allToAll(MemorySegment in, MemorySegment out, int tag);

  /** Whether there is a link for transfers with a rank. */
  boolean reaches(int peer);

  /** Transfer to one rank. */
  Collective send(MemorySegment data, int peer, int tag);

  /** Transfer from one rank. */
  Collective receive(MemorySegment data, int peer, int tag);

  /** Meeting of all ranks. */
  Collective barrier(int tag);

  /** Counts of all operations so far. */
  Traffic traffic();

  /** For people: topology and the choices in it. */
  String describe();
}
