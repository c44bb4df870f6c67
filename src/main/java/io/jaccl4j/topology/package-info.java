/**
 * Which ranks are linked to which: the choice between mesh and ring. Pure and offline, any thread;
 * knows no fabric.
 */
package io.jaccl4j.topology;
