package io.jaccl4j.init;

import io.jaccl4j.AllGather;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.sidechannel.EqualAllGather;
import io.jaccl4j.sidechannel.SizedAllGather;
import io.jaccl4j.sidechannel.TcpCoordinator;
import io.jaccl4j.sidechannel.TcpCoordinatorSettings;
import io.jaccl4j.sidechannel.UniformAllGather;
import io.jaccl4j.topology.DeviceMatrix;
import io.jaccl4j.topology.TopologyChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forms a group over verbs as JACCL's configuration describes it, in JACCL's wire mode. Each rank
 * may be one of JACCL's, unless the ranks bring their links up in this library's own way: then they
 * compare their settings, and tell each other why they fail.
 */
public final class JacclStart {
  private static final Logger LOG = LoggerFactory.getLogger(JacclStart.class);

  private static final Duration GRACE = Duration.ofSeconds(1);

  private final JacclConfiguration configuration;
  private final GroupSettings settings;
  private final Optional<byte[]> key;
  private final FabricProvider verbs;
  private final LinkExchange exchange;

  /**
   * A start.
   *
   * @param settings what the environment does not say, such as deadlines and the verbs library
   * @param key shared secret for the TCP coordinator, or empty; ranks of JACCL have none
   * @param exchange {@link LinkExchange#JACCL} where ranks of JACCL may be among them, else {@link
   *     LinkExchange#OWN_WATCHED}
   */
  public JacclStart(
      JacclConfiguration configuration,
      GroupSettings settings,
      Optional<byte[]> key,
      FabricProvider verbs,
      LinkExchange exchange) {
    this.configuration = configuration;
    this.settings = settings;
    this.key = key;
    this.verbs = verbs;
    this.exchange = exchange;
  }

  /**
   * Forms the group.
   *
   * @param sideChannel carries the metadata instead of the TCP coordinator
   */
  public Group form(Optional<AllGather.Factory> sideChannel) {
    DeviceMatrix devices = devices();
    TopologyChoice choice = devices.require(configuration.preferRing());
    GroupSettings adapted = adapt(devices, choice.topology());
    verbs
        .unavailableBecause(adapted)
        .ifPresent(
            reason -> {
              throw new FormationException(Reason.FABRIC, where() + ": " + reason);
            });
    LOG.info("[{}] {}: {}", adapted.name(), choice.topology(), choice.reason());

    final long startNanos = System.nanoTime();
    int size = devices.size();
    // One of ours keeps the deadline itself and says who is missing; the rest is for one that does
    // not.
    AllGather channel =
        new SideChannelOpening(sideChannel.orElseGet(this::coordinator), configuration.rank(), size)
            .within(settings.formationTimeout().plus(GRACE));
    try {
      if (exchange != LinkExchange.JACCL) {
        agree(channel, adapted, devices, startNanos);
      }
      long elapsedNanos = System.nanoTime() - startNanos;
      return EngineStart.form(
          List.of(verbs),
          new Formation(
              1,
              configuration.rank(),
              members(size),
              adapted,
              verbs.name(),
              channel,
              exchange,
              Math.max(1, adapted.formationTimeout().toNanos() - elapsedNanos),
              elapsedNanos));
    } catch (RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private static void agree(
      AllGather channel, GroupSettings settings, DeviceMatrix devices, long startNanos) {
    SortedMap<String, String> mustMatch = new TreeMap<>(settings.fingerprint());
    mustMatch.put("device matrix", devices.toString());
    long leftNanos = settings.formationTimeout().toNanos() - (System.nanoTime() - startNanos);
    new SettingsAgreement(channel, settings.name()).reach(mustMatch, Math.max(1, leftNanos));
  }

  /** Ranks of JACCL want equally many wires everywhere; ours leave the surplus ones out. */
  private DeviceMatrix devices() {
    DeviceMatrix given = configuration.devices();
    boolean ring = configuration.preferRing() || !given.isMesh();
    if (exchange == LinkExchange.JACCL || given.isRing() || !ring) {
      return given;
    }
    DeviceMatrix equal = given.withEqualRingWires();
    if (!equal.isRing()) {
      return given;
    }
    LOG.info(
        "[{}] {}: {} on every edge of the ring, the others stay unused",
        settings.name(),
        given.ringFaults().getFirst(),
        equal.ringWires() == 1 ? "1 wire" : equal.ringWires() + " wires");
    return equal;
  }

  private String where() {
    return "rank " + configuration.rank() + " of " + configuration.devices().size();
  }

  private GroupSettings adapt(DeviceMatrix devices, Topology topology) {
    GroupSettings.Verbs own = settings.verbs();
    GroupSettings.Ring ring = settings.ring();
    int wires = topology == Topology.RING ? devices.ringWires() : 1;
    return settings
        .withSize(devices.size())
        .withFabric(verbs.name())
        .withWire(WireMode.MLX)
        .withTopology(topology)
        // JACCL's ranks cannot agree on fewer wires.
        .withRing(new GroupSettings.Ring(wires, ring.smallBytes(), ring.scatterSmallBytes(), false))
        .withVerbs(
            new GroupSettings.Verbs(
                own.library(),
                List.of(),
                matrix(devices),
                // JACCL's ranks speak nothing else.
                exchange == LinkExchange.JACCL ? GroupSettings.QueuePairType.UC : own.queuePair(),
                own.gidIndex(),
                // A message of JACCL's cannot tell whose it is.
                false,
                own.trace()));
  }

  private static List<List<List<String>>> matrix(DeviceMatrix devices) {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < devices.size(); rank++) {
      List<List<String>> row = new ArrayList<>();
      for (int peer = 0; peer < devices.size(); peer++) {
        row.add(devices.devices(rank, peer));
      }
      rows.add(row);
    }
    return rows;
  }

  private AllGather.Factory coordinator() {
    HostPort address =
        configuration
            .coordinator()
            .orElseThrow(() -> new ConfigurationException(where() + ": no coordinator"));
    UniformAllGather.Factory coordinator =
        TcpCoordinator.factory(
            new TcpCoordinatorSettings(
                address.toSocketAddress(), settings.formationTimeout(), key));
    return exchange == LinkExchange.JACCL
        ? EqualAllGather.factory(coordinator)
        : (rank, size) -> new SizedAllGather(coordinator.open(rank, size), System::nanoTime);
  }

  /** Nobody tells where the other ranks are: JACCL's side channel carries no addresses. */
  private List<GroupMember> members(int size) {
    List<GroupMember> members = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      String address =
          rank == 0 ? configuration.coordinator().map(HostPort::toString).orElse("jaccl") : "jaccl";
      members.add(new GroupMember(rank, address, 0, "host of rank " + rank));
    }
    return members;
  }
}
