package io.jaccl4j.cli;

import io.jaccl4j.Backend;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.EffectiveValue;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.config.mlx.OwnRank;
import io.jaccl4j.config.mlx.RingConfiguration;
import io.jaccl4j.fabric.verbs.DeviceSurvey;
import io.jaccl4j.topology.DeviceMatrix;
import io.jaccl4j.topology.TopologyChoice;
import io.jaccl4j.topology.TopologyFault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

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
    Look look = new Look(environment);
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
    private final List<String> facts = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private String backend = "";

    Look(Map<String, String> environment) {
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
        boolean ring = mlx.hostfile().isPresent();
        boolean jaccl = mlx.deviceFile().isPresent() || mlx.coordinator().isPresent();
        if (wanted == Backend.RING || (wanted == Backend.ANY && ring)) {
          backend = Backend.RING.label();
          ring(mlx.requireRing(OwnRank.ofThisMachine()));
        } else if (wanted == Backend.JACCL || jaccl) {
          backend = Backend.JACCL.label();
          jaccl(mlx.requireJaccl(true));
        } else {
          facts.add("nothing is configured: a group would be one of this process alone");
        }
        mlx.timeout().ifPresent(timeout -> facts.add("the group has " + timeout + " to form"));
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
          .forEach(address -> facts.add("accepts its left neighbour at " + address));
    }

    private void jaccl(JacclConfiguration configuration) {
      DeviceMatrix matrix = configuration.devices();
      facts.add("rank %d of %d".formatted(configuration.rank(), matrix.size()));
      configuration
          .coordinator()
          .ifPresent(
              address ->
                  facts.add(
                      (configuration.rank() == 0 ? "listens at " : "finds rank 0 at ") + address));
      Optional<TopologyChoice> choice = matrix.choose(configuration.preferRing());
      if (choice.isPresent()) {
        facts.add(
            choice.get().topology().name().toLowerCase(Locale.ROOT) + ": " + choice.get().reason());
      } else {
        matrix.meshFaults().stream()
            .map(TopologyFault::toString)
            .forEach(fault -> findings.add("no mesh: " + fault));
        matrix.ringFaults().stream()
            .map(TopologyFault::toString)
            .forEach(fault -> findings.add("no ring: " + fault));
      }
      devices(configuration);
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
                        + "; names can change when cables do"));
      }
    }

    private void device(DeviceSurvey.Device device) {
      device.problem().ifPresent(findings::add);
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
