/**
 * Groups from MLX's environment, without a cluster: reads what is configured, opens the side
 * channel, and starts an engine with JACCL's exchange, or MLX's TCP ring. Runs on the caller's
 * thread. And groups of which all ranks are in this JVM. Uses everything but the cluster.
 */
package io.jaccl4j.init;
