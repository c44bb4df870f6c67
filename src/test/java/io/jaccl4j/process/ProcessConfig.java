package io.jaccl4j.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;

/** Configuration of the ranks: a cluster that notices soon, and how soon that is. */
record ProcessConfig(String text) {

  private static final String COMMON =
      """
      pekko {
        loglevel = INFO
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        # Many processes start at once, on few processors.
        logger-startup-timeout = 60s
        actor.provider = cluster
        remote.artery {
          transport = tcp
          canonical { hostname = "127.0.0.1", port = 0 }
        }
        cluster {
          gossip-interval = 200ms
          leader-actions-interval = 200ms
          periodic-tasks-initial-delay = 300ms
          # The first attempt of a process that was restarted on its port only removes the old one.
          retry-unsuccessful-join-after = 1s
          unreachable-nodes-reaper-interval = 250ms
          failure-detector {
            heartbeat-interval = 500ms
            expected-response-after = 500ms
            acceptable-heartbeat-pause = 2s
          }
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          # Long enough that nobody is downed while a test looks.
          split-brain-resolver.stable-after = 20s
        }
        # Nobody can confirm that a member leaves while another one is unreachable.
        coordinated-shutdown.phases {
          cluster-leave.timeout = 2s
          cluster-exiting.timeout = 1s
          cluster-exiting-done.timeout = 1s
        }
      }
      jaccl4j {
        formation-timeout = 30s
        operation-timeout = 20s
        slow-peer-warning = 1s
        unreachable-timeout = 500ms
        memory.registered-bytes = 1 MiB
        side-channel.resend-interval = 100ms
      }
      """;

  /** Phi 8, the default threshold, is 5.6 standard deviations from the mean. */
  private static final int DEVIATIONS_UNTIL_UNREACHABLE = 6;

  /** Notices soon that a process is gone. */
  static ProcessConfig vigilant() {
    return new ProcessConfig(COMMON);
  }

  /** For more ranks than processors, as the demo has it: a late heartbeat means little then. */
  static ProcessConfig patient() {
    return vigilant()
        .with(
            """
            pekko.cluster.failure-detector.acceptable-heartbeat-pause = 5s
            jaccl4j.unreachable-timeout = 20s
            """);
  }

  /** The same but for these lines. */
  ProcessConfig with(String lines) {
    return new ProcessConfig(text + lines + "\n");
  }

  Config parsed() {
    return ConfigFactory.parseString(text).withFallback(ConfigFactory.load()).resolve();
  }

  /** Until a member that says nothing any more is unreachable in the cluster's sense. */
  Duration failureDetectorTime() {
    Config cluster = parsed().getConfig("pekko.cluster");
    Config detector = cluster.getConfig("failure-detector");
    // One interval since the last heartbeat, and one more as the mean of what was expected.
    return detector
        .getDuration("acceptable-heartbeat-pause")
        .plus(detector.getDuration("heartbeat-interval").multipliedBy(2))
        .plus(detector.getDuration("min-std-deviation").multipliedBy(DEVIATIONS_UNTIL_UNREACHABLE))
        .plus(cluster.getDuration("unreachable-nodes-reaper-interval"));
  }

  /** Until every rank has failed whose peer was killed; the last part is for a busy machine. */
  Duration lossBound() {
    return failureDetectorTime()
        .plus(parsed().getDuration("jaccl4j.unreachable-timeout"))
        .plusSeconds(6);
  }
}
