/**
 * Measures all_sum between the ranks of a group beside a copy of the same bytes in one process.
 * Written against {@link io.jaccl4j.Session} alone.
 */
package io.jaccl4j.cli.bench;
