/**
 * What an application that embeds the library has left when it is done with it: nothing, in
 * whatever order it closes groups, ends actor systems, or ends itself.
 */
package io.jaccl4j.lifecycle;
