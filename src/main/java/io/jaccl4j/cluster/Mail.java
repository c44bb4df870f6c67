package io.jaccl4j.cluster;

/** Carries messages to the guardians of other members; any of them may be lost. */
@FunctionalInterface
interface Mail {
  void send(MemberId to, RemoteMessage message);
}
