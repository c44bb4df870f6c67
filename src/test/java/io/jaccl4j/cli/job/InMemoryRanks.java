package io.jaccl4j.cli.job;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;

/** Ranks as threads of the test, with collectives over plain memory. Every wait has a deadline. */
public final class InMemoryRanks {
  private static final long DEADLINE_SECONDS = 20;

  private final int size;
  private final CyclicBarrier barrier;
  private final MemorySegment[] contributions;
  private final String[] operations;
  private final List<LinkedBlockingQueue<MemorySegment>> wires = new ArrayList<>();

  private InMemoryRanks(int size) {
    this.size = size;
    this.barrier = new CyclicBarrier(size);
    this.contributions = new MemorySegment[size];
    this.operations = new String[size];
    for (int wire = 0; wire < size * size; wire++) {
      wires.add(new LinkedBlockingQueue<>());
    }
  }

  /** Runs the same work on every rank and returns the results in rank order. */
  public static <T> List<T> run(int size, Function<Session, T> work) {
    InMemoryRanks ranks = new InMemoryRanks(size);
    List<CompletableFuture<T>> results = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Session session = ranks.new Rank(rank);
      CompletableFuture<T> result = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .name("rank-" + rank)
          .start(
              () -> {
                try {
                  result.complete(work.apply(session));
                } catch (RuntimeException | Error e) {
                  result.completeExceptionally(e);
                  ranks.barrier.reset();
                }
              });
      results.add(result);
    }
    List<T> values = new ArrayList<>();
    for (CompletableFuture<T> result : results) {
      values.add(get(result));
    }
    return values;
  }

  private static <T> T get(CompletableFuture<T> result) {
    try {
      return result.get(2 * DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("a rank did not finish", e);
    }
  }

  private void await() {
    try {
      barrier.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the ranks do not call the same operations", e);
    }
  }

  /** Hands one rank's input to all, lets it take what it wants, and waits until all have. */
  private void exchange(int rank, String operation, MemorySegment in, Runnable take) {
    contributions[rank] = copy(in);
    operations[rank] = operation + " of " + in.byteSize();
    await();
    for (String other : operations) {
      if (!other.equals(operations[rank])) {
        throw new AssertionError(operations[rank] + " meets " + other);
      }
    }
    take.run();
    await();
  }

  private static MemorySegment copy(MemorySegment segment) {
    return Arena.ofAuto().allocate(Math.max(1, segment.byteSize()), 8).copyFrom(segment);
  }

  private void reduce(
      MemorySegment out,
      long firstByte,
      Dtype dtype,
      LongBinaryOperator integers,
      DoubleBinaryOperator floats) {
    for (long i = 0; i < out.byteSize() / dtype.bytes(); i++) {
      long offset = firstByte + i * dtype.bytes();
      switch (dtype) {
        case INT64 -> {
          long value = contributions[0].get(ValueLayout.JAVA_LONG, offset);
          for (int rank = 1; rank < size; rank++) {
            value =
                integers.applyAsLong(value, contributions[rank].get(ValueLayout.JAVA_LONG, offset));
          }
          out.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
        case FLOAT64 -> {
          double value = contributions[0].get(ValueLayout.JAVA_DOUBLE, offset);
          for (int rank = 1; rank < size; rank++) {
            value =
                floats.applyAsDouble(
                    value, contributions[rank].get(ValueLayout.JAVA_DOUBLE, offset));
          }
          out.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
        }
        case FLOAT32 -> {
          double value = contributions[0].get(ValueLayout.JAVA_FLOAT, offset);
          for (int rank = 1; rank < size; rank++) {
            value =
                floats.applyAsDouble(
                    value, contributions[rank].get(ValueLayout.JAVA_FLOAT, offset));
          }
          out.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
        }
        default -> throw new AssertionError("no " + dtype + " here");
      }
    }
  }

  private final class Rank implements Session {
    private final int rank;

    private Rank(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public void allSum(MemorySegment in, MemorySegment out, Dtype dtype) {
      exchange(rank, "allSum", in, () -> reduce(out, 0, dtype, Long::sum, Double::sum));
    }

    @Override
    public void allMax(MemorySegment in, MemorySegment out, Dtype dtype) {
      exchange(rank, "allMax", in, () -> reduce(out, 0, dtype, Long::max, Double::max));
    }

    @Override
    public void allMin(MemorySegment in, MemorySegment out, Dtype dtype) {
      exchange(rank, "allMin", in, () -> reduce(out, 0, dtype, Long::min, Double::min));
    }

    @Override
    public void allGather(MemorySegment in, MemorySegment out) {
      long bytes = in.byteSize();
      exchange(
          rank,
          "allGather",
          in,
          () -> {
            for (int peer = 0; peer < size; peer++) {
              MemorySegment.copy(contributions[peer], 0, out, peer * bytes, bytes);
            }
          });
    }

    @Override
    public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
      exchange(
          rank,
          "sumScatter",
          in,
          () -> reduce(out, rank * out.byteSize(), dtype, Long::sum, Double::sum));
    }

    /** Like a link without slots: waits until the peer receives. */
    @Override
    public void send(MemorySegment data, int peer) {
      LinkedBlockingQueue<MemorySegment> wire = wires.get(rank * size + peer);
      wire.add(copy(data));
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
      while (!wire.isEmpty()) {
        if (System.nanoTime() > deadlineNanos) {
          throw new AssertionError("rank " + peer + " does not receive from rank " + rank);
        }
        Thread.onSpinWait();
      }
    }

    @Override
    public void recv(MemorySegment data, int peer) {
      try {
        MemorySegment received =
            wires.get(peer * size + rank).poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
        if (received == null) {
          throw new AssertionError("rank " + peer + " does not send to rank " + rank);
        }
        data.copyFrom(received);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void barrier() {
      exchange(rank, "barrier", MemorySegment.NULL, () -> {});
    }

    @Override
    public MemorySegment allocate(long bytes) {
      return Arena.ofAuto().allocate(bytes, 64);
    }
  }
}
