package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupSettings;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** How sockets are set up. */
final class SocketOptions {
  /** A peer whose machine is gone while nothing is on its way is noticed after about 10 s. */
  private static final int KEEPALIVE_IDLE_SECONDS = 5;

  private static final int KEEPALIVE_INTERVAL_SECONDS = 1;
  private static final int KEEPALIVE_PROBES = 5;

  private final GroupSettings.Tcp settings;

  SocketOptions(GroupSettings.Tcp settings) {
    this.settings = settings;
  }

  /** Before it connects or listens: the window is agreed then. */
  void sizeBuffers(NetworkChannel channel) throws IOException {
    if (settings.receiveBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes());
    }
    if (settings.sendBufferBytes() > 0
        && channel.supportedOptions().contains(StandardSocketOptions.SO_SNDBUF)) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.sendBufferBytes());
    }
  }

  void apply(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    sizeBuffers(channel);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    setIfKnown(channel, ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
    setIfKnown(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_SECONDS);
    setIfKnown(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
  }

  private static void setIfKnown(SocketChannel channel, SocketOption<Integer> option, int value)
      throws IOException {
    if (channel.supportedOptions().contains(option)) {
      channel.setOption(option, value);
    }
  }
}
