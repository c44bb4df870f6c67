package io.jaccl4j;

/** An operation ended because its group failed; the cause is the group's first one. */
public class GroupFailedException extends JacclException {
  private static final long serialVersionUID = 1L;

  private final transient GroupFailure failure;

  /**
   * What one operation ends with.
   *
   * @param failure the group's first failure
   * @param operation what has failed, for the message
   */
  public GroupFailedException(GroupFailure failure, String operation) {
    super(operation + " failed: " + failure.detail());
    this.failure = failure;
  }

  /** {@return the group's first cause} */
  public GroupFailure failure() {
    return failure;
  }
}
