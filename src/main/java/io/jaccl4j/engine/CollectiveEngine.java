package io.jaccl4j.engine;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.buffer.BufferChecks;
import io.jaccl4j.collective.Algorithms;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.LoneFabric;
import io.jaccl4j.fabric.NativeCalls;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine of one group: puts its parts together and carries control to its thread. */
public final class CollectiveEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(CollectiveEngine.class);

  private final List<FabricProvider> providers;
  private final EngineListener listener;
  private final NanoClock clock;
  private final CompletableFuture<Group> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private Formation formation;
  private GroupAlgorithms algorithms;
  private WireSelection wires;
  private GroupState state;
  private CollectiveThread thread;
  private volatile Thread started;

  private final NativeCalls nativeCalls = new NativeCalls();

  /** The thread has returned from all it had to do, and did not die on the way. */
  private volatile boolean endedInOrder;

  /** The thread is in a call that does not return. */
  private volatile boolean stuck;

  public CollectiveEngine(
      List<FabricProvider> providers, EngineListener listener, NanoClock clock) {
    this.providers = List.copyOf(providers);
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public synchronized CompletionStage<Group> connect(Formation newFormation) {
    if (formation != null) {
      throw new IllegalStateException("an engine connects once");
    }
    formation = newFormation;
    algorithms = new GroupAlgorithms(formation, formation.settings());
    wires = WireSelection.all(formation.size(), formation.settings().ring().wires());
    state = new GroupState(formation.settings().name(), formation.size());
    thread =
        new CollectiveThread(
            "jaccl-" + formation.settings().name() + "-" + formation.rank(),
            this::run,
            state,
            listener,
            clock,
            formation,
            oversubscribed(formation));
    thread.start();
    started = thread.thread();
    EngineWatchdog.watch(
        thread.thread(),
        () -> state.turns() + nativeCalls.begun(),
        clock,
        formation.settings().operationTimeout().toNanos(),
        this::abandon);
    return ready;
  }

  /** Whether more ranks than processors share this rank's host. */
  private static boolean oversubscribed(Formation formation) {
    String host = formation.members().get(formation.rank()).host();
    long ranksHere =
        formation.members().stream().map(GroupMember::host).filter(host::equals).count();
    return ranksHere > Runtime.getRuntime().availableProcessors();
  }

  private void run() {
    try {
      connectAndServe();
      endedInOrder = true;
    } finally {
      released.complete(null);
    }
  }

  /** The engine thread does not come back from a call; on the watchdog's thread. */
  private void abandon(String call) {
    stuck = true;
    GroupMember self = formation.members().get(formation.rank());
    String text =
        "the engine thread does not come back from "
            + call
            + ", which has taken longer than an operation may; the driver does not answer, and the"
            + " thread stays behind with its memory: check the device, and restart this process";
    GroupFailure cause =
        state.fail(
            new GroupFailure(
                GroupFailure.Kind.FABRIC, self.rank(), self.address(), self.rank(), text));
    LOG.error("Group [{}] rank [{}]: {}", formation.settings().name(), self.rank(), text);
    boolean forming =
        ready.completeExceptionally(
            new FormationException(Reason.FABRIC, self + " could not connect links: " + text));
    formation.sideChannel().close();
    if (!forming) {
      thread.abandon(cause);
    }
  }

  private void connectAndServe() {
    Fabric fabric;
    try {
      fabric = connectLinks();
    } catch (RuntimeException e) {
      formation.sideChannel().close();
      ready.completeExceptionally(asFormationException(e));
      return;
    } catch (Error e) {
      formation.sideChannel().close();
      ready.completeExceptionally(e);
      throw e;
    }
    try {
      if (formation.exchange() == LinkExchange.OWN) {
        formation.sideChannel().close();
      }
      EngineSession session;
      try {
        session = ready(fabric);
      } catch (RuntimeException e) {
        closeAfter(fabric, e);
        ready.completeExceptionally(asFormationException(e));
        return;
      } catch (Error e) {
        closeAfter(fabric, e);
        ready.completeExceptionally(e);
        throw e;
      }
      thread.loop(session, fabric);
    } finally {
      // Who watches its peers keeps it open for as long as the group lives, as JACCL's ranks do.
      formation.sideChannel().close();
    }
  }

  private Fabric connectLinks() {
    GroupLinks links = new Links();
    return switch (formation.exchange()) {
      case OWN, OWN_WATCHED -> new LinkSetup(formation, state, clock).connect(links);
      case JACCL ->
          formation.size() == 1
              ? open()
              : new JacclLinkSetup(formation, algorithms.isRing(), clock).connect(this::open);
    };
  }

  private static FormationException asFormationException(RuntimeException e) {
    return e instanceof FormationException formationException
        ? formationException
        : new FormationException(Reason.FABRIC, "links could not be brought up: " + e, e);
  }

  private Fabric open() {
    return formation.size() == 1
        ? new LoneFabric(formation.settings().memory().registeredBytes())
        : provider().open(request());
  }

  private FabricProvider provider() {
    return providers.stream()
        .filter(candidate -> candidate.name().equals(formation.fabric()))
        .findFirst()
        .orElseThrow(
            () ->
                new FormationException(
                    Reason.FABRIC,
                    "fabric ["
                        + formation.fabric()
                        + "] is not known here, only "
                        + providers.stream().map(FabricProvider::name).toList()));
  }

  private FabricRequest request() {
    return new FabricRequest(
        algorithms.settings(),
        formation.epoch(),
        formation.rank(),
        formation.members(),
        algorithms.wires(),
        algorithms.slotsNeeded(),
        formation.remainingNanos(),
        nativeCalls);
  }

  /** The links of this rank while they are brought up, on the engine thread. */
  private final class Links implements GroupLinks {

    @Override
    public boolean canDegrade() {
      GroupSettings.Ring ring = formation.settings().ring();
      return formation.size() > 1 && algorithms.isRing() && ring.degrade() && ring.wires() > 1;
    }

    @Override
    public Map<Integer, String> unusable() {
      return provider().unusableWires(request());
    }

    @Override
    public boolean leaveOut(Map<Integer, String> useless) {
      WireSelection fewer = wires.without(useless);
      if (!canDegrade() || fewer.used().isEmpty()) {
        return false;
      }
      wires = fewer;
      algorithms = new GroupAlgorithms(formation, fewer.apply(formation.settings()));
      LOG.warn(
          "Group [{}] rank [{}] forms with [{}] of [{}] wires a cable: [{}]",
          formation.settings().name(),
          formation.rank(),
          fewer.used().size(),
          fewer.wires(),
          fewer.describe());
      return true;
    }

    @Override
    public Fabric open() {
      return CollectiveEngine.this.open();
    }
  }

  private List<Link> ownLinks(Fabric fabric) {
    return algorithms.wires().stream()
        .filter(wire -> wire.ends(formation.rank()))
        .map(wire -> fabric.link(wire.number()))
        .toList();
  }

  private static void closeAfter(Fabric fabric, Throwable failure) {
    try {
      fabric.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Hands the group out; what its thread works with from now on. */
  private EngineSession ready(Fabric fabric) {
    Algorithms operations = algorithms.over(fabric);
    OperationRunner runner =
        new OperationRunner(
            formation,
            fabric,
            ownLinks(fabric),
            state,
            listener,
            clock,
            IdleStrategy.of(
                formation.settings().idle(), fabric::awaitCompletion, oversubscribed(formation)),
            oversubscribed(formation));
    BufferChecks buffers =
        new BufferChecks(
            thread.thread(), "the group's allocate", formation.rank(), formation.size());
    CounterCells counters = new CounterCells();
    EngineSession session =
        new EngineSession(formation, operations, fabric.memory(), runner, state, buffers, counters);
    String description = describe(operations, fabric);
    LOG.info("{}", description);
    Group group =
        new EngineGroup(formation, session, state, buffers, counters, thread, clock, description);
    listener.onEvent(
        new GroupEvent.LinksUp(fabric.name(), formation.size() - 1, fabric.describe()));
    ready.complete(group);
    return session;
  }

  private String describe(Algorithms operations, Fabric fabric) {
    return "group ["
        + formation.settings().name()
        + "] epoch ["
        + formation.epoch()
        + "] rank ["
        + formation.rank()
        + "] of ["
        + formation.size()
        + "]: "
        + operations.describe()
        + (wires.leftOut().isEmpty() ? "" : " (" + wires.describe() + ")")
        + " since "
        + algorithms.reason()
        + ", ["
        + formation.settings().wire().name().toLowerCase(Locale.ROOT)
        + "] wire, over "
        + fabric.describe();
  }

  @Override
  public synchronized void abort(GroupFailure cause) {
    if (state == null) {
      return;
    }
    state.fail(cause);
    endFormation();
    thread.wake();
  }

  @Override
  public synchronized void peerLeft(int rank, long completedCollectives) {
    if (state != null) {
      state.peerLeft(rank, completedCollectives);
      thread.wake();
    }
  }

  @Override
  public synchronized void close() {
    if (state == null) {
      released.complete(null);
      return;
    }
    thread.close();
    endFormation();
  }

  @Override
  public boolean alive() {
    Thread running = started;
    // In this order: a thread that is gone has said before whether it ended in order.
    return running == null || (!stuck && (running.isAlive() || endedInOrder));
  }

  @Override
  public CompletionStage<Void> released() {
    return released.minimalCompletionStage();
  }

  /** Ends the engine thread's wait for the other ranks, if it is still in that phase. */
  private void endFormation() {
    if (!ready.isDone()) {
      formation.sideChannel().close();
    }
  }
}
