/**
 * Links over TCP sockets, for hosts without RDMA. Three floors: addresses, destination and
 * listeners say where a rank can be found; {@link io.jaccl4j.fabric.tcp.Rendezvous} makes the
 * connections, each proven by a token from the metadata; inboxes, outboxes and links carry
 * messages.
 *
 * <p>All of it runs on the engine thread: a selector while connections are made, polled
 * non-blocking sockets after that, no thread of its own and no allocation for a message. May use
 * {@code io.jaccl4j.fabric} and the JDK, not other transports.
 */
package io.jaccl4j.fabric.tcp;
