package io.jaccl4j.testing.emulated;

import java.util.Locale;

/** The two kinds of work requests. */
public enum WorkKind {
  RECEIVE,
  SEND;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
