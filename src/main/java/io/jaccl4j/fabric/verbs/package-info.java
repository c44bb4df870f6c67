/**
 * Links over RDMA devices: libibverbs on Linux, librdma on macOS. Three floors: {@link
 * io.jaccl4j.fabric.verbs.abi} has the shape and the names of the C header; devices, queue pairs
 * and memory regions own what the library made and give it back in the right order; links and the
 * fabric are what the engine sees. The engine thread makes, uses and destroys all of it, and a call
 * on another is refused.
 */
package io.jaccl4j.fabric.verbs;
