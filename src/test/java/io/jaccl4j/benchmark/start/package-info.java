/**
 * How long cold processes take until they are a group, beside how long a bare Pekko cluster takes
 * until its members are up, and where the rest goes. Which no test run includes.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Pjmh -Dexec.main.class=io.jaccl4j.benchmark.start.ColdStartBenchmark
 * </pre>
 *
 * <p>Every way is measured in every round, in an order that turns, so that a busy minute of the
 * machine falls on all of them.
 */
package io.jaccl4j.benchmark.start;
