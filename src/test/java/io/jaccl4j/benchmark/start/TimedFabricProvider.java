package io.jaccl4j.benchmark.start;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A transport that tells when its links are opened, and when the engine goes on with them. */
record TimedFabricProvider(FabricProvider provider, Consumer<StartPhase> reached)
    implements FabricProvider {

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return provider.unavailableBecause(settings);
  }

  @Override
  public String reach(GroupSettings settings) {
    return provider.reach(settings);
  }

  @Override
  public Fabric open(FabricRequest request) {
    Fabric fabric = provider.open(request);
    reached.accept(StartPhase.LINKS_OPENED);
    return new TimedFabric(fabric, reached);
  }

  private record TimedFabric(Fabric fabric, Consumer<StartPhase> reached) implements Fabric {

    @Override
    public String name() {
      return fabric.name();
    }

    @Override
    public byte[] destination() {
      return fabric.destination();
    }

    @Override
    public void connect(List<byte[]> destinations) {
      reached.accept(StartPhase.METADATA_GATHERED);
      fabric.connect(destinations);
    }

    @Override
    public void established() {
      reached.accept(StartPhase.LINKS_CONNECTED);
      fabric.established();
    }

    @Override
    public Link link(int wire) {
      return fabric.link(wire);
    }

    @Override
    public RegisteredMemory memory() {
      return fabric.memory();
    }

    @Override
    public int poll(CompletionHandler handler) {
      return fabric.poll(handler);
    }

    @Override
    public boolean pollsTheKernel() {
      return fabric.pollsTheKernel();
    }

    @Override
    public boolean prefersFewMessages() {
      return fabric.prefersFewMessages();
    }

    @Override
    public boolean progress() {
      return fabric.progress();
    }

    @Override
    public void check() {
      fabric.check();
    }

    @Override
    public boolean awaitCompletion() {
      return fabric.awaitCompletion();
    }

    @Override
    public String describe() {
      return fabric.describe();
    }

    @Override
    public void close() {
      fabric.close();
    }
  }
}
