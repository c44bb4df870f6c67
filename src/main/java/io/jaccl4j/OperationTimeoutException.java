package io.jaccl4j;

/** An operation was not complete at its deadline. */
public final class OperationTimeoutException extends GroupFailedException {
  private static final long serialVersionUID = 1L;

  public OperationTimeoutException(GroupFailure failure, String operation) {
    super(failure, operation);
  }
}
