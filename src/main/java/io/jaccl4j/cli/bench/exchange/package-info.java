/**
 * What a benchmark repeats: one operation on buffers of one size, with data whose result is known.
 * Written against {@link io.jaccl4j.Session} alone.
 */
package io.jaccl4j.cli.bench.exchange;
