/**
 * From configuration to immutable settings: reads HOCON under the root {@code jaccl4j}, whose
 * manual and only place of defaults is {@code reference.conf}. No thread of its own; may not use
 * the cluster, the engine or a fabric.
 */
package io.jaccl4j.config;
