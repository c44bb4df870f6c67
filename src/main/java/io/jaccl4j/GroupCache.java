package io.jaccl4j;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The groups of one process, one for each backend. A group that was closed or has failed leaves the
 * cache. For any thread; one forms a group at a time, the others wait for it.
 */
final class GroupCache {
  private final Supplier<GroupInitializer> initializers;

  // Guarded by this. The default group is the first one that was formed, under ANY.
  private final Map<Backend, Group> formed = new EnumMap<>(Backend.class);

  /** Kept apart: being alone must neither satisfy the strict nor become anybody's default. */
  private final Map<Backend, Group> alone = new EnumMap<>(Backend.class);

  GroupCache(Supplier<GroupInitializer> initializers) {
    this.initializers = initializers;
  }

  synchronized Group get(boolean strict, Backend wanted, Optional<AllGather.Factory> sideChannel) {
    formed.values().removeIf(group -> group.health() != GroupHealth.READY);
    alone.values().removeIf(group -> group.health() != GroupHealth.READY);
    Group known = formed.get(wanted);
    if (known != null) {
      return known;
    }
    GroupInitializer initializer = initializers.get();
    Optional<Backend> configured = initializer.configured(wanted, sideChannel.isPresent());
    if (configured.isPresent()) {
      return formed(configured.get(), initializer, sideChannel);
    }
    if (strict) {
      throw initializer.missing(wanted, sideChannel.isPresent());
    }
    return alone.computeIfAbsent(wanted, _ -> initializer.alone());
  }

  private Group formed(
      Backend backend, GroupInitializer initializer, Optional<AllGather.Factory> sideChannel) {
    Group group = formed.computeIfAbsent(backend, _ -> initializer.form(backend, sideChannel));
    formed.putIfAbsent(Backend.ANY, group);
    return group;
  }
}
