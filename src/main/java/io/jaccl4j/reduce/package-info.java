/**
 * Element-wise reductions over memory: a scalar reference for every element type, and Vector API
 * kernels that give the same bits. Stateless, callable from any thread; no I/O, no allocation.
 */
package io.jaccl4j.reduce;
