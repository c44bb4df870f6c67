package io.jaccl4j.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes on the command line: {@code 4}, {@code 64K}, {@code 1M}, {@code 1G}. */
final class ByteSize implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    if (!value.matches("[0-9]{1,10}[KMG]?")) {
      throw new TypeConversionException(
          "'" + value + "' is not a size in bytes: want digits and at most one of K, M, G");
    }
    char unit = value.charAt(value.length() - 1);
    int shift =
        switch (unit) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          default -> 0;
        };
    String digits = shift == 0 ? value : value.substring(0, value.length() - 1);
    return Long.parseLong(digits) << shift;
  }
}
