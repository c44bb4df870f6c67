package io.jaccl4j;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Everything that decides how a group forms and works. Immutable; read from configuration (root
 * {@code jaccl4j}, where every key is described and has its default) and adapted with the {@code
 * with...} methods.
 *
 * {@snippet file="io/jaccl4j/javadoc/GroupSettingsExample.java" region="settings"}
 *
 * @param name the group's name: letters, digits, {@code - _ .}
 * @param size number of ranks
 * @param fixedRank the rank that this member insists on, or empty to be dealt one
 * @param role cluster role that candidates must have, or the empty string for any member
 * @param fabric {@code auto} or the name of a fabric
 * @param topology how ranks are linked
 * @param wire what a message carries
 * @param formationTimeout from {@code join} until every rank is ready
 * @param operationTimeout from the submission of an operation until it is complete
 * @param slowPeerWarning how long an operation waits before that is reported
 * @param unreachableTimeout how long a member may be unreachable before its rank counts as lost
 * @param submissionQueueLength operations that may wait for the engine
 * @param idle what the engine does while there is nothing to do
 * @param memory the memory that links use
 * @param verbs how RDMA devices are used
 * @param tcp how sockets are used
 * @param mesh choices of the mesh algorithms
 * @param ring choices of the ring algorithms
 * @param sideChannel limits of the metadata exchange
 */
public record GroupSettings(
    String name,
    int size,
    OptionalInt fixedRank,
    String role,
    String fabric,
    Topology topology,
    WireMode wire,
    Duration formationTimeout,
    Duration operationTimeout,
    Duration slowPeerWarning,
    Duration unreachableTimeout,
    int submissionQueueLength,
    Idle idle,
    Memory memory,
    Verbs verbs,
    Tcp tcp,
    Mesh mesh,
    Ring ring,
    SideChannel sideChannel) {

  /**
   * Idle strategy of the engine thread: spin, then yield, then park.
   *
   * @param spin how long to spin without giving up the processor
   * @param yield how long to yield after that
   * @param park how long each sleep lasts after that
   * @param events whether it sleeps until a completion comes, where the fabric can tell
   */
  public record Idle(Duration spin, Duration yield, Duration park, boolean events) {
    /** Refuses a value that is out of range, naming its key. */
    public Idle {
      requireNotNegative("jaccl4j.idle.spin", spin);
      requireNotNegative("jaccl4j.idle.yield", yield);
      requirePositive("jaccl4j.idle.park", park);
    }
  }

  /**
   * Memory of one rank that its links send from and may receive into.
   *
   * @param slotBytes size of one staging slot, a power of two, a multiple of 4096
   * @param registeredBytes what {@code allocate} can hand out in all
   * @param shmDirectory where the shared-memory fabric makes its file
   */
  public record Memory(int slotBytes, long registeredBytes, Path shmDirectory) {
    /** Refuses a value that is out of range, naming its key. */
    public Memory {
      Objects.requireNonNull(shmDirectory);
      require(
          slotBytes >= 4096 && Integer.bitCount(slotBytes) == 1,
          "jaccl4j.memory.slot-bytes is " + slotBytes + ", want a power of two from 4096 up");
      require(
          registeredBytes >= 0,
          "jaccl4j.memory.registered-bytes is " + registeredBytes + ", want 0 or more");
    }
  }

  /**
   * How RDMA devices are used.
   *
   * @param library path of the verbs library, or empty for the system's
   * @param devices names of the devices that this rank uses: the k-th wire to any peer takes the
   *     k-th, starting over after the last; empty for the first one whose port is up
   * @param deviceMatrix the cabling: row of a rank, column of a peer, names of the wires between
   *     them; empty if {@code devices} decides
   * @param queuePair type of the queue pairs
   * @param gidIndex the index in the port's GID table, or empty to search
   * @param pairWires whether the wires between two ranks may be paired as their cables are, if they
   *     are not cabled as configured
   * @param trace whether every call into the library is printed on standard error
   */
  public record Verbs(
      Optional<Path> library,
      List<String> devices,
      List<List<List<String>>> deviceMatrix,
      QueuePairType queuePair,
      OptionalInt gidIndex,
      boolean pairWires,
      boolean trace) {
    /** Refuses a value that is out of range, naming its key. */
    public Verbs {
      Objects.requireNonNull(library);
      Objects.requireNonNull(queuePair);
      Objects.requireNonNull(gidIndex);
      devices = List.copyOf(devices);
      deviceMatrix =
          deviceMatrix.stream().map(row -> row.stream().map(List::copyOf).toList()).toList();
      require(
          gidIndex.orElse(0) >= 0,
          "jaccl4j.verbs.gid-index is " + gidIndex.orElse(0) + ", want \"auto\" or 0 or more");
    }

    /** {@return the system's library, searched devices, chosen queue pairs} */
    public static Verbs auto() {
      return new Verbs(
          Optional.empty(),
          List.of(),
          List.of(),
          QueuePairType.AUTO,
          OptionalInt.empty(),
          false,
          false);
    }
  }

  /** Type of the queue pairs of the fabric {@code verbs}. */
  public enum QueuePairType {
    /** Reliable connections where the provider has them, else unreliable ones. */
    AUTO,
    /** Reliable connections. */
    RC,
    /** Unreliable connections: what JACCL speaks. */
    UC
  }

  /**
   * How the fabric {@code tcp} uses sockets.
   *
   * @param bindTo {@code auto}, the name of an interface, or an address of this machine
   * @param exclude interfaces (names with {@code *}) and blocks of addresses ({@code
   *     172.17.0.0/16}) that {@code auto} never takes
   * @param port where this rank listens while the group forms, or 0 for any free one
   * @param socketsPerWire connections that share the messages of one wire, 1 to 8
   * @param sendBufferBytes of each socket, or 0 for the system's choice
   * @param receiveBufferBytes of each socket, or 0 for the system's choice
   */
  public record Tcp(
      String bindTo,
      List<String> exclude,
      int port,
      int socketsPerWire,
      int sendBufferBytes,
      int receiveBufferBytes) {
    /** Lets the library choose the addresses. */
    public static final String AUTO = "auto";

    /** Bridges of containers and virtual machines, which have the same address on many hosts. */
    private static final List<String> BRIDGES = List.of("docker*", "virbr*", "br-*", "cni*");

    /** Refuses a value that is out of range, naming its key. */
    public Tcp {
      require(
          bindTo != null && !bindTo.isBlank(),
          "jaccl4j.tcp.interface is \""
              + bindTo
              + "\", want \"auto\", the name of an interface or an address");
      exclude = List.copyOf(exclude);
      require(
          port >= 0 && port <= 65535,
          "jaccl4j.tcp.port is " + port + ", want a port or 0 for any free one");
      require(
          socketsPerWire >= 1 && socketsPerWire <= 8,
          "jaccl4j.tcp.sockets-per-wire is " + socketsPerWire + ", want 1 to 8");
      require(
          sendBufferBytes >= 0,
          "jaccl4j.tcp.send-buffer-bytes is " + sendBufferBytes + ", want 0 or more");
      require(
          receiveBufferBytes >= 0,
          "jaccl4j.tcp.receive-buffer-bytes is " + receiveBufferBytes + ", want 0 or more");
    }

    /** {@return searched addresses, any free port, one socket per wire, the system's buffers} */
    public static Tcp auto() {
      return new Tcp(AUTO, BRIDGES, 0, 1, 0, 0);
    }
  }

  /**
   * Choices of the mesh algorithms.
   *
   * @param smallBytes up to this size every rank sends its whole input to every other; above it,
   *     reduce-scatter and all-gather. Four or more ranks over TCP within one host pass inputs on
   *     instead, up to 128 KiB or a slot's share
   */
  public record Mesh(long smallBytes) {
    /** Refuses a value that is out of range, naming its key. */
    public Mesh {
      require(smallBytes >= 0, "jaccl4j.mesh.small-bytes is " + smallBytes + ", want 0 or more");
    }
  }

  /**
   * Choices of the ring algorithms.
   *
   * @param wires connections to each neighbour, 1 to 4
   * @param smallBytes up to this size an all-reduce uses one direction of one wire
   * @param scatterSmallBytes up to this size of its output a sum-scatter uses one wire
   * @param degrade whether a group may form without the wires that do not work, as long as one is
   *     left
   */
  public record Ring(int wires, long smallBytes, long scatterSmallBytes, boolean degrade) {
    /** Refuses a value that is out of range, naming its key. */
    public Ring {
      require(wires >= 1 && wires <= 4, "jaccl4j.ring.wires is " + wires + ", want 1 to 4");
      require(smallBytes >= 0, "jaccl4j.ring.small-bytes is " + smallBytes + ", want 0 or more");
      require(
          scatterSmallBytes >= 0,
          "jaccl4j.ring.scatter-small-bytes is " + scatterSmallBytes + ", want 0 or more");
    }
  }

  /**
   * Limits of the metadata exchange over cluster messages.
   *
   * @param partBytes payload of one message
   * @param maxContributionBytes largest contribution of one rank to one round
   * @param resendInterval how often what is missing is announced or asked for again
   */
  public record SideChannel(int partBytes, int maxContributionBytes, Duration resendInterval) {
    /** Refuses a value that is out of range, naming its key. */
    public SideChannel {
      require(
          partBytes > 0, "jaccl4j.side-channel.part-bytes is " + partBytes + ", want 1 or more");
      require(
          maxContributionBytes > 0,
          "jaccl4j.side-channel.max-contribution-bytes is "
              + maxContributionBytes
              + ", want 1 or more");
      requirePositive("jaccl4j.side-channel.resend-interval", resendInterval);
    }
  }

  /** Refuses a value that is out of range, naming its key. */
  public GroupSettings {
    Objects.requireNonNull(fixedRank);
    Objects.requireNonNull(role);
    Objects.requireNonNull(fabric);
    Objects.requireNonNull(topology);
    Objects.requireNonNull(wire);
    require(
        name != null && name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
        "jaccl4j.group.name is \""
            + name
            + "\", want 1 to 64 letters, digits, '-', '_' or '.', a letter or digit first");
    require(size >= 1, "jaccl4j.group.size is " + size + ", want 1 or more");
    requirePositive("jaccl4j.formation-timeout", formationTimeout);
    requirePositive("jaccl4j.operation-timeout", operationTimeout);
    requirePositive("jaccl4j.slow-peer-warning", slowPeerWarning);
    requireNotNegative("jaccl4j.unreachable-timeout", unreachableTimeout);
    require(
        submissionQueueLength >= 1,
        "jaccl4j.submission-queue-length is " + submissionQueueLength + ", want 1 or more");
    Objects.requireNonNull(idle);
    Objects.requireNonNull(memory);
    Objects.requireNonNull(verbs);
    Objects.requireNonNull(tcp);
    Objects.requireNonNull(mesh);
    Objects.requireNonNull(ring);
    Objects.requireNonNull(sideChannel);
    if (fixedRank.isPresent() && (fixedRank.getAsInt() < 0 || fixedRank.getAsInt() >= size)) {
      throw new FormationException(
          FormationException.Reason.RANK_CONFLICT,
          "jaccl4j.group.rank is "
              + fixedRank.getAsInt()
              + ", want 0 to "
              + (size - 1)
              + " in a group of "
              + size);
    }
  }

  /**
   * {@return the same settings for a group of another name}
   *
   * @param newName name of the group
   */
  public GroupSettings withName(String newName) {
    return with(draft -> draft.name = newName);
  }

  /**
   * {@return the same settings for another number of ranks}
   *
   * @param newSize number of ranks
   */
  public GroupSettings withSize(int newSize) {
    return with(draft -> draft.size = newSize);
  }

  /**
   * {@return the same settings, insisting on a rank}
   *
   * @param rank the rank
   */
  public GroupSettings withFixedRank(int rank) {
    return with(draft -> draft.fixedRank = OptionalInt.of(rank));
  }

  /**
   * {@return the same settings for members of another cluster role}
   *
   * @param newRole the role, or the empty string
   */
  public GroupSettings withRole(String newRole) {
    return with(draft -> draft.role = newRole);
  }

  /**
   * {@return the same settings for another fabric}
   *
   * @param newFabric {@code auto} or a name
   */
  public GroupSettings withFabric(String newFabric) {
    return with(draft -> draft.fabric = newFabric);
  }

  /**
   * {@return the same settings for another topology}
   *
   * @param newTopology how ranks are linked
   */
  public GroupSettings withTopology(Topology newTopology) {
    return with(draft -> draft.topology = newTopology);
  }

  /**
   * {@return the same settings with other messages}
   *
   * @param newWire what a message carries
   */
  public GroupSettings withWire(WireMode newWire) {
    return with(draft -> draft.wire = newWire);
  }

  /**
   * {@return the same settings with another deadline for forming the group}
   *
   * @param timeout the deadline, positive
   */
  public GroupSettings withFormationTimeout(Duration timeout) {
    return with(draft -> draft.formationTimeout = timeout);
  }

  /**
   * {@return the same settings with another deadline for each operation}
   *
   * @param timeout the deadline, positive
   */
  public GroupSettings withOperationTimeout(Duration timeout) {
    return with(draft -> draft.operationTimeout = timeout);
  }

  /**
   * {@return the same settings with other memory}
   *
   * @param newMemory the memory that links use
   */
  public GroupSettings withMemory(Memory newMemory) {
    return with(draft -> draft.memory = newMemory);
  }

  /**
   * {@return the same settings with other choices of the mesh algorithms}
   *
   * @param newMesh choices of the mesh algorithms
   */
  public GroupSettings withMesh(Mesh newMesh) {
    return with(draft -> draft.mesh = newMesh);
  }

  /**
   * {@return the same settings with other choices of the ring algorithms}
   *
   * @param newRing choices of the ring algorithms
   */
  public GroupSettings withRing(Ring newRing) {
    return with(draft -> draft.ring = newRing);
  }

  /**
   * {@return the same settings with other use of RDMA devices}
   *
   * @param newVerbs how RDMA devices are used
   */
  public GroupSettings withVerbs(Verbs newVerbs) {
    return with(draft -> draft.verbs = newVerbs);
  }

  /**
   * {@return the same settings with other use of sockets}
   *
   * @param newTcp how sockets are used
   */
  public GroupSettings withTcp(Tcp newTcp) {
    return with(draft -> draft.tcp = newTcp);
  }

  private GroupSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /**
   * {@return what must be equal on all ranks, by configuration key: these values decide what is on
   * the wire and how memory is laid out} Compared at formation.
   */
  public SortedMap<String, String> fingerprint() {
    SortedMap<String, String> values = new TreeMap<>();
    values.put("jaccl4j.group.size", Integer.toString(size));
    values.put("jaccl4j.fabric", fabric);
    values.put("jaccl4j.topology", topology.name().toLowerCase(Locale.ROOT));
    values.put("jaccl4j.wire", wire.name().toLowerCase(Locale.ROOT));
    values.put("jaccl4j.ring.wires", Integer.toString(ring.wires()));
    values.put("jaccl4j.ring.degrade", Boolean.toString(ring.degrade()));
    values.put("jaccl4j.ring.small-bytes", Long.toString(ring.smallBytes()));
    values.put("jaccl4j.ring.scatter-small-bytes", Long.toString(ring.scatterSmallBytes()));
    values.put("jaccl4j.memory.slot-bytes", Integer.toString(memory.slotBytes()));
    values.put("jaccl4j.memory.registered-bytes", Long.toString(memory.registeredBytes()));
    values.put("jaccl4j.verbs.queue-pair", verbs.queuePair().name().toLowerCase(Locale.ROOT));
    values.put("jaccl4j.verbs.pair-wires", Boolean.toString(verbs.pairWires()));
    values.put("jaccl4j.tcp.sockets-per-wire", Integer.toString(tcp.socketsPerWire()));
    values.put("jaccl4j.mesh.small-bytes", Long.toString(mesh.smallBytes()));
    return values;
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private static void requirePositive(String key, Duration value) {
    require(
        value != null && value.isPositive(), key + " is " + value + ", want a positive duration");
  }

  private static void requireNotNegative(String key, Duration value) {
    require(value != null && !value.isNegative(), key + " is " + value + ", want 0 or a duration");
  }

  /** Settings while one of them is being changed. */
  private static final class Draft {
    private String name;
    private int size;
    private OptionalInt fixedRank;
    private String role;
    private String fabric;
    private Topology topology;
    private WireMode wire;
    private Duration formationTimeout;
    private Duration operationTimeout;
    private Duration slowPeerWarning;
    private Duration unreachableTimeout;
    private int submissionQueueLength;
    private Idle idle;
    private Memory memory;
    private Verbs verbs;
    private Tcp tcp;
    private Mesh mesh;
    private Ring ring;
    private SideChannel sideChannel;

    Draft(GroupSettings settings) {
      name = settings.name();
      size = settings.size();
      fixedRank = settings.fixedRank();
      role = settings.role();
      fabric = settings.fabric();
      topology = settings.topology();
      wire = settings.wire();
      formationTimeout = settings.formationTimeout();
      operationTimeout = settings.operationTimeout();
      slowPeerWarning = settings.slowPeerWarning();
      unreachableTimeout = settings.unreachableTimeout();
      submissionQueueLength = settings.submissionQueueLength();
      idle = settings.idle();
      memory = settings.memory();
      verbs = settings.verbs();
      tcp = settings.tcp();
      mesh = settings.mesh();
      ring = settings.ring();
      sideChannel = settings.sideChannel();
    }

    GroupSettings settings() {
      return new GroupSettings(
          name,
          size,
          fixedRank,
          role,
          fabric,
          topology,
          wire,
          formationTimeout,
          operationTimeout,
          slowPeerWarning,
          unreachableTimeout,
          submissionQueueLength,
          idle,
          memory,
          verbs,
          tcp,
          mesh,
          ring,
          sideChannel);
    }
  }
}
