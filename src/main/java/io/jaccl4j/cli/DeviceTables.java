package io.jaccl4j.cli;

import io.jaccl4j.fabric.verbs.DeviceSurvey;
import io.jaccl4j.fabric.verbs.DeviceSurvey.Device;
import io.jaccl4j.fabric.verbs.DeviceSurvey.GidEntry;
import io.jaccl4j.fabric.verbs.DeviceSurvey.Limits;
import io.jaccl4j.fabric.verbs.DeviceSurvey.Port;

/** A survey of devices as tables. */
final class DeviceTables {
  private DeviceTables() {}

  static String render(DeviceSurvey survey) {
    if (survey.devices().isEmpty()) {
      return survey.hint().orElse("there is no RDMA device") + "\n";
    }
    return devices(survey) + "\n" + gids(survey) + "\n" + limits(survey);
  }

  private static String devices(DeviceSurvey survey) {
    Table table =
        new Table(
            "RDMA devices", "device", "guid", "port 1", "link layer", "mtu", "max mtu", "lid");
    StringBuilder problems = new StringBuilder();
    for (Device device : survey.devices()) {
      device
          .port()
          .ifPresent(
              port ->
                  table.row(
                      device.name(),
                      device.guid(),
                      port.state(),
                      port.linkLayer(),
                      port.activeMtuBytes(),
                      port.maxMtuBytes(),
                      port.lid()));
      device.problem().ifPresent(problem -> problems.append(problem).append('\n'));
    }
    return table.render() + problems;
  }

  private static String gids(DeviceSurvey survey) {
    Table table =
        new Table(
            "Addresses of their ports", "device", "index", "gid", "type", "interface", "taken");
    for (Device device : survey.devices()) {
      device.port().ifPresent(port -> addGids(table, device.name(), port));
    }
    return table
        .note(
            "A group addresses a port by the GID that is marked, unless jaccl4j.verbs.gid-index says"
                + " otherwise.")
        .render();
  }

  private static void addGids(Table table, String device, Port port) {
    for (GidEntry gid : port.gids()) {
      table.row(
          device,
          gid.index(),
          gid.address(),
          gid.type(),
          gid.networkInterface(),
          gid.index() == port.chosenGid() ? "yes" : "");
    }
  }

  private static String limits(DeviceSurvey survey) {
    Table table =
        new Table(
            "Limits",
            "device",
            "queue pairs",
            "work requests",
            "completions",
            "regions",
            "bytes of a region");
    for (Device device : survey.devices()) {
      device.limits().ifPresent(limits -> addLimits(table, device.name(), limits));
    }
    return table.render();
  }

  private static void addLimits(Table table, String device, Limits limits) {
    table.row(
        device,
        limits.queuePairs(),
        limits.workRequests(),
        limits.completionEntries(),
        limits.memoryRegions(),
        limits.regionBytes());
  }
}
