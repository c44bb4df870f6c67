package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which of this machine's addresses peers are told, and which of the addresses that a peer tells
 * can be the peer's.
 */
final class AddressChoice {
  private final FabricRequest request;
  private final List<HostAddress> present;
  private final Predicate<HostAddress> excluded;
  private final boolean oneHost;
  private final boolean chosenByUser;
  private final List<InetAddress> own;

  private AddressChoice(FabricRequest request, List<HostAddress> present, NameLookup names) {
    this.request = request;
    this.present = present;
    this.oneHost = request.members().stream().map(GroupMember::host).distinct().count() == 1;
    this.excluded =
        request.settings().tcp().exclude().stream()
            .map(pattern -> AddressPattern.of(pattern, names))
            .reduce(candidate -> false, Predicate::or);
    String bindTo = request.settings().tcp().bindTo();
    this.chosenByUser = !bindTo.equals(GroupSettings.Tcp.AUTO);
    this.own = List.copyOf(chosenByUser ? named(bindTo, names) : automatic(names));
  }

  /**
   * Chooses.
   *
   * @param present addresses of this machine
   * @throws FabricException if there is none that peers could use
   */
  static AddressChoice of(FabricRequest request, List<HostAddress> present, NameLookup names) {
    return new AddressChoice(request, present, names);
  }

  /** Addresses to listen at and to tell peers, the preferred one first. */
  List<InetAddress> own() {
    return own;
  }

  /** Whether the user insists on these addresses. */
  boolean isChosenByUser() {
    return chosenByUser;
  }

  private Set<InetAddress> automatic(NameLookup names) {
    Set<InetAddress> chosen = new LinkedHashSet<>();
    GroupMember self = request.members().get(request.rank());
    Stream.of(hostOf(self.address()), self.host())
        .filter(Objects::nonNull)
        .map(names::addressesOf)
        .map(this::usable)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .ifPresent(chosen::addAll);
    boolean found = !chosen.isEmpty();
    if (oneHost) {
      present.stream()
          .filter(HostAddress::isLoopback)
          .map(HostAddress::address)
          .forEach(chosen::add);
    }
    if (!found) {
      present.stream()
          .filter(candidate -> !candidate.isLoopback() && candidate.isMeaningfulToPeers())
          .filter(excluded.negate())
          .map(HostAddress::address)
          // A link-local address may be all that a cable has, but is rarely what is meant.
          .sorted(Comparator.comparing(InetAddress::isLinkLocalAddress))
          .forEach(chosen::add);
    }
    if (chosen.isEmpty()) {
      throw new FabricException(
          "this machine has no address that the other ranks could reach, only "
              + present
              + " without "
              + request.settings().tcp().exclude()
              + "; connect it or set jaccl4j.tcp.interface or jaccl4j.tcp.exclude",
          null);
    }
    return chosen;
  }

  /** Host names often resolve to loopback, which leads nobody here from elsewhere. */
  private List<InetAddress> usable(List<InetAddress> addresses) {
    return addresses.stream()
        .filter(this::isLocal)
        .filter(address -> oneHost || !address.isLoopbackAddress())
        .toList();
  }

  private Set<InetAddress> named(String bindTo, NameLookup names) {
    List<HostAddress> ofInterface =
        present.stream()
            .filter(candidate -> candidate.interfaceName().equals(bindTo))
            .filter(HostAddress::isMeaningfulToPeers)
            .toList();
    Set<InetAddress> chosen = new LinkedHashSet<>();
    if (!ofInterface.isEmpty()) {
      ofInterface.forEach(candidate -> chosen.add(candidate.address()));
    } else {
      names.addressesOf(bindTo).stream().filter(this::isLocal).forEach(chosen::add);
    }
    if (chosen.isEmpty()) {
      throw new FabricException(
          "jaccl4j.tcp.interface is \""
              + bindTo
              + "\", but the interfaces of this machine that are up have "
              + present,
          null);
    }
    if (!oneHost && chosen.stream().allMatch(InetAddress::isLoopbackAddress)) {
      throw new FabricException(
          "jaccl4j.tcp.interface is \""
              + bindTo
              + "\", which is loopback, but ranks are on several hosts, which cannot reach it; want"
              + " one of "
              + present.stream().filter(candidate -> !candidate.isLoopback()).toList(),
          null);
    }
    return chosen;
  }

  /**
   * The addresses of a peer that may lead to it, in its order. An address that this machine has
   * itself leads back to it, so a peer of another host is never reached by it: containers' bridges
   * have the same address everywhere.
   *
   * @throws FabricException if none is left
   */
  List<InetSocketAddress> candidates(int peer, List<InetSocketAddress> told) {
    GroupMember member = request.members().get(peer);
    if (member.host().equals(request.members().get(request.rank()).host())) {
      return told;
    }
    List<InetSocketAddress> elsewhere =
        told.stream().filter(address -> !isLocal(address.getAddress())).toList();
    if (elsewhere.isEmpty()) {
      throw new FabricException(
          peer,
          member
              + " on host "
              + member.host()
              + " says that it listens at "
              + Endpoints.describe(told)
              + ", which this machine has itself, so that it leads back here; set"
              + " jaccl4j.tcp.interface on that rank to an address that others reach",
          null);
    }
    return elsewhere;
  }

  /** What a connection to an address should come from, or empty to let the system choose. */
  Optional<InetAddress> sourceFor(InetAddress target) {
    return chosenByUser
        ? own.stream().filter(address -> address.getClass() == target.getClass()).findFirst()
        : Optional.empty();
  }

  private boolean isLocal(InetAddress address) {
    return present.stream().anyMatch(candidate -> candidate.address().equals(address));
  }

  /** The host in an address of a cluster member, or null. */
  private static String hostOf(String memberAddress) {
    try {
      String host = URI.create(memberAddress).getHost();
      return host == null ? null : host.replaceAll("^\\[|]$", "");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
