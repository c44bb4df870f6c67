package io.jaccl4j.cluster;

import io.jaccl4j.engine.Engine;
import io.jaccl4j.engine.EngineListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The engines of one actor system that still hold something: a failed group keeps its memory until
 * it is closed, and nobody may be left to close it. Any thread.
 */
final class LiveEngines implements Engine.Factory {

  private final Engine.Factory engines;
  private final Set<Engine> live = ConcurrentHashMap.newKeySet();

  LiveEngines(Engine.Factory engines) {
    this.engines = engines;
  }

  @Override
  public Engine create(EngineListener listener) {
    Engine engine = engines.create(listener);
    live.add(engine);
    engine.released().thenRun(() -> live.remove(engine));
    return engine;
  }

  /**
   * Closes them all.
   *
   * @param limit how long to wait for them
   * @return complete when all have let go of what they hold, but for those that are stuck, or when
   *     the time is over
   */
  CompletionStage<Void> closeAll(Duration limit) {
    List<Engine> open = List.copyOf(live);
    open.forEach(Engine::close);
    CompletableFuture<?>[] released =
        open.stream()
            .filter(Engine::alive)
            .map(engine -> engine.released().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(released)
        .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
