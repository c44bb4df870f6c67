/**
 * The fixed sequence of operations by which a rank is compared with JACCL's own: inputs, steps,
 * expected results and the lines that it prints. Expectations are computed here, by plain loops
 * that share nothing with the code under test.
 */
package io.jaccl4j.interop;
