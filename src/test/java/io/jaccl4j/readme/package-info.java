/** The README's snippets as programs that run. */
package io.jaccl4j.readme;
