package io.jaccl4j.multinode;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.remote.testconductor.RoleName;
import org.apache.pekko.remote.testkit.MultiNodeConfig;

/** Roles {@code node0}, {@code node1}, ... and a cluster that notices soon. */
public final class NodeConfig extends MultiNodeConfig {
  private static final String COMMON =
      """
      pekko {
        # The testkit is older than the rest of Pekko.
        fail-mixed-versions = off
        loglevel = INFO
        actor.provider = cluster
        testconductor.barrier-timeout = 40s
        remote.artery {
          transport = tcp
          canonical { hostname = "127.0.0.1", port = 0 }
          # What testTransport switches on stands behind the defaults below it.
          advanced.test-mode = on
        }
        cluster {
          gossip-interval = 200ms
          leader-actions-interval = 200ms
          periodic-tasks-initial-delay = 300ms
          retry-unsuccessful-join-after = 1s
          unreachable-nodes-reaper-interval = 250ms
          jmx.multi-mbeans-in-same-jvm = on
          failure-detector {
            heartbeat-interval = 500ms
            expected-response-after = 500ms
            acceptable-heartbeat-pause = 3s
          }
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          # Long enough that nobody is downed while a partition heals.
          split-brain-resolver.stable-after = 30s
        }
        coordinated-shutdown {
          exit-jvm = off
          phases {
            cluster-leave.timeout = 3s
            cluster-exiting.timeout = 2s
            cluster-exiting-done.timeout = 2s
          }
        }
      }
      jaccl4j {
        formation-timeout = 30s
        operation-timeout = 25s
        unreachable-timeout = 500ms
        memory.registered-bytes = 1 MiB
        side-channel.resend-interval = 100ms
      }
      """;

  private final RoleName[] nodes;

  /** Null unless there is one before this node. */
  private final NodeRelay relay;

  /** So many nodes, whose messages the conductor can drop. */
  public NodeConfig(int count) {
    this(count, null, common());
  }

  /** So many nodes with some settings of their own. */
  public static NodeConfig configured(int count, String settings) {
    return new NodeConfig(count, null, ConfigFactory.parseString(settings).withFallback(common()));
  }

  /** So many nodes, each of which can also slow down what it receives. */
  public static NodeConfig relayed(int count) {
    NodeRelay relay = NodeRelay.start();
    return new NodeConfig(count, relay, relay.config().withFallback(common()));
  }

  private NodeConfig(int count, NodeRelay relay, Config config) {
    this.relay = relay;
    nodes = new RoleName[count];
    for (int node = 0; node < count; node++) {
      nodes[node] = role("node" + node);
    }
    commonConfig(config);
    testTransport(true);
  }

  /** Configuration of every actor system of a node. */
  static Config common() {
    return ConfigFactory.parseString(COMMON).withFallback(ConfigFactory.load());
  }

  /** What stands before this node, if it is {@link #relayed}. */
  public NodeRelay relay() {
    return relay;
  }

  int count() {
    return nodes.length;
  }

  RoleName node(int number) {
    return nodes[number];
  }
}
