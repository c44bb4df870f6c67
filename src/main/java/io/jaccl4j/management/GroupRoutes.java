package io.jaccl4j.management;

import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.cluster.Membership;
import java.util.List;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.Directives;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.management.javadsl.ManagementRouteProvider;
import org.apache.pekko.management.javadsl.ManagementRouteProviderSettings;

/**
 * Routes of Pekko Management, read-only: {@code GET /jaccl/group} answers with all groups of this
 * member, {@code GET /jaccl/group/NAME} with one of them, or 404.
 */
public final class GroupRoutes implements ManagementRouteProvider {

  private final JacclExtension jaccl;
  private final String member;

  /**
   * Made by Pekko Management.
   *
   * @param system the actor system
   */
  public GroupRoutes(ExtendedActorSystem system) {
    this.jaccl = JacclExtension.get(Adapter.toTyped(system));
    this.member = Cluster.get(system).selfAddress().toString();
  }

  @Override
  public Route routes(ManagementRouteProviderSettings settings) {
    return Directives.pathPrefix(
        segment("jaccl").slash("group"),
        () ->
            Directives.get(
                () ->
                    Directives.concat(
                        Directives.pathEnd(() -> Directives.complete(all())),
                        Directives.path(segment(), name -> Directives.complete(one(name))))));
  }

  private HttpResponse all() {
    return ok(GroupJson.render(member, jaccl.memberships()));
  }

  private HttpResponse one(String name) {
    List<Membership> named =
        jaccl.memberships().stream().filter(membership -> membership.group().equals(name)).toList();
    return named.isEmpty()
        ? HttpResponse.create()
            .withStatus(StatusCodes.NOT_FOUND)
            .withEntity("this member has joined no group of that name\n")
        : ok(GroupJson.render(member, named));
  }

  private static HttpResponse ok(byte[] json) {
    return HttpResponse.create()
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, json));
  }
}
