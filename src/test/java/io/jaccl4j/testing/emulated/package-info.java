/**
 * A fabric inside one JVM whose every move can be scripted: it works like connected queue pairs,
 * records what is posted and delivered, delays and reorders by a seed, fails where it is told to,
 * and notices memory that is touched while a link owns it.
 *
 * <p>Begin with {@link io.jaccl4j.testing.emulated.EmulatedRanks}.
 */
package io.jaccl4j.testing.emulated;
