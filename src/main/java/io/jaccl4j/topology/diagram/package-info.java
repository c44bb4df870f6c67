/**
 * Drawings of a group's cabling, with what is wrong marked: as a table, for Graphviz, as SVG. Pure,
 * any thread; may use the API and the topology.
 */
package io.jaccl4j.topology.diagram;
