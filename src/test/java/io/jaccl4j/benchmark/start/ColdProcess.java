package io.jaccl4j.benchmark.start;

import com.typesafe.config.Config;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.cluster.JacclSetup;
import io.jaccl4j.engine.CollectiveEngine;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.fabric.tcp.TcpFabricProvider;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.management.GroupBootstrap;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * One started process: says on standard output when it has come how far, and ends when its standard
 * input does.
 */
final class ColdProcess {
  private final StartWay way;
  private final int size;
  private final ActorSystem<Void> system;

  private ColdProcess(StartWay way, int size, ActorSystem<Void> system) {
    this.way = way;
    this.size = size;
    this.system = system;
  }

  /** Way, own number, and all ports. */
  public static void main(String[] arguments) throws IOException {
    reached(StartPhase.JVM_STARTED);
    System.setProperty("logback.configurationFile", "io/jaccl4j/cli/logback-cli.xml");
    StartWay way = StartWay.valueOf(arguments[0]);
    List<Integer> ports = Arrays.stream(arguments).skip(2).map(Integer::valueOf).toList();
    Config config = way.config(ports, Integer.parseInt(arguments[1]));
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "jaccl4j",
            ActorSystemSetup.create(BootstrapSetup.create(config), timedFabrics()));
    reached(StartPhase.SYSTEM_UP);
    new ColdProcess(way, ports.size(), system).begin();
    while (System.in.read() >= 0) {
      // Lives until whoever started it has seen enough.
    }
    // What leaving costs is not measured.
    Runtime.getRuntime().halt(0);
  }

  private static JacclSetup timedFabrics() {
    List<FabricProvider> fabrics =
        Stream.of(
                new ShmFabricProvider(),
                new VerbsFabricProvider(System::nanoTime),
                new TcpFabricProvider(System::nanoTime))
            .<FabricProvider>map(
                provider -> new TimedFabricProvider(provider, ColdProcess::reached))
            .toList();
    return new JacclSetup(
        listener -> new CollectiveEngine(fabrics, listener, NanoClock.SYSTEM), fabrics);
  }

  private void begin() {
    ActorRef<MemberEvent> members =
        system.systemActorOf(Behaviors.setup(context -> counting(0)), "members-up", Props.empty());
    Cluster.get(system).subscriptions().tell(Subscribe.create(members, MemberEvent.class));
    if (way.bootstraps()) {
      GroupBootstrap.of(system, size).start().exceptionally(ColdProcess::fail);
    }
    if (way.formsGroup()) {
      JacclExtension jaccl = JacclExtension.get(system);
      jaccl
          .join(jaccl.settings(), ColdProcess::heard)
          .thenAccept(group -> reached(StartPhase.READY))
          .exceptionally(ColdProcess::fail);
    }
  }

  private Behavior<MemberEvent> counting(int up) {
    return Behaviors.receiveMessage(
        event -> {
          int now = event instanceof MemberUp ? up + 1 : up;
          if (now == size && now > up) {
            reached(StartPhase.MEMBERS_UP);
          }
          return counting(now);
        });
  }

  private static void heard(GroupEvent event) {
    if (event instanceof GroupEvent.RanksAssigned) {
      reached(StartPhase.RANKS_DEALT);
    }
  }

  private static <T> T fail(Throwable failure) {
    failure.printStackTrace();
    Runtime.getRuntime().halt(1);
    return null;
  }

  private static void reached(StartPhase phase) {
    Instant now = Instant.now();
    long epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    // One call, since several threads speak.
    System.out.print(phase + " " + epochNanos + "\n");
    System.out.flush();
  }
}
