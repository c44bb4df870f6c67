/**
 * The verbs library as its C header has it: functions, structures, constants and error numbers
 * under their C names, found and called through {@code java.lang.foreign}. {@link
 * io.jaccl4j.fabric.verbs.abi.Ibverbs} is bound to one thread for each fabric. Owns nothing,
 * decides nothing, and knows nothing of links. The only package that may use the linker.
 */
package io.jaccl4j.fabric.verbs.abi;
