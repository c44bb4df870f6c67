package io.jaccl4j.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A network of its own for each rank: namespaces with one interface each, {@code rank0} with
 * 10.89.7.1 and so on, plugged into a bridge in a namespace of its own. To remove the namespaces
 * removes everything.
 */
final class NetworkNamespaces implements Placement {
  private static final String NETWORK = "10.89.7.";

  /** Nobody has it. */
  private static final String NO_MAC = "02:00:00:00:00:fe";

  private final String prefix = "jaccl4j-" + ProcessHandle.current().pid() + "-";
  private final List<String> names = new ArrayList<>();

  private NetworkNamespaces() {}

  /** Makes the networks of so many ranks. */
  static NetworkNamespaces of(int ranks) {
    NetworkNamespaces namespaces = new NetworkNamespaces();
    try {
      namespaces.make(ranks);
    } catch (RuntimeException | Error e) {
      namespaces.close();
      throw e;
    }
    return namespaces;
  }

  /** Why this machine cannot have them; empty if it can. */
  static Optional<String> obstacle() {
    String name = "jaccl4j-" + ProcessHandle.current().pid() + "-probe";
    Shell.Outcome added = Shell.tryRun("ip netns add " + name);
    if (added.exitCode() != 0) {
      return Optional.of(
          "needs root, network namespaces and ip (iproute2): " + String.join(" ", added.output()));
    }
    try {
      Shell.Outcome bridge = Shell.tryRun("ip -n " + name + " link add probe type bridge");
      Shell.Outcome veth =
          Shell.tryRun("ip -n " + name + " link add probe0 type veth peer name probe1");
      return bridge.exitCode() == 0 && veth.exitCode() == 0
          ? Optional.empty()
          : Optional.of("needs bridges and veth: " + bridge.output() + veth.output());
    } finally {
      Shell.run("ip netns del " + name);
    }
  }

  private void make(int ranks) {
    String hub = add("hub");
    Shell.run("ip -n " + hub + " link add bridge type bridge");
    Shell.run("ip -n " + hub + " link set bridge up");
    for (int rank = 0; rank < ranks; rank++) {
      String own = add("rank" + rank);
      String device = device(rank);
      String plug = "plug" + rank;
      Shell.run(
          "ip -n %s link add %s type veth peer name %s netns %s".formatted(own, device, plug, hub));
      Shell.run("ip -n " + hub + " link set " + plug + " master bridge up");
      Shell.run("ip -n " + own + " addr add " + address(rank) + "/24 dev " + device);
      Shell.run("ip -n " + own + " link set " + device + " up");
      Shell.run("ip -n " + own + " link set lo up");
    }
  }

  private String add(String name) {
    String full = prefix + name;
    Shell.run("ip netns add " + full);
    names.add(full);
    return full;
  }

  /** Interface of a rank. */
  static String device(int rank) {
    return "rank" + rank;
  }

  /** Address of a rank. */
  static String address(int rank) {
    return NETWORK + (rank + 1);
  }

  /** Runs a command in the namespace of a rank. */
  void run(int rank, String command) {
    Shell.run(in(rank, command));
  }

  /** Tries a command in the namespace of a rank. */
  boolean succeeds(int rank, String command) {
    return Shell.tryRun(in(rank, command)).exitCode() == 0;
  }

  /** Runs a command where the bridge is; its ports are {@code plug0} and so on. */
  List<String> runInHub(String command) {
    return Shell.run(inHub(command));
  }

  /** Tries a command where the bridge is. */
  boolean succeedsInHub(String command) {
    return Shell.tryRun(inHub(command)).exitCode() == 0;
  }

  private String in(int rank, String command) {
    return "ip netns exec " + prefix + "rank" + rank + " " + command;
  }

  private String inHub(String command) {
    return "ip netns exec " + prefix + "hub " + command;
  }

  /** From now on nothing of one rank arrives at another one; the other way is as it was. */
  void cut(int from, int to) {
    run(
        from,
        "ip neigh replace %s lladdr %s dev %s nud permanent"
            .formatted(address(to), NO_MAC, device(from)));
  }

  /** Undoes {@link #cut}. */
  void mend(int from, int to) {
    run(from, "ip neigh del " + address(to) + " dev " + device(from));
  }

  @Override
  public List<String> prefix(int number) {
    return List.of("ip", "netns", "exec", prefix + "rank" + number);
  }

  @Override
  public String config(int number) {
    return "pekko.remote.artery.canonical.hostname = \"" + address(number) + "\"";
  }

  @Override
  public void close() {
    // Interfaces, addresses and queues go with their namespace.
    names.reversed().forEach(name -> Shell.run("ip netns del " + name));
    names.clear();
  }
}
