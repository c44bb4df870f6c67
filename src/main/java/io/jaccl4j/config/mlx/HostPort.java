package io.jaccl4j.config.mlx;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A host and a port, as {@code 10.0.0.1:5000}, {@code studio.local:5000}, {@code [::1]:5000} or
 * {@code [fe80::1%en5]:5000}. Not looked up.
 *
 * @param host name, IPv4 address, or IPv6 address without brackets
 * @param port from 1 to 65535
 */
public record HostPort(String host, int port) {
  private static final String WANT = "want host:port, an IPv6 address in brackets";
  private static final int MAX_PORT = 65535;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern DOTTED = Pattern.compile("[0-9.]+");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_-]+)*\\.?");
  private static final Pattern ZONE = Pattern.compile("[A-Za-z0-9_.:-]+");
  private static final int MAX_NAME_LENGTH = 253;

  /**
   * A host and a port.
   *
   * @throws IllegalArgumentException if either cannot be one
   */
  public HostPort {
    checkHost(host);
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + ", want 1 to " + MAX_PORT);
    }
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none; quotes the text
   */
  public static HostPort parse(String text) {
    int end;
    String host;
    if (text.startsWith("[")) {
      end = text.indexOf(']') + 1;
      if (end == 0) {
        throw refused(text, "no closing bracket");
      }
      host = text.substring(1, end - 1);
      if (!host.contains(":")) {
        throw refused(text, "no IPv6 address in the brackets");
      }
    } else {
      end = text.indexOf(':');
      if (end >= 0 && text.indexOf(':', end + 1) >= 0) {
        throw refused(text, "more than one colon");
      }
      host = end < 0 ? text : text.substring(0, end);
    }
    if (end < 0 || end == text.length() || text.charAt(end) != ':') {
      throw refused(text, "no port");
    }
    String port = text.substring(end + 1);
    if (!DIGITS.matcher(port).matches()) {
      throw refused(text, port.isEmpty() ? "no port" : "the port is no number");
    }
    try {
      return new HostPort(host, Integer.parseInt(port));
    } catch (IllegalArgumentException e) {
      throw refused(text, e.getMessage());
    }
  }

  /**
   * Checks a host alone, an IPv6 address without brackets.
   *
   * @throws IllegalArgumentException if it can be none; quotes it
   */
  static String checkHost(String host) {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("no host");
    }
    boolean good;
    if (host.contains(":")) {
      good = isIpv6(host);
    } else if (DOTTED.matcher(host).matches()) {
      good = isIpv4(host);
    } else {
      good = host.length() <= MAX_NAME_LENGTH && NAME.matcher(host).matches();
    }
    if (!good) {
      throw new IllegalArgumentException("\"" + host + "\" is no host name or address");
    }
    return host;
  }

  private static boolean isIpv4(String host) {
    if (!IPV4.matcher(host).matches()) {
      return false;
    }
    try {
      return Inet4Address.ofLiteral(host) != null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** The zone is a name of some machine's interface, perhaps not of this one. */
  private static boolean isIpv6(String host) {
    int zone = host.indexOf('%');
    if (zone >= 0 && !ZONE.matcher(host.substring(zone + 1)).matches()) {
      return false;
    }
    try {
      return Inet6Address.ofLiteral(zone < 0 ? host : host.substring(0, zone)) != null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static IllegalArgumentException refused(String text, String why) {
    return new IllegalArgumentException("address \"" + text + "\": " + why + ", " + WANT);
  }

  /** For a socket, which looks the host up anew on every attempt. */
  public InetSocketAddress toSocketAddress() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  /** The same for the same host in other letters. */
  HostPort normalized() {
    return new HostPort(host.toLowerCase(Locale.ROOT), port);
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
