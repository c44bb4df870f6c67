package io.jaccl4j.testkit;

import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with a group of its own: the method takes a {@link TestGroup}.
 *
 * {@snippet file="io/jaccl4j/javadoc/JacclTestExample.java" region="worker-dies"}
 *
 * <p>Before the method all ranks are formed; after it they are closed, and the test fails if memory
 * was misused on the way or anything is left over.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(JacclTestExtension.class)
public @interface JacclTest {
  /** {@return the number of ranks, at least 1} */
  int ranks();

  /** {@return what the ranks are linked as} */
  Topology topology() default Topology.AUTO;

  /** {@return what is on the wire} */
  WireMode wire() default WireMode.EXACT;

  /**
   * Unless 0, messages are delayed by chance, by this seed, and links take turns in changing order:
   * nothing that the test sees may depend on it.
   *
   * @return the seed
   */
  long unrulySeed() default 0;
}
