package io.jaccl4j.cli.demo;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** How numbers lie in a group's buffers. */
final class Elements {
  static final ValueLayout.OfLong INT64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfFloat FLOAT32 =
      ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfDouble FLOAT64 =
      ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Elements() {}
}
