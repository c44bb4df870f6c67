package io.jaccl4j.management;

import com.typesafe.config.Config;
import io.jaccl4j.ConfigurationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.management.cluster.bootstrap.ClusterBootstrap;
import org.apache.pekko.management.javadsl.PekkoManagement;

/**
 * Starts Pekko Management and Cluster Bootstrap on a member that will be a rank, so that equal
 * processes form a cluster without seed nodes. The cluster does not begin before all ranks have
 * answered.
 *
 * {@snippet file="io/jaccl4j/javadoc/GroupBootstrapExample.java" region="bootstrap"}
 *
 * <p>The configuration includes {@code io/jaccl4j/management/bootstrap.conf} and says how ranks are
 * discovered. Nothing here waits.
 */
public final class GroupBootstrap {
  private static final String REQUIRED =
      "pekko.management.cluster.bootstrap.contact-point-discovery.required-contact-point-nr";
  private static final String SEED_NODES = "pekko.cluster.seed-nodes";
  private static final String METHOD = "pekko.discovery.method";
  private static final String HTTP = "pekko.management.http";

  private final ActorSystem<?> system;

  private GroupBootstrap(ActorSystem<?> system) {
    this.system = system;
  }

  /**
   * Checks the configuration; starts nothing.
   *
   * @param system the actor system
   * @param size how many ranks the group has
   * @return what starts it
   * @throws ConfigurationException if a cluster could begin without all of them, if there are seed
   *     nodes too, or if no discovery method is chosen
   */
  public static GroupBootstrap of(ActorSystem<?> system, int size) {
    Config config = system.settings().config();
    if (!config.getStringList(SEED_NODES).isEmpty()) {
      throw new ConfigurationException(
          "%s is %s, want none: ranks that find each other have no seed nodes"
              .formatted(SEED_NODES, config.getStringList(SEED_NODES)));
    }
    int required = config.getInt(REQUIRED);
    if (required < size) {
      throw new ConfigurationException(
          "%s is %d, want at least %d (jaccl4j.group.size): fewer ranks could begin a cluster of"
                  .formatted(REQUIRED, required, size)
              + " their own; take the key out, its default is the size");
    }
    if (config.getString(METHOD).equals("<method>")) {
      throw new ConfigurationException(
          METHOD + " is not set, want config, pekko-dns, kubernetes-api or another method");
    }
    return new GroupBootstrap(system);
  }

  /**
   * Binds the management endpoint, then looks for the other ranks until the cluster is joined.
   *
   * @return the base address of the endpoint, as soon as it is bound
   */
  public CompletionStage<String> start() {
    return PekkoManagement.get(system)
        .start()
        .handle(
            (endpoint, failure) -> {
              if (failure != null) {
                return CompletableFuture.<String>failedStage(notBound(failure));
              }
              ClusterBootstrap.get(system).start();
              return CompletableFuture.completedStage(endpoint.toString());
            })
        .thenCompose(stage -> stage);
  }

  private ConfigurationException notBound(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    Config http = system.settings().config().getConfig(HTTP);
    return new ConfigurationException(
        "the management endpoint cannot be bound to %s port %s (%s): %s; give each rank of a machine its own port"
            .formatted(
                http.getString("hostname"), http.getString("port"), HTTP, cause.getMessage()),
        failure);
  }

  /**
   * Asks discovery and every contact point once more and puts the answers into one sentence: what
   * to look at when ranks are missing. Takes a few seconds at most.
   *
   * @return the sentence
   */
  public CompletionStage<String> contactPoints() {
    return new ContactPoints(ClusterBootstrap.get(system), system).report();
  }
}
