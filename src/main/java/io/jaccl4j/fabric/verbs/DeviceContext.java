package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OperatingSystem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** An open device, and what it says of itself. One port per device is used, the first. */
final class DeviceContext implements AutoCloseable {
  static final byte PORT = 1;

  /** Tables can have thousands of entries, all empty but the first few. */
  private static final int MAX_GIDS_SCANNED = 128;

  /** On Thunderbolt every look at an entry is slow, and the table claims to be huge. */
  private static final int MAX_GIDS_SCANNED_THUNDERBOLT = 16;

  private final Ibverbs verbs;
  private final String name;
  private final long guid;
  private final NativeObject context;

  private DeviceContext(Ibverbs verbs, String name, long guid, NativeObject context) {
    this.verbs = verbs;
    this.name = name;
    this.guid = guid;
    this.context = context;
  }

  /**
   * Names of the devices that the library lists.
   *
   * @throws FabricException if it cannot list any, for another reason than that there are none
   */
  static List<String> names(Ibverbs verbs) {
    List<String> names = new ArrayList<>();
    eachDevice(verbs, device -> names.add(nameOf(verbs, device)));
    return names;
  }

  /** Opens a device; the caller has seen its name in the list. */
  static DeviceContext open(Ibverbs verbs, String name) {
    List<DeviceContext> opened = new ArrayList<>();
    eachDevice(
        verbs,
        device -> {
          if (opened.isEmpty() && nameOf(verbs, device).equals(name)) {
            opened.add(openDevice(verbs, name, device));
          }
        });
    if (opened.isEmpty()) {
      throw new FabricException("device " + name + " has gone from the list of devices", null);
    }
    return opened.getFirst();
  }

  private static DeviceContext openDevice(Ibverbs verbs, String name, MemorySegment device) {
    // An integer in network order, as the library keeps it.
    long guid =
        verbs.has("ibv_get_device_guid") ? Long.reverseBytes(verbs.ibv_get_device_guid(device)) : 0;
    NativeObject context =
        NativeObject.make(
            verbs,
            name,
            "ibv_open_device",
            () -> verbs.ibv_open_device(device),
            () -> "; may this user use it, and is its driver loaded?",
            "ibv_close_device",
            verbs::ibv_close_device);
    return new DeviceContext(verbs, name, guid, context);
  }

  @SuppressWarnings("restricted") // The library's own array, whose length it has just told.
  private static void eachDevice(Ibverbs verbs, Consumer<MemorySegment> action) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      MemorySegment list = verbs.ibv_get_device_list(count);
      if (list.equals(MemorySegment.NULL)) {
        int errno = verbs.errno();
        if (!Errno.isNoSuchCall(errno)) {
          throw new FabricException(
              "ibv_get_device_list failed with "
                  + Errno.describe(errno)
                  + "; may this user use RDMA devices? "
                  + OperatingSystem.current().remedy(),
              null);
        }
        // How a system without RDMA in its kernel answers: no devices.
        return;
      }
      try {
        int devices = count.get(JAVA_INT, 0);
        MemorySegment array = list.reinterpret(devices * ADDRESS.byteSize());
        for (int i = 0; i < devices; i++) {
          MemorySegment device = array.getAtIndex(ADDRESS, i);
          if (!device.equals(MemorySegment.NULL)) {
            action.accept(device);
          }
        }
      } finally {
        verbs.ibv_free_device_list(list);
      }
    }
  }

  @SuppressWarnings("restricted") // A C string inside the library's device.
  private static String nameOf(Ibverbs verbs, MemorySegment device) {
    MemorySegment name = verbs.ibv_get_device_name(device);
    return name.equals(MemorySegment.NULL) ? "?" : name.reinterpret(64).getString(0);
  }

  Ibverbs verbs() {
    return verbs;
  }

  String name() {
    return name;
  }

  long guid() {
    return guid;
  }

  MemorySegment pointer() {
    return context.pointer();
  }

  DeviceLimits limits() {
    if (!verbs.has("ibv_query_device")) {
      return DeviceLimits.UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(IbvStructs.IBV_DEVICE_ATTR);
      check("ibv_query_device", verbs.ibv_query_device(pointer(), attr));
      return DeviceLimits.read(attr);
    }
  }

  PortState port() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(IbvStructs.IBV_PORT_ATTR);
      check("ibv_query_port", verbs.ibv_query_port(pointer(), PORT, attr));
      return PortState.read(attr);
    }
  }

  /** The entries of the port's table that can be read and are not empty. */
  List<Gid> gids(PortState port) {
    int scanned =
        Math.min(
            port.gidTableLength(),
            port.isThunderbolt() ? MAX_GIDS_SCANNED_THUNDERBOLT : MAX_GIDS_SCANNED);
    List<Gid> gids = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment raw = arena.allocate(IbvStructs.IBV_GID);
      for (int index = 0; index < scanned; index++) {
        raw.fill((byte) 0);
        if (verbs.ibv_query_gid(pointer(), PORT, index, raw) == 0) {
          Gid gid =
              new Gid(
                  index,
                  Gid.read(raw),
                  GidAttributes.type(name, index),
                  GidAttributes.interfaceName(name, index));
          if (!gid.isZero()) {
            gids.add(gid);
          }
        }
      }
    }
    return gids;
  }

  private void check(String call, int errno) {
    if (errno != 0) {
      // Some libraries return -1 and set errno.
      int number = errno < 0 ? verbs.errno() : errno;
      throw new FabricException(
          "device " + name + ": " + call + " failed with " + Errno.describe(number), null);
    }
  }

  /** Idempotent. Everything made of it must be destroyed before. */
  @Override
  public void close() {
    context.destroy();
  }
}
