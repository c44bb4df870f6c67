/**
 * Public API: what an application sees of a group of ranks. JDK types only, no thread of its own,
 * no knowledge of the packages below.
 */
package io.jaccl4j;
