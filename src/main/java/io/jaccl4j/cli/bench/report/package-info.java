/** Measurements as files: CSV, JSON, and a chart in SVG. Plain text, no library. */
package io.jaccl4j.cli.bench.report;
