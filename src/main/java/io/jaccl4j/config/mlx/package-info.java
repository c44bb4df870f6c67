/**
 * MLX's own configuration, used unchanged: its environment variables, device file and hostfiles,
 * and the plain list of hosts. Every complaint says where the value stands and what is wanted. No
 * thread of its own, no network but the look-up of names; may use the API and the topology.
 */
package io.jaccl4j.config.mlx;
