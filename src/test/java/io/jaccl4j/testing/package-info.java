/** What tests share: ranks in one JVM, side channels in memory, data and expected results. */
package io.jaccl4j.testing;
