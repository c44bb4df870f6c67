package io.jaccl4j.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this machine. */
final class Hosts {

  private Hosts() {}

  /** For people; {@code localhost} where the machine cannot resolve its own name. */
  static String localName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unresolvable) {
      return "localhost";
    }
  }
}
