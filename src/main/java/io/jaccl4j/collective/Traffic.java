package io.jaccl4j.collective;

/** Messages and payload bytes of a group's operations so far. Engine thread only. */
public final class Traffic {
  private long messagesSent;
  private long bytesSent;
  private long messagesReceived;
  private long bytesReceived;

  void sent(int bytes) {
    messagesSent++;
    bytesSent += bytes;
  }

  void received(int bytes) {
    messagesReceived++;
    bytesReceived += bytes;
  }

  /** Messages given to the links. */
  public long messagesSent() {
    return messagesSent;
  }

  /** Payload bytes given to the links. */
  public long bytesSent() {
    return bytesSent;
  }

  /** Messages taken from the links. */
  public long messagesReceived() {
    return messagesReceived;
  }

  /** Payload bytes taken from the links. */
  public long bytesReceived() {
    return bytesReceived;
  }
}
