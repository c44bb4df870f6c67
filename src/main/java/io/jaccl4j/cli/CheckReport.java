package io.jaccl4j.cli;

import io.jaccl4j.Backend;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.EffectiveValue;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.config.mlx.OwnRank;
import io.jaccl4j.config.mlx.RingConfiguration;
import io.jaccl4j.fabric.verbs.DeviceSurvey;
import io.jaccl4j.init.EnvironmentInitializer;
import io.jaccl4j.topology.DeviceMatrix;
import io.jaccl4j.topology.TopologyChoice;
import io.jaccl4j.topology.TopologyFault;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a rank would start with, and what is wrong with it.
 *
 * @param backend what would carry the group, empty if nothing is configured
 * @param values every setting with its value and where it came from
 * @param facts what was found in order
 * @param findings what is wrong, each with a remedy
 */
record CheckReport(
    String backend, List<EffectiveValue> values, List<String> facts, List<String> findings) {
  private static final String LIBRARY = "JACCL4J_VERBS_LIBRARY";

  /** Looks at an environment. */
  static CheckReport of(Map<String, String> environment, String backendName) {
    return of(environment, backendName, BridgeMembers.ofThisMachine());
  }

  /** Looks at an environment on a machine with these bridges. */
  static CheckReport of(
      Map<String, String> environment, String backendName, BridgeMembers bridges) {
    Look look = new Look(environment, bridges);
    look.at(backendName);
    return new CheckReport(look.backend, look.mlx.effective(), look.facts, look.findings);
  }

  boolean canStart() {
    return findings.isEmpty();
  }

  String render() {
    Table table = new Table("Configuration", "setting", "value", "from");
    for (EffectiveValue value : values) {
      table.row(value.name(), value.value(), value.source());
    }
    StringBuilder text = new StringBuilder(table.render()).append('\n');
    facts.forEach(fact -> text.append("  ok  ").append(fact).append('\n'));
    findings.forEach(finding -> text.append("  X   ").append(finding).append('\n'));
    return text.append(findings.isEmpty() ? "A rank could start.\n" : "A rank could not start.\n")
        .toString();
  }

  /** The look itself: goes on after a finding as far as it can. */
  private static final class Look {
    private final MlxEnvironment mlx;
    private final Optional<Path> library;
    private final BridgeMembers bridges;
    private final OwnRank ownRank = OwnRank.ofThisMachine();
    private final List<String> facts = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private String backend = "";

    Look(Map<String, String> environment, BridgeMembers bridges) {
      this.bridges = bridges;
      this.mlx = MlxEnvironment.of(environment);
      this.library =
          Optional.ofNullable(environment.get(LIBRARY))
              .filter(name -> !name.isEmpty())
              .map(Path::of);
    }

    void at(String backendName) {
      findings.addAll(mlx.warnings());
      try {
        Backend wanted = Backend.named(backendName);
        EnvironmentInitializer initializer = new EnvironmentInitializer(mlx);
        Optional<Backend> configured = initializer.configured(wanted, false);
        if (wanted == Backend.ANY) {
          initializer.preference().ifPresent(facts::add);
        }
        backend = configured.map(Backend::label).orElse("");
        if (configured.isEmpty()) {
          facts.add("nothing is configured: a group would be one of this process alone");
        } else if (configured.get() == Backend.RING) {
          ring(mlx.requireRing(ownRank));
        } else {
          jaccl(mlx.requireJaccl(true));
        }
        mlx.timeout()
            .ifPresent(timeout -> facts.add("the group has " + seconds(timeout) + " s to form"));
        mlx.key().ifPresent(key -> facts.add("ranks prove that they know the key"));
      } catch (ConfigurationException e) {
        findings.add(e.getMessage());
      }
    }

    private void ring(RingConfiguration configuration) {
      facts.add(
          "rank %d of %d in a TCP ring, %d connections to each neighbour"
              .formatted(
                  configuration.rank(),
                  configuration.hosts().size(),
                  configuration.hosts().connections()));
      configuration
          .hosts()
          .addresses()
          .get(configuration.rank())
          .forEach(address -> listening("accepts its left neighbour at ", address));
    }

    private static String seconds(Duration duration) {
      return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }

    private void listening(String what, HostPort address) {
      if (ownRank.isHere(address.host())) {
        facts.add(what + address);
      } else {
        findings.add(
            what
                + address
                + ", which is no address of this machine; give this rank its own address, or this"
                + " machine its own rank");
      }
    }

    private void jaccl(JacclConfiguration configuration) {
      DeviceMatrix matrix = configuration.devices();
      facts.add("rank %d of %d".formatted(configuration.rank(), matrix.size()));
      configuration
          .coordinator()
          .ifPresent(
              address -> {
                if (configuration.rank() == 0) {
                  listening("listens at ", address);
                } else {
                  facts.add("finds rank 0 at " + address);
                }
              });
      Optional<TopologyChoice> choice = matrix.choose(configuration.preferRing());
      if (choice.isPresent()) {
        facts.add(
            choice.get().topology().name().toLowerCase(Locale.ROOT) + ": " + choice.get().reason());
      } else {
        faults(matrix);
      }
      devices(configuration);
    }

    /** Each fault once, with what it is in the way of. */
    private void faults(DeviceMatrix matrix) {
      Set<String> mesh = details(matrix.meshFaults());
      Set<String> ring = details(matrix.ringFaults());
      Set<String> all = new LinkedHashSet<>(mesh);
      all.addAll(ring);
      for (String fault : all) {
        String obstacle =
            !ring.contains(fault)
                ? "no mesh"
                : mesh.contains(fault) ? "no mesh, no ring" : "no ring";
        findings.add(obstacle + ": " + fault);
      }
      findings.add(
          "the devices form neither a mesh nor a ring; mend the cabling or the device file, which"
              + " topology draws");
    }

    private static Set<String> details(List<TopologyFault> faults) {
      return faults.stream()
          .map(TopologyFault::detail)
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void devices(JacclConfiguration configuration) {
      DeviceSurvey survey = DeviceSurvey.take(library);
      survey.hint().ifPresent(findings::add);
      TreeSet<String> names = new TreeSet<>();
      for (int peer = 0; peer < configuration.devices().size(); peer++) {
        names.addAll(configuration.devices().devices(configuration.rank(), peer));
      }
      for (String name : names) {
        Optional<DeviceSurvey.Device> device =
            survey.devices().stream().filter(each -> each.name().equals(name)).findFirst();
        device.ifPresentOrElse(
            this::device,
            () ->
                findings.add(
                    "there is no device "
                        + name
                        + ", only "
                        + survey.devices().stream().map(DeviceSurvey.Device::name).toList()
                        + "; names can change when cables do: correct the row of rank "
                        + configuration.rank()
                        + " in the device file"));
      }
    }

    private void device(DeviceSurvey.Device device) {
      device.problem().ifPresent(findings::add);
      bridges.finding(device.name()).ifPresent(findings::add);
      device
          .port()
          .ifPresent(
              port -> {
                if (!port.state().equals("ACTIVE")) {
                  findings.add(
                      "device "
                          + device.name()
                          + ": port 1 is "
                          + port.state()
                          + ", want ACTIVE; check the cable, and set the interface up");
                } else if (port.chosenGid() < 0) {
                  findings.add(
                      "device "
                          + device.name()
                          + ": its port has no usable GID; give its network interface an IPv4"
                          + " address");
                } else {
                  facts.add(
                      "device "
                          + device.name()
                          + " is up, "
                          + port.linkLayer()
                          + ", gid index "
                          + port.chosenGid());
                }
              });
    }
  }
}
