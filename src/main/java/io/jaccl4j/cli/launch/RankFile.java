package io.jaccl4j.cli.launch;

/**
 * A file that a rank is given on its own machine, and that is gone when it ends.
 *
 * @param variable tells the rank where it is
 * @param name in a directory of the rank's own
 */
record RankFile(String variable, String name, String content) {}
