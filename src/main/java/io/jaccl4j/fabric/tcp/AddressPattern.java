package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Addresses by the name of their interface or by the block that they are of. */
final class AddressPattern {
  private AddressPattern() {}

  /**
   * What a setting describes.
   *
   * @param text a name of interfaces, where {@code *} stands for anything, or a block: an address,
   *     a slash and the number of its bits that count
   * @throws FabricException if it is neither
   */
  static Predicate<HostAddress> of(String text, NameLookup names) {
    if (text.isBlank()) {
      throw refused(text);
    }
    return text.indexOf('/') < 0 ? named(text) : inBlock(text, names);
  }

  private static Predicate<HostAddress> named(String text) {
    Pattern pattern =
        Pattern.compile(
            Arrays.stream(text.split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    return candidate -> pattern.matcher(candidate.interfaceName()).matches();
  }

  private static Predicate<HostAddress> inBlock(String text, NameLookup names) {
    int slash = text.indexOf('/');
    String literal = text.substring(0, slash);
    // Only digits, dots and colons: a name could stand for anything.
    List<InetAddress> parsed =
        literal.matches("[0-9a-fA-F.:]+") && literal.matches(".*[.:].*")
            ? names.addressesOf(literal)
            : List.of();
    if (parsed.size() != 1 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
      throw refused(text);
    }
    byte[] block = parsed.getFirst().getAddress();
    int bits = Integer.parseInt(text.substring(slash + 1));
    if (bits > block.length * Byte.SIZE) {
      throw refused(text);
    }
    return candidate -> startsWith(candidate.address().getAddress(), block, bits);
  }

  private static boolean startsWith(byte[] address, byte[] block, int bits) {
    if (address.length != block.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> bit % Byte.SIZE;
      if (((address[bit / Byte.SIZE] ^ block[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private static FabricException refused(String text) {
    return new FabricException(
        "jaccl4j.tcp.exclude has \""
            + text
            + "\", want names of interfaces such as \"docker*\" or blocks of addresses such as"
            + " \"172.17.0.0/16\"",
        null);
  }
}
