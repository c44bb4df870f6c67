/**
 * Bare sockets between ranks of one machine, polled by one thread without anything of ours between:
 * what transports over TCP are compared with. Used by one thread.
 */
package io.jaccl4j.cli.bench.sockets;
