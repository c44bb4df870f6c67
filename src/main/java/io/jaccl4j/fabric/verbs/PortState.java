package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * What a port says of itself.
 *
 * @param state of the header's port states
 * @param activeMtu of the header's MTUs
 * @param maxMtu of the header's MTUs
 * @param lid local identifier, 0 on Ethernet and Thunderbolt
 * @param linkLayer of the header's link layers
 * @param maxMessageBytes of one message; unsigned
 * @param gidTableLength entries of the GID table
 */
record PortState(
    int state,
    int activeMtu,
    int maxMtu,
    int lid,
    int linkLayer,
    long maxMessageBytes,
    int gidTableLength) {

  static PortState read(MemorySegment attr) {
    StructLayout layout = IbvStructs.IBV_PORT_ATTR;
    return new PortState(
        attr.get(JAVA_INT, IbvStructs.offset(layout, "state")),
        attr.get(JAVA_INT, IbvStructs.offset(layout, "active_mtu")),
        attr.get(JAVA_INT, IbvStructs.offset(layout, "max_mtu")),
        Short.toUnsignedInt(attr.get(JAVA_SHORT, IbvStructs.offset(layout, "lid"))),
        Byte.toUnsignedInt(attr.get(JAVA_BYTE, IbvStructs.offset(layout, "link_layer"))),
        Integer.toUnsignedLong(attr.get(JAVA_INT, IbvStructs.offset(layout, "max_msg_sz"))),
        attr.get(JAVA_INT, IbvStructs.offset(layout, "gid_tbl_len")));
  }

  boolean isActive() {
    return state == IbvConstants.IBV_PORT_ACTIVE;
  }

  boolean isThunderbolt() {
    return linkLayer == IbvConstants.IBV_LINK_LAYER_THUNDERBOLT;
  }

  /** On InfiniBand ports are addressed by LID, elsewhere by GID. */
  boolean needsGid() {
    return linkLayer != IbvConstants.IBV_LINK_LAYER_INFINIBAND;
  }
}
