package io.jaccl4j.cli;

/** How far a started rank has come, in order. */
enum Milestone {
  LISTENING("actor system listens", "starting"),
  MEMBER_UP("member of the cluster is up", "joining the cluster"),
  RANKED("ranks assigned", "waiting for ranks"),
  LINKED("links are up", "bringing links up"),
  READY("group is ready", "waiting for the others' links"),
  FINISHED("work is done", "working"),
  EXITED("process has ended", "leaving");

  private final String done;
  private final String underWay;

  Milestone(String done, String underWay) {
    this.done = done;
    this.underWay = underWay;
  }

  /** What is the case once it is reached. */
  String done() {
    return done;
  }

  /** What a rank does that comes to it next. */
  String underWay() {
    return underWay;
  }
}
