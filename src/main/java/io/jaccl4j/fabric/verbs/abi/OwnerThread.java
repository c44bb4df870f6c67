package io.jaccl4j.fabric.verbs.abi;

/**
 * The one thread that may call into the library for a fabric. Objects of one device are not safe
 * for several threads with every provider, and what goes wrong then is silent.
 */
public final class OwnerThread {
  private final Thread owner;
  private final Runnable onCall;

  private OwnerThread(Thread owner, Runnable onCall) {
    this.owner = owner;
    this.onCall = onCall;
  }

  /**
   * The thread that calls this.
   *
   * @param onCall told of every call before it is made
   */
  public static OwnerThread current(Runnable onCall) {
    return new OwnerThread(Thread.currentThread(), onCall);
  }

  /**
   * One comparison, and the call is told.
   *
   * @param call what the caller is about to do, for the error
   * @throws WrongThreadException if this is another thread
   */
  public void check(String call) {
    if (Thread.currentThread() != owner) {
      throw refusal(call);
    }
    onCall.run();
  }

  private WrongThreadException refusal(String call) {
    return new WrongThreadException(
        call
            + " on thread ["
            + Thread.currentThread().getName()
            + "], but the devices of this group belong to thread ["
            + owner.getName()
            + "] alone; hand the work to that thread");
  }
}
