package io.jaccl4j.process;

import java.util.List;

/** Where the processes of ranks run. */
interface Placement extends AutoCloseable {
  /** On this machine as it is. */
  Placement HERE =
      new Placement() {
        @Override
        public List<String> prefix(int number) {
          return List.of();
        }

        @Override
        public String config(int number) {
          return "";
        }

        @Override
        public void close() {}
      };

  /** Words before the command of a process. */
  List<String> prefix(int number);

  /** What a process's configuration has beyond the others'. */
  String config(int number);

  /** No process runs any more. */
  @Override
  void close();
}
