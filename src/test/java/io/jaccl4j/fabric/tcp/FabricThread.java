package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.Wire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A fabric on the one thread that may use it, as the engine has it. */
final class FabricThread implements AutoCloseable {
  static final long EPOCH = 4;

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final CompletableFuture<TcpFabric> opened;

  private FabricThread(FabricRequest request) {
    this.opened =
        CompletableFuture.supplyAsync(
            () -> (TcpFabric) new TcpFabricProvider(System::nanoTime).open(request), thread);
  }

  /** Opens the fabric of one rank; all wires of a mesh. */
  static FabricThread open(GroupSettings settings, int rank) {
    return new FabricThread(request(settings, rank));
  }

  static FabricRequest request(GroupSettings settings, int rank) {
    int size = settings.size();
    List<GroupMember> members =
        IntStream.range(0, size)
            .mapToObj(r -> new GroupMember(r, "test://host:" + (9000 + r), r, "host"))
            .toList();
    List<Wire> wires = new java.util.ArrayList<>();
    for (int first = 0; first < size; first++) {
      for (int second = first + 1; second < size; second++) {
        wires.add(new Wire(wires.size(), first, second));
      }
    }
    return new FabricRequest(
        settings,
        EPOCH,
        rank,
        members,
        wires,
        2,
        settings.formationTimeout().toNanos(),
        new NativeCalls());
  }

  <T> CompletableFuture<T> call(Function<TcpFabric, T> function) {
    return opened.thenApplyAsync(function, thread);
  }

  byte[] destination() {
    return call(TcpFabric::destination).join();
  }

  CompletableFuture<TcpFabric> connect(byte[]... destinations) {
    return call(
        fabric -> {
          fabric.connect(List.of(destinations));
          return fabric;
        });
  }

  @Override
  public void close() {
    CompletableFuture<Void> closed = opened.thenAcceptAsync(TcpFabric::close, thread);
    try {
      closed.exceptionally(e -> null).get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the fabric does not close", e);
    } finally {
      thread.shutdownNow();
    }
  }
}
