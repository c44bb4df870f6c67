package io.jaccl4j;

/**
 * What one rank has done since formation.
 *
 * @param operations operations completed
 * @param messagesSent messages given to the links
 * @param bytesSent payload bytes given to the links
 * @param messagesReceived messages taken from the links
 * @param bytesReceived payload bytes taken from the links
 */
public record GroupCounters(
    long operations,
    long messagesSent,
    long bytesSent,
    long messagesReceived,
    long bytesReceived) {}
