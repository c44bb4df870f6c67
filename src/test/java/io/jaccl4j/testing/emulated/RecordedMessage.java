package io.jaccl4j.testing.emulated;

/**
 * A message that was delivered.
 *
 * @param wire number of the wire
 * @param sender rank that sent it
 * @param receiver rank at the other end
 * @param bytes its length
 * @param immediate what travelled with it
 */
public record RecordedMessage(int wire, int sender, int receiver, int bytes, int immediate) {}
