/**
 * Tests of ranks in JVMs of their own under Pekko's multi-node testkit, from JUnit 5 alone.
 *
 * <p>A {@link io.jaccl4j.multinode.NodeSpec} is what every node runs; the test class, in the JVM of
 * the build, starts the nodes by {@link io.jaccl4j.multinode.ForkedNodes}. Specs are never named
 * {@code *Test}: outside of a node their base class cannot even be initialised.
 *
 * <p>The conductor can drop messages between two nodes. It cannot slow them down: its throttle
 * needs Pekko's classic transports, and Artery knows nothing between all and nothing. So a {@link
 * io.jaccl4j.multinode.NodeRelay} before a node's port does that.
 */
package io.jaccl4j.multinode;
