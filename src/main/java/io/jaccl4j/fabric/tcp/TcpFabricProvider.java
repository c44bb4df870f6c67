package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.util.Optional;
import java.util.function.LongSupplier;

/** TCP sockets between any hosts that reach each other. */
public final class TcpFabricProvider implements FabricProvider {
  static final String NAME = "tcp";

  private final LongSupplier nanoClock;

  /**
   * The provider.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public TcpFabricProvider(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return Optional.empty();
  }

  /** Whether two hosts really reach each other shows when they connect. */
  @Override
  public String reach(GroupSettings settings) {
    return "ip";
  }

  @Override
  public Fabric open(FabricRequest request) {
    long deadlineNanos = nanoClock.getAsLong() + request.remainingNanos();
    NameLookup names = NameLookup.system(request.remainingNanos());
    AddressChoice addresses = AddressChoice.of(request, HostAddress.present(), names);
    return new TcpFabric(request, addresses, nanoClock, deadlineNanos);
  }
}
