/**
 * The demo's work: statistics and a linear regression over a table whose rows are split over the
 * ranks, every result checked against the same computation in one process. Written against {@link
 * io.jaccl4j.Session} alone.
 */
package io.jaccl4j.cli.demo;
