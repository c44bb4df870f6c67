package io.jaccl4j.init;

import com.typesafe.config.ConfigFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.LocalGroupInitializer;
import io.jaccl4j.config.SettingsReader;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.sidechannel.MemoryAllGather;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Groups whose ranks are all in this JVM. */
public final class LocalStart implements LocalGroupInitializer {
  private static final AtomicLong COUNT = new AtomicLong();

  @Override
  public List<Group> form(int size, UnaryOperator<GroupSettings> adaptation) {
    FabricProvider shm = new ShmFabricProvider();
    String name = "local-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    GroupSettings settings =
        adaptation.apply(SettingsReader.read(ConfigFactory.load(), name, size));
    if (settings.size() != size) {
      throw new IllegalArgumentException(
          "settings for " + settings.size() + " ranks, want " + size + " as asked for");
    }
    if (size == 1) {
      return List.of(LoneStart.form(settings));
    }
    shm.unavailableBecause(settings)
        .ifPresent(
            reason -> {
              throw new FormationException(Reason.FABRIC, "group [" + name + "]: " + reason);
            });
    return form(shm, settings.withFabric(shm.name()));
  }

  private static List<Group> form(FabricProvider shm, GroupSettings settings) {
    MemoryAllGather sideChannel = new MemoryAllGather();
    List<GroupMember> members =
        IntStream.range(0, settings.size())
            .mapToObj(rank -> new GroupMember(rank, "thread of rank " + rank, rank, "localhost"))
            .toList();
    // Ranks that end tell the others, as the cluster's actors do; on their threads.
    List<EngineStart> starts = new CopyOnWriteArrayList<>();
    List<Group> groups = new ArrayList<>();
    try {
      for (int r = 0; r < settings.size(); r++) {
        int rank = r;
        starts.add(
            EngineStart.begin(
                List.of(shm),
                new Formation(
                    1,
                    rank,
                    members,
                    settings,
                    shm.name(),
                    sideChannel.open(rank, settings.size()),
                    LinkExchange.OWN,
                    settings.formationTimeout().toNanos(),
                    0),
                (failure, completed) -> tell(starts, rank, failure, completed)));
      }
      for (EngineStart start : starts) {
        groups.add(start.await());
      }
      return groups;
    } catch (RuntimeException e) {
      starts.forEach(EngineStart::abandon);
      throw e;
    }
  }

  private static void tell(
      List<EngineStart> starts, int ended, Optional<GroupFailure> failure, long completed) {
    for (int rank = 0; rank < starts.size(); rank++) {
      if (rank != ended) {
        starts.get(rank).peerEnded(ended, failure, completed);
      }
    }
  }
}
