package io.jaccl4j.cli;

import java.time.Duration;

/**
 * How long the parts of a run may take.
 *
 * @param formation from the start of the processes until all ranks are ready
 * @param work from there until all ranks have done the work
 * @param leaving from there until all processes have ended
 * @param grace how long a process that is told to end may take before it is killed
 */
record RunLimits(Duration formation, Duration work, Duration leaving, Duration grace) {}
