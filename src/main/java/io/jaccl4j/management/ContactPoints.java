package io.jaccl4j.management;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.discovery.Lookup;
import org.apache.pekko.discovery.ServiceDiscovery.Resolved;
import org.apache.pekko.discovery.ServiceDiscovery.ResolvedTarget;
import org.apache.pekko.management.cluster.bootstrap.ClusterBootstrap;
import org.apache.pekko.management.cluster.bootstrap.ClusterBootstrapSettings;

/** The contact points that discovery names, and which of them answer. */
final class ContactPoints {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);
  private static final String SEED_NODES_PATH = "bootstrap/seed-nodes";

  private final ClusterBootstrap bootstrap;
  private final ClusterBootstrapSettings settings;
  private final Lookup lookup;

  ContactPoints(ClusterBootstrap bootstrap, ActorSystem<?> system) {
    this.bootstrap = bootstrap;
    this.settings = bootstrap.settings();
    Lookup byName =
        Lookup.create(settings.getContactPointDiscoveryEffectiveName(Adapter.toClassic(system)));
    Lookup byPort =
        settings.getContactPointDiscoveryPortName().map(byName::withPortName).orElse(byName);
    this.lookup =
        settings.getContactPointDiscoveryProtocol().map(byPort::withProtocol).orElse(byPort);
  }

  /** One sentence. */
  CompletionStage<String> report() {
    return bootstrap
        .discovery()
        .lookup(lookup, settings.getContactPointDiscoveryResolveTimeout())
        .handle(
            (resolved, failure) ->
                failure == null
                    ? probe(resolved)
                    : CompletableFuture.completedFuture(
                        "bootstrap: discovery of [%s] fails: %s"
                            .formatted(lookup.serviceName(), rootOf(failure))))
        .thenCompose(answer -> answer);
  }

  private CompletableFuture<String> probe(Resolved resolved) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER_TIMEOUT).build();
    List<CompletableFuture<String>> probes = new ArrayList<>();
    for (ResolvedTarget target : resolved.getAddresses()) {
      String name = target.host() + ":" + port(target);
      probes.add(
          request(target)
              .thenCompose(request -> client.sendAsync(request, BodyHandlers.discarding()))
              // The time limit of a request is over when its headers are there.
              .orTimeout(ANSWER_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
              .handle((response, failure) -> name + answer(response, failure)));
    }
    return CompletableFuture.allOf(probes.toArray(CompletableFuture<?>[]::new))
        .handle((done, failure) -> sentence(probes.stream().map(CompletableFuture::join).toList()))
        .whenComplete((sentence, failure) -> client.shutdownNow());
  }

  /** Fails where discovery names what cannot be part of a URI. */
  private CompletableFuture<HttpRequest> request(ResolvedTarget target) {
    try {
      return CompletableFuture.completedFuture(
          HttpRequest.newBuilder(uri(target)).timeout(ANSWER_TIMEOUT).GET().build());
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static String answer(HttpResponse<?> response, Throwable failure) {
    if (failure != null) {
      return " does not answer (" + rootOf(failure) + ")";
    }
    return response.statusCode() == 200
        ? " answers"
        : " answers with HTTP " + response.statusCode();
  }

  private String sentence(List<String> answers) {
    return "bootstrap: discovery of [%s] by [%s] names %d of the %d ranks that must answer before a cluster begins%s"
        .formatted(
            lookup.serviceName(),
            bootstrap.discovery().getClass().getSimpleName(),
            answers.size(),
            settings.getContactPointDiscoveryRequiredContactPointsNr(),
            answers.isEmpty() ? "" : ": " + String.join(", ", answers));
  }

  private URI uri(ResolvedTarget target) {
    String prefix = settings.getManagementBasePath().map(path -> path + "/").orElse("");
    // The address where discovery has one: it may know names that this JVM does not.
    String address = target.getAddress().map(InetAddress::getHostAddress).orElse(target.host());
    String host = address.contains(":") ? "[" + address + "]" : address;
    return URI.create("http://" + host + ":" + port(target) + "/" + prefix + SEED_NODES_PATH);
  }

  private int port(ResolvedTarget target) {
    return target
        .getPort()
        .map(port -> (Integer) port)
        .orElseGet(settings::getContactPointFallbackPort);
  }

  private static Throwable rootOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
