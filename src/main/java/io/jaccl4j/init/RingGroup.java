package io.jaccl4j.init;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.GroupMember;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.ring.MlxRing;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** A rank of MLX's TCP ring as a group. */
final class RingGroup implements Group {
  private static final String NAME = "ring";

  private final MlxRing ring;
  private final List<GroupMember> members;
  private final AtomicLong operations = new AtomicLong();

  RingGroup(MlxRing ring, List<GroupMember> members) {
    this.ring = ring;
    this.members = List.copyOf(members);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int rank() {
    return ring.rank();
  }

  @Override
  public int size() {
    return ring.size();
  }

  @Override
  public long epoch() {
    return ring.epoch();
  }

  @Override
  public List<GroupMember> members() {
    return members;
  }

  @Override
  public GroupHealth health() {
    if (ring.isClosed()) {
      return GroupHealth.CLOSED;
    }
    return failure().isPresent() ? GroupHealth.FAILED : GroupHealth.READY;
  }

  @Override
  public Optional<GroupFailure> failure() {
    return ring.failure();
  }

  @Override
  public CompletionStage<Void> terminated() {
    return ring.terminated();
  }

  @Override
  public String describe() {
    return ring.describe();
  }

  /** Operations alone: MLX's ring has no messages to count, only streams. */
  @Override
  public GroupCounters counters() {
    return new GroupCounters(operations.get(), 0, 0, 0, 0);
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return ring.allocate(bytes);
  }

  @Override
  public <T> CompletionStage<T> run(Function<Session, T> function) {
    return ring.run(function);
  }

  @Override
  public void close() {
    ring.close();
  }

  /** MLX's ring has no way to give a reason. */
  @Override
  public void abort(Throwable cause) {
    close();
  }

  private void counted(Runnable operation) {
    operation.run();
    operations.incrementAndGet();
  }

  private CompletionStage<Void> async(Consumer<Session> operation) {
    return ring.run(
        session -> {
          counted(() -> operation.accept(session));
          return null;
        });
  }

  @Override
  public void allSum(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.allSum(in, out, dtype));
  }

  @Override
  public void allMax(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.allMax(in, out, dtype));
  }

  @Override
  public void allMin(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.allMin(in, out, dtype));
  }

  @Override
  public void allGather(MemorySegment in, MemorySegment out) {
    counted(() -> ring.allGather(in, out));
  }

  @Override
  public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.sumScatter(in, out, dtype));
  }

  @Override
  public void send(MemorySegment data, int peer) {
    counted(() -> ring.send(data, peer));
  }

  @Override
  public void recv(MemorySegment data, int peer) {
    counted(() -> ring.recv(data, peer));
  }

  @Override
  public void allProduct(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.allProduct(in, out, dtype));
  }

  @Override
  public void allAverage(MemorySegment in, MemorySegment out, Dtype dtype) {
    counted(() -> ring.allAverage(in, out, dtype));
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    counted(() -> ring.broadcast(data, root));
  }

  @Override
  public void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    counted(() -> ring.reduce(op, in, out, dtype, root));
  }

  @Override
  public void gather(MemorySegment in, MemorySegment out, int root) {
    counted(() -> ring.gather(in, out, root));
  }

  @Override
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    counted(() -> ring.scatter(in, out, root));
  }

  @Override
  public void allToAll(MemorySegment in, MemorySegment out) {
    counted(() -> ring.allToAll(in, out));
  }

  @Override
  public void barrier() {
    counted(() -> ring.barrier());
  }

  @Override
  public CompletionStage<Void> allSumAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.allSum(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allMaxAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.allMax(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allMinAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.allMin(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allGatherAsync(MemorySegment in, MemorySegment out) {
    return async(session -> session.allGather(in, out));
  }

  @Override
  public CompletionStage<Void> sumScatterAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.sumScatter(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> sendAsync(MemorySegment data, int peer) {
    return async(session -> session.send(data, peer));
  }

  @Override
  public CompletionStage<Void> recvAsync(MemorySegment data, int peer) {
    return async(session -> session.recv(data, peer));
  }

  @Override
  public CompletionStage<Void> allProductAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.allProduct(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allAverageAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return async(session -> session.allAverage(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> broadcastAsync(MemorySegment data, int root) {
    return async(session -> session.broadcast(data, root));
  }

  @Override
  public CompletionStage<Void> reduceAsync(
      ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    return async(session -> session.reduce(op, in, out, dtype, root));
  }

  @Override
  public CompletionStage<Void> gatherAsync(MemorySegment in, MemorySegment out, int root) {
    return async(session -> session.gather(in, out, root));
  }

  @Override
  public CompletionStage<Void> scatterAsync(MemorySegment in, MemorySegment out, int root) {
    return async(session -> session.scatter(in, out, root));
  }

  @Override
  public CompletionStage<Void> allToAllAsync(MemorySegment in, MemorySegment out) {
    return async(session -> session.allToAll(in, out));
  }

  @Override
  public CompletionStage<Void> barrierAsync() {
    return async(session -> session.barrier());
  }
}
