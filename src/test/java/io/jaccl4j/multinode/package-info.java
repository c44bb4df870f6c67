/**
 * Tests of ranks in JVMs of their own under Pekko's multi-node testkit, from JUnit 5 alone.
 *
 * <p>A {@link io.jaccl4j.multinode.NodeSpec} is what every node runs; the test class, in the JVM of
 * the build, starts the nodes by {@link io.jaccl4j.multinode.ForkedNodes}. Specs are never named
 * {@code *Test}: outside of a node their base class cannot even be initialised.
 */
package io.jaccl4j.multinode;
