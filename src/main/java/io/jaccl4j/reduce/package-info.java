/**
 * Element-wise reductions over memory: a scalar reference for every element type, and the choice
 * between it and the kernels of {@code reduce.vector}, which give the same bits and are reached by
 * name alone. Stateless, callable from any thread; no I/O, no allocation.
 */
package io.jaccl4j.reduce;
