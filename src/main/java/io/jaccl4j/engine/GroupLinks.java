package io.jaccl4j.engine;

import io.jaccl4j.fabric.Fabric;
import java.util.Map;

/** The links that a rank of a group wants, while they are being brought up. */
interface GroupLinks {

  /** Whether the group could do with fewer; the same on all ranks. */
  boolean canDegrade();

  /** Wires of this rank that cannot even be opened, and why. Asked only if it can degrade. */
  Map<Integer, String> unusable();

  /**
   * Does without some wires from now on.
   *
   * @param useless why, by number; the same on all ranks
   * @return whether enough are left
   */
  boolean leaveOut(Map<Integer, String> useless);

  /** Reserves what they need. */
  Fabric open();
}
