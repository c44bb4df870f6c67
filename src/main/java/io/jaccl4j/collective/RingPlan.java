package io.jaccl4j.collective;

/**
 * Who sends which part of an array when, for one ring operation. Pure arithmetic, in bytes.
 *
 * <p>The array is a row of chunks, one per rank. Each chunk is cut into slices, one per direction
 * and wire. In every step a wire sends its slice of one chunk and receives its slice of another;
 * from step to step both windows move by one chunk, down in direction 0, up in direction 1.
 */
final class RingPlan {
  private final int rank;
  private final int size;
  private int directions;
  private int lanes;
  private int steps;
  private int firstSend;
  private long chunkBytes;
  private long totalBytes;
  private long sliceBytes;

  RingPlan(int rank, int size) {
    this.rank = rank;
    this.size = size;
  }

  /**
   * Lays an operation out.
   *
   * @param newFirstSend which chunk direction 0 sends first, counted down from this rank's own;
   *     direction 1 counts up
   * @param newChunkBytes distance of chunks
   * @param newTotalBytes end of the array; the last chunks may be short or empty
   * @param elementBytes slices are cut between elements of this size
   */
  void lay(
      int newDirections,
      int newLanes,
      int newSteps,
      int newFirstSend,
      long newChunkBytes,
      long newTotalBytes,
      int elementBytes) {
    directions = newDirections;
    lanes = newLanes;
    steps = newSteps;
    firstSend = newFirstSend;
    chunkBytes = newChunkBytes;
    totalBytes = newTotalBytes;
    long elements = newChunkBytes / elementBytes;
    long shares = (long) newDirections * newLanes;
    sliceBytes = (elements + shares - 1) / shares * elementBytes;
  }

  int directions() {
    return directions;
  }

  int lanes() {
    return lanes;
  }

  int steps() {
    return steps;
  }

  long chunkBytes() {
    return chunkBytes;
  }

  /** Bytes of a full slice; the class of all messages follows from it. */
  long sliceBytes() {
    return sliceBytes;
  }

  int sendChunk(int step, int direction) {
    return window(firstSend + step, direction);
  }

  int receiveChunk(int step, int direction) {
    return window(firstSend + step + 1, direction);
  }

  private int window(int moved, int direction) {
    int chunk = direction == 0 ? rank - moved : rank + moved;
    return Math.floorMod(chunk, size);
  }

  /** Where a slice begins in the array. */
  long sliceBegin(int chunk, int direction, int lane) {
    long end = Math.min((chunk + 1) * chunkBytes, totalBytes);
    return Math.min(chunk * chunkBytes + ((long) direction * lanes + lane) * sliceBytes, end);
  }

  /** Bytes of a slice: it may be short or empty at the end of its chunk or of the array. */
  long sliceLength(int chunk, int direction, int lane) {
    long begin = sliceBegin(chunk, direction, lane);
    long end = Math.min((chunk + 1) * chunkBytes, totalBytes);
    return Math.max(0, Math.min(sliceBytes, end - begin));
  }
}
