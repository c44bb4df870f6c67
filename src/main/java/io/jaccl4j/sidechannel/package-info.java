/**
 * Side channels other than the cluster's: JACCL's TCP coordinator byte by byte, a function of the
 * user's, a shared directory, a ZeroMQ star, memory; and the typed gathers that JACCL does over any
 * of them. All run on the caller's thread unless they say otherwise, and every wait has a deadline.
 * May use the API alone; ZeroMQ in one class, which nobody needs who does not use it.
 */
package io.jaccl4j.sidechannel;
