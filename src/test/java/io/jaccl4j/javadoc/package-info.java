/**
 * The worked examples of the Javadoc: each class has the regions that the documentation of one type
 * includes, and is run by a test.
 */
package io.jaccl4j.javadoc;
