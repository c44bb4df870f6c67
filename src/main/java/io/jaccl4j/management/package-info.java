/**
 * Ranks that find each other, and what the outside can ask them: Pekko Cluster Bootstrap instead of
 * seed nodes, health checks and the route {@code /jaccl/group} of Pekko Management.
 *
 * <p>Uses {@code io.jaccl4j.cluster} and is used by the commands alone. Pekko Management, Pekko
 * HTTP and Pekko Discovery are optional dependencies: nothing else of the library refers to this
 * package, and an application that uses it brings them along. The classes here run on the
 * dispatchers of those libraries and never wait there.
 */
package io.jaccl4j.management;
