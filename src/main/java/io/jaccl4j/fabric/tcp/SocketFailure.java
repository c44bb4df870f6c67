package io.jaccl4j.fabric.tcp;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the operating system says about a socket. The JDK gives its text and keeps its number, so
 * the symbol is found by the text.
 */
final class SocketFailure {
  private static final Map<String, String> SYMBOL_OF_TEXT = symbols();

  /** Nothing that comes and goes. */
  private static final Set<String> LASTING = Set.of("EACCES", "EPERM", "EAFNOSUPPORT");

  private SocketFailure() {}

  private static Map<String, String> symbols() {
    Map<String, String> symbols = new LinkedHashMap<>();
    symbols.put("connection reset", "ECONNRESET");
    symbols.put("broken pipe", "EPIPE");
    symbols.put("connection refused", "ECONNREFUSED");
    symbols.put("software caused connection abort", "ECONNABORTED");
    symbols.put("no route to host", "EHOSTUNREACH");
    symbols.put("host is down", "EHOSTDOWN");
    symbols.put("network is unreachable", "ENETUNREACH");
    symbols.put("network is down", "ENETDOWN");
    symbols.put("timed out", "ETIMEDOUT");
    symbols.put("permission denied", "EACCES");
    symbols.put("operation not permitted", "EPERM");
    symbols.put("address already in use", "EADDRINUSE");
    symbols.put("cannot assign requested address", "EADDRNOTAVAIL");
    symbols.put("can't assign requested address", "EADDRNOTAVAIL");
    symbols.put("address family not supported", "EAFNOSUPPORT");
    symbols.put("protocol family", "EAFNOSUPPORT");
    symbols.put("too many open files", "EMFILE");
    symbols.put("no buffer space", "ENOBUFS");
    symbols.put("invalid argument", "EINVAL");
    return symbols;
  }

  /** Symbol and text; never empty. */
  static String describe(Exception failure) {
    String text = textOf(failure);
    String symbol = symbolOf(text);
    return symbol.isEmpty() ? text : text + " (" + symbol + ")";
  }

  /** Whether to try again is in vain. */
  static boolean isLasting(Exception failure) {
    return failure instanceof UnsupportedAddressTypeException
        || failure instanceof UnresolvedAddressException
        || LASTING.contains(symbolOf(textOf(failure)));
  }

  private static String textOf(Exception failure) {
    String message = failure.getMessage();
    boolean telling = failure instanceof IOException && message != null && !message.isBlank();
    return telling ? message : failure.toString();
  }

  private static String symbolOf(String text) {
    String lower = text.toLowerCase(java.util.Locale.ROOT);
    for (Map.Entry<String, String> entry : SYMBOL_OF_TEXT.entrySet()) {
      if (lower.contains(entry.getKey())) {
        return entry.getValue();
      }
    }
    return "";
  }
}
