/**
 * The dedicated thread of a group, named {@code jaccl-<group>-<rank>}: it owns the fabric and runs
 * one collective at a time in submission order. Here are its queue, deadlines, idle strategy,
 * failure handling, and the {@link io.jaccl4j.Group} that hands work over to it. Knows nothing of
 * actors or the cluster; whoever forms groups drives it through {@link io.jaccl4j.engine.Engine}.
 */
package io.jaccl4j.engine;
