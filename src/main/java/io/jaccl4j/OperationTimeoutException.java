package io.jaccl4j;

/** An operation was not complete at its deadline. */
public final class OperationTimeoutException extends GroupFailedException {
  private static final long serialVersionUID = 1L;

  /**
   * What one operation ends with.
   *
   * @param failure the group's first failure
   * @param operation what has failed, for the message
   */
  public OperationTimeoutException(GroupFailure failure, String operation) {
    super(failure, operation);
  }
}
