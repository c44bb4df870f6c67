package io.jaccl4j.testing.emulated;

/** How a work request can end, with the names and numbers of verbs. */
public enum WorkStatus {
  SUCCESS(0),
  /** The message is longer than the receive. */
  LOC_LEN(1),
  LOC_QP_OP(2),
  /** The memory is not registered for what was asked. */
  LOC_PROT(4),
  /** The link broke before the request's turn came. */
  WR_FLUSH(5),
  BAD_RESP(7),
  LOC_ACCESS(8),
  REM_INV_REQ(9),
  REM_ACCESS(10),
  REM_OP(11),
  /** The peer did not acknowledge. */
  RETRY_EXC(12),
  /** The peer had no receive posted. */
  RNR_RETRY_EXC(13),
  FATAL(19),
  RESP_TIMEOUT(20),
  GENERAL(21);

  private final int number;

  WorkStatus(int number) {
    this.number = number;
  }

  /** The number in a verbs completion. */
  public int number() {
    return number;
  }
}
