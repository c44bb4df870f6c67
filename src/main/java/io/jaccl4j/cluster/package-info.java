/**
 * Ranks as members of a Pekko cluster: members find each other, agree on ranks and epoch, carry the
 * connection metadata of the links, and tell each other who is lost. Everything runs in actors on
 * the dispatcher {@code jaccl4j.dispatcher}; no actor blocks, and none touches native memory: the
 * engine is driven through {@link io.jaccl4j.engine.Engine} alone, and what it reports is sent back
 * to the actor as a message.
 *
 * <p>Decisions (who conflicts, who gets which rank, which fabric, what to ask for again) are plain
 * classes without actors; actors deliver events to them and carry out what they say.
 */
package io.jaccl4j.cluster;
