/**
 * What algorithms see of a transport: links shaped like queue pairs, memory that they move without
 * a copy, completions. All of it is used by the engine thread alone. Knows nothing of collectives,
 * of the cluster, or of any one transport.
 */
package io.jaccl4j.fabric;
