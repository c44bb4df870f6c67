package io.jaccl4j.topology;

/**
 * What carries one wire of a group.
 *
 * @param number of the wire; all ranks number the wires of a group alike
 * @param first one end; in a ring the end that calls it its right one
 * @param second the other end; in a ring the end that calls it its left one
 */
public record Cable(int number, CableEnd first, CableEnd second) {}
