package io.jaccl4j.testkit;

import io.jaccl4j.Group;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the operations of one rank, and lets something happen before a certain one. */
final class OperationCount {
  private static final Set<String> OPERATIONS =
      Set.of(
          "allSum",
          "allMax",
          "allMin",
          "allProduct",
          "allAverage",
          "allGather",
          "sumScatter",
          "send",
          "recv",
          "broadcast",
          "reduce",
          "gather",
          "scatter",
          "allToAll",
          "barrier");

  private static final String ASYNC = "Async";

  private final Runnable death;
  private final AtomicInteger called = new AtomicInteger();
  private volatile int fatal;

  OperationCount(Runnable death) {
    this.death = death;
  }

  void dieAt(int operation) {
    if (operation <= called.get()) {
      throw new IllegalArgumentException(
          "operation " + operation + " was called already; the next is " + (called.get() + 1));
    }
    fatal = operation;
  }

  /** The same group, but counted. */
  Group counting(Group group) {
    return (Group)
        Proxy.newProxyInstance(
            Group.class.getClassLoader(),
            new Class<?>[] {Group.class},
            (proxy, method, arguments) -> {
              if (isOperation(method.getName()) && called.incrementAndGet() == fatal) {
                death.run();
              }
              try {
                return method.invoke(group, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  static boolean isOperation(String name) {
    return OPERATIONS.contains(
        name.endsWith(ASYNC) ? name.substring(0, name.length() - ASYNC.length()) : name);
  }
}
