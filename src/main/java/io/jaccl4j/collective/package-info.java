/**
 * Collective algorithms as state machines: completions go in, posts come out. Run by the engine
 * thread, which owns polling, waiting, deadlines and threads; nothing here does I/O, reads a clock
 * or allocates while an operation runs. One operation of a group is active at a time.
 */
package io.jaccl4j.collective;
