package io.jaccl4j;

/** Two ranks of a group called different operations, or the same one with other arguments. */
public final class OperationMismatchException extends GroupFailedException {
  private static final long serialVersionUID = 1L;

  /**
   * What one operation ends with.
   *
   * @param failure the group's first failure
   * @param operation what has failed, for the message
   */
  public OperationMismatchException(GroupFailure failure, String operation) {
    super(failure, operation);
  }
}
