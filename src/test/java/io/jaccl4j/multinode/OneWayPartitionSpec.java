package io.jaccl4j.multinode;

/** Node 2 does not hear node 1, but is heard. */
class OneWayPartitionSpec extends PartitionSpec {
  OneWayPartitionSpec() {
    super(false);
  }
}
