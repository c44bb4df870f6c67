package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.SettingsReader;
import io.jaccl4j.fabric.FabricProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.typed.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an actor system's cluster member a rank.
 *
 * {@snippet file="io/jaccl4j/javadoc/RankActor.java" region="join"}
 *
 * <p>The system needs {@code pekko.actor.provider = cluster}; joining the cluster is the
 * application's business, before or after {@code join}. Create the extension on every member that
 * will be a rank, at the latest with {@code pekko.actor.typed.extensions =
 * ["io.jaccl4j.cluster.JacclExtension$Id"]}: a member without it cannot answer its peers. When the
 * system shuts down through {@code CoordinatedShutdown}, its groups are closed before it leaves the
 * cluster. Groups end with their actor system in any case, also those that have failed and were not
 * closed: what {@link Group#allocate} has handed out becomes inaccessible.
 */
public final class JacclExtension implements Extension {

  private static final Logger LOG = LoggerFactory.getLogger(JacclExtension.class);
  private static final String DISPATCHER = "jaccl4j.dispatcher";
  private static final String MAXIMUM_FRAME = "pekko.remote.artery.advanced.maximum-frame-size";

  /** What a message takes besides its payload. */
  private static final int ENVELOPE_BYTES = 4096;

  /** Where Pekko finds the extension. */
  public static final class Id extends ExtensionId<JacclExtension> {
    private static final Id INSTANCE = new Id();

    private Id() {}

    /** {@return the only instance} */
    public static Id getInstance() {
      return INSTANCE;
    }

    @Override
    public JacclExtension createExtension(ActorSystem<?> system) {
      return new JacclExtension(system);
    }
  }

  private final ActorSystem<?> system;
  private final JacclSetup setup;
  private final LiveEngines engines;
  private final ActorRef<JacclGuardian.Command> guardian;
  private final Memberships memberships = new Memberships();

  private JacclExtension(ActorSystem<?> system) {
    this.system = system;
    Cluster.get(system); // says what to configure if the system is no cluster member
    this.setup = system.settings().setup().get(JacclSetup.class).orElseGet(JacclSetup::defaults);
    this.engines = new LiveEngines(setup.engines());
    this.guardian =
        system.systemActorOf(
            JacclGuardian.create(setup.surroundings(engines)),
            JacclGuardian.NAME,
            DispatcherSelector.fromConfig(DISPATCHER));
    closeGroupsBeforeLeaving();
    // A system that is terminated without its coordinated shutdown has no other end.
    system.getWhenTerminated().whenComplete((done, failure) -> engines.closeAll(Duration.ZERO));
  }

  /**
   * {@return the extension of a system, started when it is first asked for}
   *
   * @param system the actor system
   */
  public static JacclExtension get(ActorSystem<?> system) {
    return Id.getInstance().apply(system);
  }

  /**
   * {@return the settings in the system's configuration under {@code jaccl4j}}
   *
   * @throws IllegalArgumentException if one is missing or unusable, naming the key and its origin
   */
  public GroupSettings settings() {
    return SettingsReader.read(system.settings().config());
  }

  /**
   * {@link #settings()} for a group of this name and number of ranks.
   *
   * @param name name of the group
   * @param size number of ranks
   * @return the settings
   */
  public GroupSettings settings(String name, int size) {
    return SettingsReader.read(system.settings().config(), name, size);
  }

  /**
   * Joins a group without listening to its events.
   *
   * @param settings what the group is to be like
   * @return the group when every rank is connected, or why there is none
   */
  public CompletionStage<Group> join(GroupSettings settings) {
    return join(settings, event -> {});
  }

  /**
   * Joins a group: looks for the other ranks, agrees with them and connects. Returns at once. A
   * member may be in several groups of different names, and may join again under a name when the
   * group before has ended.
   *
   * @param settings what the group is to be like
   * @param listener hears what happens while the group forms and lives, on an actor's thread: it
   *     returns at once
   * @return the group when every rank is connected; a {@link FormationException} otherwise, not
   *     later than a few seconds after {@link GroupSettings#formationTimeout()}. Completed on a
   *     thread of the JDK's common pool.
   */
  public CompletionStage<Group> join(GroupSettings settings, Consumer<GroupEvent> listener) {
    try {
      requireKnownFabric(settings);
      requirePartsFitFrame(settings);
    } catch (FormationException e) {
      return CompletableFuture.failedStage(e);
    }
    JoinRequest request =
        new JoinRequest(
            settings,
            Hosts.localName(
                Cluster.get(system).selfMember().address().getHost().orElse("localhost")),
            FabricOffer.of(setup.fabrics(), settings),
            listener,
            memberships.begin(settings),
            System::nanoTime);
    guardian.tell(new JacclGuardian.JoinGroup(request));
    return request.answer();
  }

  /**
   * {@return the groups that this member has joined or tries to join, as they are now, by name} One
   * that has ended stays until its name is joined again. Any thread; waits for nothing.
   */
  public List<Membership> memberships() {
    return memberships.now();
  }

  private void requireKnownFabric(GroupSettings settings) {
    List<String> known = setup.fabrics().stream().map(FabricProvider::name).toList();
    if (!settings.fabric().equals(FabricChoice.AUTO) && !known.contains(settings.fabric())) {
      throw new FormationException(
          Reason.FABRIC,
          "group [%s]: jaccl4j.fabric is [%s], want auto or one of %s"
              .formatted(settings.name(), settings.fabric(), known));
    }
  }

  private void requirePartsFitFrame(GroupSettings settings) {
    long frameBytes = system.settings().config().getBytes(MAXIMUM_FRAME);
    int partBytes = settings.sideChannel().partBytes();
    if (partBytes > frameBytes - ENVELOPE_BYTES) {
      throw new FormationException(
          Reason.FABRIC,
          "group [%s]: jaccl4j.side-channel.part-bytes is [%d], want at most [%d], %d less than %s"
              .formatted(
                  settings.name(),
                  partBytes,
                  frameBytes - ENVELOPE_BYTES,
                  ENVELOPE_BYTES,
                  MAXIMUM_FRAME));
    }
  }

  private void closeGroupsBeforeLeaving() {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    String phase = CoordinatedShutdown.PhaseBeforeClusterShutdown();
    Duration limit = Duration.ofMillis(shutdown.timeout(phase).toMillis());
    shutdown.addTask(phase, "jaccl-close-groups", () -> closeGroups(shutdown, limit));
  }

  private CompletionStage<Done> closeGroups(CoordinatedShutdown shutdown, Duration limit) {
    boolean excluded =
        shutdown
            .getShutdownReason()
            .filter(CoordinatedShutdown.clusterDowningReason()::equals)
            .isPresent();
    CompletionStage<Done> closed =
        AskPattern.ask(
            guardian,
            replyTo -> new JacclGuardian.CloseAll(excluded, replyTo),
            limit,
            system.scheduler());
    return closed
        .exceptionally(
            failure -> {
              // The actor is gone, or a peer has not acknowledged; both are no reason to stop here.
              LOG.info("Going on without having closed all groups: [{}]", failure.toString());
              return Done.getInstance();
            })
        .thenCompose(done -> engines.closeAll(limit))
        .thenApply(done -> Done.getInstance());
  }
}
