package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;

/** One operation on buffers of one size. The same calls in the same order on every rank. */
public interface Exchange {

  /** Does the operation once. */
  void run();

  /** Gives the input its data and spoils the output. */
  void fill();

  /** How many elements of this rank's output are not what {@link #fill} and one run give. */
  long countWrong();

  /**
   * Prepares an operation.
   *
   * @param bytes fitting the operation
   * @param inPlace whether input and output share memory, where the operation has a choice
   */
  static Exchange of(
      Session session,
      Operation operation,
      Dtype dtype,
      Buffers buffers,
      long bytes,
      boolean inPlace) {
    TestPattern pattern = new TestPattern(dtype, session.size());
    Buffers sized = buffers.ofSize(bytes);
    return switch (operation) {
      case ALL_SUM -> new ReduceExchange(session, ReduceOp.SUM, pattern, sized, inPlace);
      case ALL_MAX -> new ReduceExchange(session, ReduceOp.MAX, pattern, sized, inPlace);
      case ALL_MIN -> new ReduceExchange(session, ReduceOp.MIN, pattern, sized, inPlace);
      case ALL_GATHER -> new GatherExchange(session, pattern, sized, inPlace);
      case SUM_SCATTER -> new ScatterExchange(session, pattern, sized, inPlace);
      case SEND_RECV -> new NeighbourExchange(session, pattern, sized);
      case BROADCAST -> new BroadcastExchange(session, pattern, sized);
      case ALL_TO_ALL -> new AllToAllExchange(session, pattern, sized);
      case BARRIER -> new BarrierExchange(session);
    };
  }
}
