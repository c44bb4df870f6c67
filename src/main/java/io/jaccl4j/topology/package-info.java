/**
 * Which ranks are linked to which: the cabling as JACCL's device files give it, and the choice
 * between mesh and ring. Pure and offline, any thread; knows no fabric.
 */
package io.jaccl4j.topology;
