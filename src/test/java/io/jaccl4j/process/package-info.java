/**
 * Groups whose ranks are processes: all operations, and what happens when one is killed or stopped.
 */
package io.jaccl4j.process;
