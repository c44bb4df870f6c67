package io.jaccl4j.engine;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.GroupMember;
import io.jaccl4j.JacclException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.buffer.BufferChecks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Hands operations over to the engine thread. Checks arguments on the caller's thread first. */
final class EngineGroup implements Group {
  /**
   * How much longer than its deadline a caller waits for an operation before it fails the group.
   */
  private static final long BUSY_GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Formation formation;
  private final EngineSession session;
  private final GroupState state;
  private final BufferChecks buffers;
  private final CounterCells counters;
  private final CollectiveThread thread;
  private final NanoClock clock;
  private final long timeoutNanos;
  private final String description;

  EngineGroup(
      Formation formation,
      EngineSession session,
      GroupState state,
      BufferChecks buffers,
      CounterCells counters,
      CollectiveThread thread,
      NanoClock clock,
      String description) {
    this.formation = formation;
    this.session = session;
    this.state = state;
    this.buffers = buffers;
    this.counters = counters;
    this.thread = thread;
    this.clock = clock;
    this.timeoutNanos = formation.settings().operationTimeout().toNanos();
    this.description = description;
  }

  @Override
  public String name() {
    return formation.settings().name();
  }

  @Override
  public int rank() {
    return formation.rank();
  }

  @Override
  public int size() {
    return formation.size();
  }

  @Override
  public long epoch() {
    return formation.epoch();
  }

  @Override
  public List<GroupMember> members() {
    return formation.members();
  }

  @Override
  public GroupHealth health() {
    return state.health();
  }

  @Override
  public Optional<GroupFailure> failure() {
    return Optional.ofNullable(state.failure());
  }

  @Override
  public CompletionStage<Void> terminated() {
    return thread.terminated();
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public GroupCounters counters() {
    return counters.read();
  }

  @Override
  public MemorySegment allocate(long bytes) {
    JacclException refusal = state.refusal("allocate", 0);
    if (refusal != null) {
      throw refusal;
    }
    return session.allocate(bytes);
  }

  @Override
  public CompletionStage<Void> allSumAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return allReduce(ReduceOp.SUM, in, out, dtype);
  }

  @Override
  public CompletionStage<Void> allMaxAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return allReduce(ReduceOp.MAX, in, out, dtype);
  }

  @Override
  public CompletionStage<Void> allMinAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return allReduce(ReduceOp.MIN, in, out, dtype);
  }

  private CompletableFuture<Void> allReduce(
      ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype) {
    String operation = op.allReduceName();
    return submit(
        operation,
        () -> buffers.checkReduction(operation, in, out, dtype),
        on -> on.allReduce(op, in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allProductAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return submit(
        "allProduct",
        () -> {
          session.checkOnExactWire("allProduct");
          buffers.checkReduction("allProduct", in, out, dtype);
        },
        on -> on.allProduct(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> allAverageAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return submit(
        "allAverage",
        () -> {
          session.checkOnExactWire("allAverage");
          buffers.checkAverage("allAverage", in, out, dtype);
        },
        on -> on.allAverage(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> broadcastAsync(MemorySegment data, int root) {
    return submitRooted(
        "broadcast",
        root,
        () -> buffers.checkBroadcast("broadcast", data),
        on -> on.broadcast(data, root));
  }

  @Override
  public CompletionStage<Void> reduceAsync(
      ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    return submitRooted(
        "reduce",
        root,
        () -> buffers.checkReduce("reduce", in, out, dtype, root),
        on -> on.reduce(op, in, out, dtype, root));
  }

  @Override
  public CompletionStage<Void> gatherAsync(MemorySegment in, MemorySegment out, int root) {
    return submitRooted(
        "gather",
        root,
        () -> buffers.checkGather("gather", in, out, root),
        on -> on.gather(in, out, root));
  }

  @Override
  public CompletionStage<Void> scatterAsync(MemorySegment in, MemorySegment out, int root) {
    return submitRooted(
        "scatter",
        root,
        () -> buffers.checkScatter("scatter", in, out, root),
        on -> on.scatter(in, out, root));
  }

  private CompletionStage<Void> submitRooted(
      String operation, int root, Runnable check, Consumer<EngineSession> body) {
    return submit(
        operation,
        () -> {
          session.checkOnExactWire(operation);
          session.checkRoot(operation, root);
          check.run();
        },
        body);
  }

  @Override
  public CompletionStage<Void> allToAllAsync(MemorySegment in, MemorySegment out) {
    return submit(
        "allToAll",
        () -> {
          session.checkOnExactWire("allToAll");
          buffers.checkAllToAll("allToAll", in, out);
        },
        on -> on.allToAll(in, out));
  }

  @Override
  public CompletionStage<Void> allGatherAsync(MemorySegment in, MemorySegment out) {
    return submit(
        "allGather",
        () -> buffers.checkAllGather("allGather", in, out),
        on -> on.allGather(in, out));
  }

  @Override
  public CompletionStage<Void> sumScatterAsync(MemorySegment in, MemorySegment out, Dtype dtype) {
    return submit(
        "sumScatter",
        () -> buffers.checkSumScatter("sumScatter", in, out, dtype),
        on -> on.sumScatter(in, out, dtype));
  }

  @Override
  public CompletionStage<Void> sendAsync(MemorySegment data, int peer) {
    return submit(
        "send",
        () -> {
          session.checkPeer("send", peer);
          buffers.checkSend("send", data);
        },
        on -> on.send(data, peer));
  }

  @Override
  public CompletionStage<Void> recvAsync(MemorySegment data, int peer) {
    return submit(
        "recv",
        () -> {
          session.checkPeer("recv", peer);
          buffers.checkReceive("recv", data);
        },
        on -> on.recv(data, peer));
  }

  @Override
  public CompletionStage<Void> barrierAsync() {
    return submit("barrier", () -> {}, EngineSession::barrier);
  }

  @Override
  public void allSum(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("allSum", allReduce(ReduceOp.SUM, in, out, dtype));
  }

  @Override
  public void allMax(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("allMax", allReduce(ReduceOp.MAX, in, out, dtype));
  }

  @Override
  public void allMin(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("allMin", allReduce(ReduceOp.MIN, in, out, dtype));
  }

  @Override
  public void allGather(MemorySegment in, MemorySegment out) {
    await("allGather", allGatherAsync(in, out));
  }

  @Override
  public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("sumScatter", sumScatterAsync(in, out, dtype));
  }

  @Override
  public void send(MemorySegment data, int peer) {
    await("send", sendAsync(data, peer));
  }

  @Override
  public void recv(MemorySegment data, int peer) {
    await("recv", recvAsync(data, peer));
  }

  @Override
  public void allProduct(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("allProduct", allProductAsync(in, out, dtype));
  }

  @Override
  public void allAverage(MemorySegment in, MemorySegment out, Dtype dtype) {
    await("allAverage", allAverageAsync(in, out, dtype));
  }

  @Override
  public void broadcast(MemorySegment data, int root) {
    await("broadcast", broadcastAsync(data, root));
  }

  @Override
  public void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    await("reduce", reduceAsync(op, in, out, dtype, root));
  }

  @Override
  public void gather(MemorySegment in, MemorySegment out, int root) {
    await("gather", gatherAsync(in, out, root));
  }

  @Override
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    await("scatter", scatterAsync(in, out, root));
  }

  @Override
  public void allToAll(MemorySegment in, MemorySegment out) {
    await("allToAll", allToAllAsync(in, out));
  }

  @Override
  public void barrier() {
    await("barrier", barrierAsync());
  }

  @Override
  public <T> CompletionStage<T> run(Function<Session, T> function) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    enqueue(new Task("run", OperationRunner.FROM_NOW, function::apply, result));
    @SuppressWarnings("unchecked") // the task's body is the function, which returns a T
    CompletionStage<T> typed = (CompletionStage<T>) result;
    return typed;
  }

  private CompletableFuture<Void> submit(
      String operation, Runnable check, Consumer<EngineSession> body) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    try {
      check.run();
      enqueue(
          new Task(
              operation,
              clock.nanoTime() + timeoutNanos,
              on -> {
                body.accept(on);
                return null;
              },
              result));
    } catch (JacclException e) {
      result.completeExceptionally(e);
    }
    return result.thenApply(nothing -> null);
  }

  private void enqueue(Task task) {
    JacclException refusal = state.refusal(task.label(), session.completedCollectives());
    if (refusal != null) {
      task.refuse(refusal);
      return;
    }
    try {
      thread.submit(task);
    } catch (JacclException e) {
      task.refuse(e);
    }
  }

  private void await(String operation, CompletionStage<Void> stage) {
    if (thread.isCurrent()) {
      throw new IllegalStateException(
          operation
              + " of a group was called on its own engine thread; use the session that run hands"
              + " to the function");
    }
    long untilNanos = clock.nanoTime() + timeoutNanos + BUSY_GRACE_NANOS;
    boolean interrupted = false;
    try {
      CompletableFuture<Void> future = stage.toCompletableFuture();
      while (true) {
        try {
          future.get(untilNanos - clock.nanoTime(), TimeUnit.NANOSECONDS);
          return;
        } catch (InterruptedException e) {
          // The engine uses the caller's buffers until the operation ends: stay.
          interrupted = true;
        } catch (ExecutionException e) {
          throw rethrowable(operation, e.getCause());
        } catch (TimeoutException e) {
          throw busy(operation);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException rethrowable(String operation, Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new JacclException(operation + " failed: " + cause, cause);
    };
  }

  private JacclException busy(String operation) {
    GroupFailure first =
        state.fail(
            new GroupFailure(
                GroupFailure.Kind.OPERATION_TIMEOUT,
                rank(),
                members().get(rank()).address(),
                rank(),
                operation
                    + " did not get its turn before its deadline: a function given to run holds"
                    + " the engine thread; make it shorter"));
    return first.toException(operation, session.completedCollectives());
  }

  @Override
  public void close() {
    thread.close();
    if (!thread.isCurrent()) {
      thread.awaitEnd();
    }
  }

  @Override
  public void abort(Throwable cause) {
    GroupMember self = formation.members().get(formation.rank());
    state.fail(
        new GroupFailure(
            GroupFailure.Kind.PEER_LOST,
            self.rank(),
            self.address(),
            self.rank(),
            self + " has left the group: " + cause));
    close();
  }
}
