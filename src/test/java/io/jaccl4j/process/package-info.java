/**
 * Every rank in its own JVM: a parent test starts them, tells them what to do line by line, and
 * kills, stops and continues them. Here is what only separate processes can show.
 */
package io.jaccl4j.process;
