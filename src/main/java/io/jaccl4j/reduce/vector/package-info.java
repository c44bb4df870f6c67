/**
 * Kernels on the Vector API, with the bits of the scalar reference; the only package that uses the
 * module {@code jdk.incubator.vector}. Nothing refers to it: {@link io.jaccl4j.reduce.Kernels}
 * loads its provider by name where the JVM has the module, so that none of these classes is loaded
 * where it has not. Stateless but for a thread's blocks, callable from any thread; no I/O.
 */
package io.jaccl4j.reduce.vector;
