/**
 * JMH benchmarks, which no test run includes. Without arguments: sums of every element type, in
 * some minutes.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Pjmh
 * mvn -q test-compile exec:exec -Pjmh -Djmh.args="-p dtype=FLOAT16,COMPLEX64 -p op=MAX"
 * mvn -q test-compile exec:exec -Pjmh -Djmh.args=DivisionBenchmark
 * </pre>
 */
package io.jaccl4j.benchmark;
