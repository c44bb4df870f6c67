package io.jaccl4j.ring;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.JacclException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.buffer.BufferChecks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank of MLX's TCP ring. Its neighbours may be ranks of MLX itself: the bytes between them are
 * the same.
 *
 * <p><b>Operations</b> are MLX's: {@code allSum}, {@code allMax}, {@code allMin}, {@code
 * allGather}, and {@code send} and {@code recv} with the direct neighbours. With {@link
 * RingOptions#extensions} also {@code sumScatter}, {@code barrier}, and transfers with any rank,
 * which pass through the ranks between: a rank must not close its ring while others may still send
 * through it, so end with a {@code barrier}. Such a transfer begins when both sides have called it.
 * With extensions, small all-reduces and all-gathers of an even number of ranks take fewer steps.
 * Everything else in {@link Session} is refused by name. Nothing on the wire tells operations
 * apart: ranks that call different ones, or the same with another type or count, end at a deadline
 * or with wrong data.
 *
 * <p><b>Results</b> are MLX's bit for bit, the same on every rank: a maximum or minimum keeps the
 * value that this rank had before if it equals the received one or cannot be compared with it. Only
 * the bits of a NaN that results from a sum differ: it is the type's canonical one. An all-reduce
 * of fewer elements than ranks is sent even if there are none.
 *
 * <p><b>Threads.</b> Any thread may call; operations run in submission order on the ring's own
 * thread. A caller that is interrupted while its operation runs ends it, and with it the ring,
 * because the bytes on their way can no longer be told from the next operation's; one that still
 * waits for its turn is withdrawn.
 *
 * <p><b>Errors.</b> As in {@link Session}; all failures name the neighbour and its address in the
 * hostfile. A neighbour that is gone is noticed between operations, too, unless it left data that
 * nobody has received. A ring that failed stays failed and has closed its connections, so that the
 * other ranks fail as well.
 */
public final class MlxRing implements Session, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MlxRing.class);

  /** How much longer than its deadline a caller waits before it looks after its operation. */
  private static final long BUSY_GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Bounds a caller's wait, because the injected clock may run differently from the system's. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RingOptions options;
  private final RingHosts hosts;
  private final int rank;
  private final RingState state;
  private final RingThread thread;
  private final BufferChecks buffers;
  private final PaddedReduction reductions;
  private final Arena arena = Arena.ofShared();
  private final AtomicBoolean arenaClosed = new AtomicBoolean();
  private final CompletableFuture<RingSession> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> terminated = new CompletableFuture<>();
  private RingSession session;

  private MlxRing(RingHosts hosts, int rank, RingOptions options) {
    this.hosts = hosts;
    this.rank = rank;
    this.options = options;
    this.state = new RingState(rank);
    this.thread = new RingThread(rank, state, options, this::runOnThread);
    this.buffers = new BufferChecks(thread.thread(), "the ring's allocate", rank, hosts.size());
    this.reductions = new PaddedReduction(buffers, rank, hosts.size());
  }

  /**
   * Connects a rank to its neighbours. Ranks may start in any order; an attempt that fails is
   * repeated until the deadline.
   *
   * @param hosts the same on all ranks
   * @param rank this rank, {@code 0 <= rank < hosts.size()}
   * @throws FormationException if an address cannot be used, a neighbour does not come in time,
   *     cannot prove that it knows the key or has other settings, or the caller is interrupted
   */
  public static MlxRing connect(RingHosts hosts, int rank, RingOptions options) {
    if (rank < 0 || rank >= hosts.size()) {
      throw new FormationException(
          Reason.RANK_CONFLICT,
          "rank is "
              + rank
              + ", want 0 to "
              + (hosts.size() - 1)
              + ": the hosts' row of this rank");
    }
    MlxRing ring = new MlxRing(hosts, rank, options);
    try {
      ring.start();
      return ring;
    } catch (Throwable t) {
      ring.close();
      throw t;
    }
  }

  private void start() {
    thread.start();
    try {
      // Bounded: the set-up has a deadline of its own.
      session = ready.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FormationException cause) {
        throw cause;
      }
      throw new FormationException(
          Reason.FABRIC, "rank " + rank + " of a ring could not connect: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FormationException(
          Reason.STOPPED, "rank " + rank + " of a ring: interrupted while it connected", e);
    }
  }

  private void runOnThread() {
    try {
      RingSetup setup;
      try {
        setup = new RingSetup(hosts, rank, options, state);
      } catch (RuntimeException | Error e) {
        ready.completeExceptionally(e);
        return;
      }
      Neighbours neighbours;
      Sockets sockets;
      RingSession operations;
      Relay relay;
      try {
        neighbours = setup.connect();
        sockets = new Sockets(setup.selector(), neighbours);
        relay = neighbours.relays().isEmpty() ? null : new Relay(rank, hosts, neighbours);
        operations =
            new RingSession(
                hosts,
                rank,
                options.extensions(),
                buffers,
                arena,
                new DirectTransfer(neighbours, arena),
                options.extensions() && PairExchange.isFor(hosts.size())
                    ? new PairExchange(rank, hosts.size(), neighbours, arena)
                    : null,
                relay,
                new OperationRunner(hosts, rank, options, state, sockets, relay));
      } catch (Throwable t) {
        // First of all, so that the caller goes on whatever becomes of the sockets.
        ready.completeExceptionally(t);
        setup.close();
        return;
      }
      LOG.info("{}", description());
      ready.complete(operations);
      thread.loop(operations, sockets, relay);
    } finally {
      GroupFailure failure = state.failure();
      if (failure == null) {
        terminated.complete(null);
      } else {
        terminated.completeExceptionally(failure.toException("ring"));
      }
      if (state.isClosed()) {
        closeArena();
      }
    }
  }

  /** Completes when the ring is closed, exceptionally with the first cause when it fails. */
  public CompletionStage<Void> terminated() {
    return terminated.minimalCompletionStage();
  }

  /** One line for people: rank, neighbours, what is special. */
  public String describe() {
    return description();
  }

  /** Whether it was closed here. */
  public boolean isClosed() {
    return state.isClosed();
  }

  private String description() {
    return "ring rank ["
        + rank
        + "] of ["
        + hosts.size()
        + "]: ["
        + hosts.connections()
        + "] connections to each of left ["
        + hosts.describe(Side.LEFT.of(rank, hosts.size()))
        + "] and right ["
        + hosts.describe(Side.RIGHT.of(rank, hosts.size()))
        + (options.key() == null ? "], without proof" : "], each proved by the key")
        + (options.extensions() ? ", with extensions" : ", as in MLX");
  }

  /** Why the ring failed, if it did. */
  public Optional<GroupFailure> failure() {
    return Optional.ofNullable(state.failure());
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return hosts.size();
  }

  /** Always 0: nothing in MLX's protocol tells one formation from another. */
  @Override
  public long epoch() {
    return 0;
  }

  @Override
  public void allSum(MemorySegment in, MemorySegment out, Dtype dtype) {
    reductions.check("allSum", in, out, dtype);
    call("allSum", operations -> operations.allSum(in, out, dtype));
  }

  @Override
  public void allMax(MemorySegment in, MemorySegment out, Dtype dtype) {
    reductions.check("allMax", in, out, dtype);
    call("allMax", operations -> operations.allMax(in, out, dtype));
  }

  @Override
  public void allMin(MemorySegment in, MemorySegment out, Dtype dtype) {
    reductions.check("allMin", in, out, dtype);
    call("allMin", operations -> operations.allMin(in, out, dtype));
  }

  @Override
  public void allGather(MemorySegment in, MemorySegment out) {
    buffers.checkAllGather("allGather", in, out);
    call("allGather", operations -> operations.allGather(in, out));
  }

  /** Only with {@link RingOptions#extensions}. */
  @Override
  public void sumScatter(MemorySegment in, MemorySegment out, Dtype dtype) {
    session.checkExtension("sumScatter");
    buffers.checkSumScatter("sumScatter", in, out, dtype);
    call("sumScatter", operations -> operations.sumScatter(in, out, dtype));
  }

  @Override
  public void send(MemorySegment data, int peer) {
    session.checkPeer("send", "to", peer);
    buffers.checkSend("send", data);
    call("send", operations -> operations.send(data, peer));
  }

  @Override
  public void recv(MemorySegment data, int peer) {
    session.checkPeer("recv", "from", peer);
    buffers.checkReceive("recv", data);
    call("recv", operations -> operations.recv(data, peer));
  }

  /** Only with {@link RingOptions#extensions}. */
  @Override
  public void barrier() {
    session.checkExtension("barrier");
    call("barrier", RingSession::barrier);
  }

  /** Refused. */
  @Override
  public void allProduct(MemorySegment in, MemorySegment out, Dtype dtype) {
    throw session.unsupported("allProduct");
  }

  /** Refused. */
  @Override
  public void allAverage(MemorySegment in, MemorySegment out, Dtype dtype) {
    throw session.unsupported("allAverage");
  }

  /** Refused. */
  @Override
  public void broadcast(MemorySegment data, int root) {
    throw session.unsupported("broadcast");
  }

  /** Refused. */
  @Override
  public void reduce(ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    throw session.unsupported("reduce");
  }

  /** Refused. */
  @Override
  public void gather(MemorySegment in, MemorySegment out, int root) {
    throw session.unsupported("gather");
  }

  /** Refused. */
  @Override
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    throw session.unsupported("scatter");
  }

  /** Refused. */
  @Override
  public void allToAll(MemorySegment in, MemorySegment out) {
    throw session.unsupported("allToAll");
  }

  /** Any off-heap memory is as good; this one lives as long as the ring. */
  @Override
  public MemorySegment allocate(long bytes) {
    JacclException refusal = state.isClosed() ? state.refusal("allocate") : null;
    if (refusal != null) {
      throw refusal;
    }
    return session.allocate(bytes);
  }

  /**
   * Runs a function on the ring's thread, where operations cost no hand-over. It takes its turn in
   * submission order; each operation inside has a deadline of its own.
   *
   * @return the function's result; what it throws completes the stage and leaves the ring usable,
   *     unless it came from a failed operation
   */
  public <T> CompletionStage<T> run(Function<Session, T> function) {
    Task task = new Task("run", OperationRunner.FROM_NOW, function::apply);
    JacclException refusal = state.refusal("run");
    if (refusal != null) {
      task.refuse(refusal);
    } else if (thread.isCurrent()) {
      task.run(session);
    } else {
      thread.submit(task);
    }
    @SuppressWarnings("unchecked")
    CompletionStage<T> result = (CompletionStage<T>) task.result().minimalCompletionStage();
    return result;
  }

  private void call(String operation, Consumer<RingSession> body) {
    JacclException refusal = state.refusal(operation);
    if (refusal != null) {
      throw refusal;
    }
    if (thread.isCurrent()) {
      body.accept(session);
      return;
    }
    long deadlineNanos = options.nanoClock().getAsLong() + options.operationTimeout().toNanos();
    Task task =
        new Task(
            operation,
            deadlineNanos,
            operations -> {
              body.accept(operations);
              return null;
            });
    thread.submit(task);
    await(task, deadlineNanos + BUSY_GRACE_NANOS);
  }

  private void await(Task task, long untilNanos) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.result().get(LONGEST_WAIT_NANOS, TimeUnit.NANOSECONDS);
          return;
        } catch (TimeoutException e) {
          if (options.nanoClock().getAsLong() - untilNanos >= 0) {
            giveUp(task);
          }
        } catch (InterruptedException e) {
          interrupted = true;
          interrupt(task);
        } catch (ExecutionException e) {
          throw unwrapped(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The ring's thread ends what runs at its deadline, unless a function holds it up. */
  private void giveUp(Task task) {
    if (task.withdraw()) {
      GroupFailure failure =
          state.fail(
              new GroupFailure(
                  GroupFailure.Kind.OPERATION_TIMEOUT,
                  rank,
                  RingHosts.text(hosts.address(rank, 0)),
                  rank,
                  task.label()
                      + " on rank "
                      + rank
                      + ": not begun at its deadline; the ring's thread is busy with a function"
                      + " given to run, which must not block"));
      throw failure.toException(task.label());
    }
  }

  private void interrupt(Task task) {
    if (task.withdraw()) {
      throw new JacclException(
          task.label()
              + " on rank "
              + rank
              + ": its caller was interrupted before it began; nothing was sent and the ring stays"
              + " usable");
    }
    if (!task.result().isDone()) {
      state.fail(
          new GroupFailure(
              GroupFailure.Kind.FABRIC,
              rank,
              RingHosts.text(hosts.address(rank, 0)),
              rank,
              task.label()
                  + " on rank "
                  + rank
                  + ": its caller was interrupted, and what was on its way is lost; close this ring"
                  + " and form a new one"));
      thread.wake();
    }
  }

  private static RuntimeException unwrapped(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) cause;
  }

  /**
   * Leaves the ring: an operation under way and those that wait end with a {@link
   * io.jaccl4j.GroupClosedException}, connections are closed, memory from {@link #allocate} is
   * released. Idempotent, and due for a failed ring too. Returns when the ring's thread has ended;
   * if a function given to {@link #run} holds it up, after five seconds, and the rest happens when
   * the function returns.
   */
  @Override
  public void close() {
    state.close();
    thread.wake();
    if (!thread.isCurrent() && thread.awaitEnd()) {
      closeArena();
    }
  }

  private void closeArena() {
    if (arenaClosed.compareAndSet(false, true)) {
      arena.close();
    }
  }
}
