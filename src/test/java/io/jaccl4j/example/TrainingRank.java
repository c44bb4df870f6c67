package io.jaccl4j.example;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/** One process of the training: an actor system, a cluster member, a {@link Trainer}. */
public final class TrainingRank {
  private TrainingRank() {}

  /**
   * Runs one rank to the end of the training.
   *
   * @param arguments number of ranks, number of steps, directory of the checkpoint, and the address
   *     of a member to join, if there is one
   */
  public static void main(String[] arguments) {
    PrintStream lines = System.out;
    // What is logged goes to stderr; stdout is for the parent.
    System.setOut(System.err);
    Config config =
        ConfigFactory.load(ConfigFactory.parseResources("io/jaccl4j/example/training.conf"));
    int size = Integer.parseInt(arguments[0]);
    int steps = Integer.parseInt(arguments[1]);
    Checkpoint checkpoint = new Checkpoint(Path.of(arguments[2]));
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.setup(
                context -> {
                  GroupSettings settings =
                      JacclExtension.get(context.getSystem())
                          .settings("training", size)
                          .withFormationTimeout(Duration.ofSeconds(90));
                  context.watch(
                      context.spawn(
                          Trainer.create(settings, checkpoint, steps, lines::println), "trainer"));
                  return Behaviors.receive(Void.class)
                      .onSignal(Terminated.class, ended -> Behaviors.stopped())
                      .build();
                }),
            "training",
            config);
    Cluster cluster = Cluster.get(system);
    String own = cluster.selfMember().address().toString();
    String seed = arguments.length > 3 ? arguments[3] : own;
    cluster.manager().tell(Join.create(AddressFromURIString.parse(seed)));
    lines.println("address " + own);
  }
}
