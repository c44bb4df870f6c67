/**
 * The commands: ranks as processes of this machine ({@code demo}, {@code bench}) and one rank from
 * a configuration file ({@code rank}), which may find the others by itself. A started rank tells
 * what happens to it as {@code RankMessage}s; a parent reads them from the rank's stdout, shows
 * tables, and sees to it that no process outlives the command.
 */
package io.jaccl4j.cli;
