package io.jaccl4j.reduce.vector;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The machine's preferred vectors, all of {@link #STEP} bytes. */
final class Lanes {
  static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** Half as wide, so that one vector of shorts widens into one of ints. */
  static final VectorSpecies<Short> HALF_SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(INTS.vectorBitSize() / 2));

  static final long STEP = BYTES.vectorByteSize();
  static final long HALF_STEP = HALF_SHORTS.vectorByteSize();

  private Lanes() {}
}
