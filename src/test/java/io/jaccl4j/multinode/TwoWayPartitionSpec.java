package io.jaccl4j.multinode;

/** Neither hears the other. */
class TwoWayPartitionSpec extends PartitionSpec {
  TwoWayPartitionSpec() {
    super(true);
  }
}
