package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one rank listens while its group forms: a listener for each address that peers are told.
 */
final class Listeners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private static final int BACKLOG = 256;

  private final List<ServerSocketChannel> channels = new ArrayList<>();
  private final List<InetSocketAddress> endpoints = new ArrayList<>();

  /**
   * Listens.
   *
   * @param all whether an address that cannot be listened at is a failure even if another one can
   */
  static Listeners open(
      List<InetAddress> addresses, boolean all, GroupSettings.Tcp settings, SocketOptions options) {
    Listeners listeners = new Listeners();
    FabricException failure = null;
    for (InetAddress address : addresses) {
      InetSocketAddress endpoint = new InetSocketAddress(address, settings.port());
      try {
        listeners.add(endpoint, options);
      } catch (IOException e) {
        failure = refused(endpoint, settings, e);
        LOG.debug("Not listening at [{}]", endpoint, e);
        if (all || settings.port() != 0) {
          break;
        }
      }
    }
    boolean broken = failure != null && (all || settings.port() != 0);
    if (broken || listeners.channels.isEmpty()) {
      listeners.close();
      throw failure;
    }
    return listeners;
  }

  private static FabricException refused(
      InetSocketAddress endpoint, GroupSettings.Tcp settings, IOException e) {
    return new FabricException(
        "tcp listen at "
            + Endpoints.describe(endpoint)
            + " failed: "
            + SocketFailure.describe(e)
            + (settings.port() == 0
                ? "; set jaccl4j.tcp.interface to another one"
                : "; jaccl4j.tcp.port is "
                    + settings.port()
                    + ", set it to one that is free, or to 0 for any"),
        e);
  }

  private void add(InetSocketAddress endpoint, SocketOptions options) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      options.sizeBuffers(channel);
      channel.configureBlocking(false);
      channel.bind(endpoint, BACKLOG);
      endpoints.add((InetSocketAddress) channel.getLocalAddress());
      channels.add(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  List<ServerSocketChannel> channels() {
    return channels;
  }

  List<InetSocketAddress> endpoints() {
    return endpoints;
  }

  @Override
  public void close() {
    List<Runnable> steps = new ArrayList<>();
    for (ServerSocketChannel channel : channels) {
      steps.add(() -> close(channel));
    }
    channels.clear();
    Cleanup.runAll(steps);
  }

  private static void close(ServerSocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FabricException("closing a listener failed: " + SocketFailure.describe(e), e);
    }
  }
}
