/**
 * MLX's TCP ring, byte by byte: ranks linked to their two neighbours by plain sockets that carry
 * payload and nothing else. One thread of each ring, {@code jaccl-ring-<rank>}, owns all its
 * sockets and runs one operation at a time; {@link io.jaccl4j.ring.MlxRing} hands work over to it
 * from any thread. Uses the API, the reduction kernels and the topology only.
 *
 * <p>The protocol is that of {@code mlx/distributed/ring} in MLX 0.32.
 */
package io.jaccl4j.ring;
