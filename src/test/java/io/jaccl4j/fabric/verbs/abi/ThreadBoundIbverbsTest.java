package io.jaccl4j.fabric.verbs.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What belongs to one thread is refused to every other, before the library sees anything. */
@Timeout(60)
class ThreadBoundIbverbsTest {

  static Stream<Method> calls() {
    return Stream.of(Ibverbs.class, IbvContextOps.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(method -> method.getName().startsWith("ibv_"));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldRefuseEveryCallOnAnotherThread(Method call) throws Exception {
    // Nothing behind them: a call that came through would end in another exception.
    Object bound =
        call.getDeclaringClass() == Ibverbs.class
            ? new ThreadBoundIbverbs(null, OwnerThread.current(() -> {}))
            : new ThreadBoundContextOps(null, OwnerThread.current(() -> {}));
    Object[] arguments =
        Arrays.stream(call.getParameterTypes()).map(ThreadBoundIbverbsTest::nothing).toArray();
    Throwable failure = onStranger(() -> invoke(call, bound, arguments));
    assertThat(failure)
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContainingAll(
            call.getName() + " on thread [stranger]", "[" + Thread.currentThread().getName() + "]");
  }

  private static Object nothing(Class<?> type) {
    return type == int.class
        ? (Object) 0
        : type == long.class ? (Object) 0L : type == byte.class ? (Object) (byte) 0 : null;
  }

  private static void invoke(Method call, Object target, Object[] arguments) throws Throwable {
    try {
      call.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Throwable onStranger(ThrowingCallable action) throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.ofPlatform().name("stranger").start(() -> failure.complete(catchThrowable(action)));
    return failure.get(10, TimeUnit.SECONDS);
  }
}
