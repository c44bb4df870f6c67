/**
 * JMH benchmarks, which no test run includes:
 *
 * <pre>
 * mvn -q test-compile exec:exec -Pjmh -Djmh.args="-f 1 -wi 3 -i 5 -p dtype=FLOAT32"
 * </pre>
 */
package io.jaccl4j.benchmark;
