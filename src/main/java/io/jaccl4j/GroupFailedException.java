package io.jaccl4j;

/** An operation ended because its group failed; the cause is the group's first one. */
public class GroupFailedException extends JacclException {
  private static final long serialVersionUID = 1L;

  private final transient GroupFailure failure;

  public GroupFailedException(GroupFailure failure, String operation) {
    super(operation + " failed: " + failure.detail());
    this.failure = failure;
  }

  /** The group's first cause. */
  public GroupFailure failure() {
    return failure;
  }
}
