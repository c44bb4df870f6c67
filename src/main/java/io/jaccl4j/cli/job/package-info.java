/**
 * What the commands hand to a rank and get back: a job, and its results as table rows with checks.
 * Knows nothing of processes, of the cluster or of any one job.
 */
package io.jaccl4j.cli.job;
