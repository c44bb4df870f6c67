package io.jaccl4j.fabric.verbs;

import java.util.Optional;

/** Looks for devices, as a program of its own, and prints what it is told. */
final class DevicesStart {
  private DevicesStart() {}

  /** No arguments. */
  public static void main(String[] arguments) {
    System.out.println(DeviceSurvey.take(Optional.empty()).hint().orElse("nothing is wrong"));
  }
}
