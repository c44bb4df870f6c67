package io.jaccl4j.collective;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.util.Locale;

/**
 * The immediate value of every message: which operation it belongs to, so that ranks that do
 * different things find out before they use each other's data.
 *
 * <pre>
 * bits  0- 3   kind
 *       4- 5   reduction
 *       6- 9   element type
 *      10-19   sequence number, low bits
 *      20-31   hash of the length in bytes
 * </pre>
 */
public final class OperationTag {
  /** On JACCL's wire messages carry no tag. */
  public static final int NONE = 0;

  private static final int REDUCE_SHIFT = 4;
  private static final int DTYPE_SHIFT = 6;
  private static final int SEQUENCE_SHIFT = 10;
  private static final int LENGTH_SHIFT = 20;
  private static final int KIND_MASK = 0xF;
  private static final int REDUCE_MASK = 0x3;
  private static final int DTYPE_MASK = 0xF;
  private static final int SEQUENCE_MASK = 0x3FF;
  private static final int LENGTH_MASK = 0xFFF;

  /** What an operation is. */
  public enum Kind {
    ALL_REDUCE("allReduce"),
    ALL_GATHER("allGather"),
    SUM_SCATTER("sumScatter"),
    TRANSFER("send/recv"),
    BARRIER("barrier"),
    ALL_AVERAGE("allAverage"),
    BROADCAST("broadcast"),
    REDUCE("reduce"),
    GATHER("gather"),
    SCATTER("scatter"),
    ALL_TO_ALL("allToAll");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private OperationTag() {}

  /** Tag of an operation with a reduction. */
  public static int of(Kind kind, ReduceOp op, Dtype dtype, long sequence, long bytes) {
    return kind.ordinal()
        | op.ordinal() << REDUCE_SHIFT
        | dtype.ordinal() << DTYPE_SHIFT
        | ((int) sequence & SEQUENCE_MASK) << SEQUENCE_SHIFT
        | hash(bytes) << LENGTH_SHIFT;
  }

  /** Tag of an operation that only moves bytes. */
  public static int of(Kind kind, long sequence, long bytes) {
    return of(kind, ReduceOp.SUM, Dtype.UINT8, sequence, bytes);
  }

  /** Refuses a message of another operation than the one under way. */
  static void check(int peer, int got, int want) {
    if (got != want) {
      throw new MismatchException(
          peer,
          "rank "
              + peer
              + " sent data of "
              + describe(got)
              + ", but this rank is in "
              + describe(want)
              + "; all ranks must call the same operations in the same order with the same sizes");
    }
  }

  /** Refuses a message of another length than its place in the operation has. */
  static void checkLength(int peer, long message, int gotBytes, int wantBytes, int tag) {
    if (gotBytes != wantBytes) {
      throw new MismatchException(
          peer,
          "message "
              + message
              + " of rank "
              + peer
              + " has "
              + gotBytes
              + " bytes, want "
              + wantBytes
              + "; call "
              + describe(tag)
              + " with the same size on all ranks");
    }
  }

  /** What a tag says, for errors. */
  public static String describe(int tag) {
    int kindIndex = tag & KIND_MASK;
    int reduceIndex = tag >>> REDUCE_SHIFT & REDUCE_MASK;
    int dtypeIndex = tag >>> DTYPE_SHIFT & DTYPE_MASK;
    if (kindIndex >= Kind.values().length
        || reduceIndex >= ReduceOp.values().length
        || dtypeIndex >= Dtype.values().length) {
      return "an unknown operation (tag 0x" + Integer.toHexString(tag) + ")";
    }
    Kind kind = Kind.values()[kindIndex];
    String dtype = Dtype.values()[dtypeIndex].name().toLowerCase(Locale.ROOT);
    String what =
        switch (kind) {
          case ALL_REDUCE -> ReduceOp.values()[reduceIndex].allReduceName() + " " + dtype;
          case SUM_SCATTER, ALL_AVERAGE -> kind.label + " " + dtype;
          case REDUCE ->
              kind.label
                  + " "
                  + ReduceOp.values()[reduceIndex].name().toLowerCase(Locale.ROOT)
                  + " "
                  + dtype;
          case ALL_GATHER, TRANSFER, BARRIER, BROADCAST, GATHER, SCATTER, ALL_TO_ALL -> kind.label;
        };
    return what
        + " #"
        + (tag >>> SEQUENCE_SHIFT & SEQUENCE_MASK)
        + " of length class "
        + Integer.toHexString(tag >>> LENGTH_SHIFT & LENGTH_MASK);
  }

  private static int hash(long bytes) {
    // Fibonacci hashing: neighbouring lengths, the likely mistake, differ in the high bits.
    return (int) (bytes * 0x9E3779B97F4A7C15L >>> (Long.SIZE - 12)) & LENGTH_MASK;
  }
}
