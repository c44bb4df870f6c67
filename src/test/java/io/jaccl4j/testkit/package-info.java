/**
 * For applications: tests of how a program reacts to its group, without hardware, without other
 * processes and without sleeping.
 *
 * <p>{@link io.jaccl4j.testkit.JacclTest} forms a group of ranks in this JVM over an emulated
 * network; {@link io.jaccl4j.testkit.TestGroup} is the test's hand on it: groups, faults, clock.
 * Packaged in the jar with classifier {@code tests}.
 */
package io.jaccl4j.testkit;
