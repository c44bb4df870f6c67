/**
 * What the command {@code launch} does: ranks of any program on this machine and, by ssh, on
 * others, with the environment that {@code mlx.launch} gives them. Works with processes and pipes,
 * on threads of its own, and knows nothing of groups or of the cluster.
 */
package io.jaccl4j.cli.launch;
