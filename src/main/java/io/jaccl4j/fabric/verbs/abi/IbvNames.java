package io.jaccl4j.fabric.verbs.abi;

import java.util.Map;

/** Names of the header's numbers, for people. */
public final class IbvNames {
  private static final Map<Integer, String> STATUS =
      Map.ofEntries(
          Map.entry(0, "IBV_WC_SUCCESS"),
          Map.entry(1, "IBV_WC_LOC_LEN_ERR"),
          Map.entry(2, "IBV_WC_LOC_QP_OP_ERR"),
          Map.entry(3, "IBV_WC_LOC_EEC_OP_ERR"),
          Map.entry(4, "IBV_WC_LOC_PROT_ERR"),
          Map.entry(5, "IBV_WC_WR_FLUSH_ERR"),
          Map.entry(6, "IBV_WC_MW_BIND_ERR"),
          Map.entry(7, "IBV_WC_BAD_RESP_ERR"),
          Map.entry(8, "IBV_WC_LOC_ACCESS_ERR"),
          Map.entry(9, "IBV_WC_REM_INV_REQ_ERR"),
          Map.entry(10, "IBV_WC_REM_ACCESS_ERR"),
          Map.entry(11, "IBV_WC_REM_OP_ERR"),
          Map.entry(12, "IBV_WC_RETRY_EXC_ERR"),
          Map.entry(13, "IBV_WC_RNR_RETRY_EXC_ERR"),
          Map.entry(19, "IBV_WC_FATAL_ERR"),
          Map.entry(20, "IBV_WC_RESP_TIMEOUT_ERR"),
          Map.entry(21, "IBV_WC_GENERAL_ERR"));

  private static final Map<Integer, String> STATUS_HINTS =
      Map.of(
          1, "the peer sent a longer message than was awaited; do all ranks run the same settings?",
          12,
              "the peer does not answer: its process has ended, or the network between the two is down",
          13, "the peer posts no receives: it hangs, or runs other operations");

  private static final Map<Integer, String> PORT_STATES =
      Map.of(0, "NOP", 1, "DOWN", 2, "INIT", 3, "ARMED", 4, "ACTIVE", 5, "ACTIVE_DEFER");

  private static final Map<Integer, String> LINK_LAYERS =
      Map.of(0, "unspecified", 1, "InfiniBand", 2, "Ethernet", 100, "Thunderbolt");

  private static final Map<Integer, String> EVENTS =
      Map.ofEntries(
          Map.entry(0, "IBV_EVENT_CQ_ERR"),
          Map.entry(1, "IBV_EVENT_QP_FATAL"),
          Map.entry(2, "IBV_EVENT_QP_REQ_ERR"),
          Map.entry(3, "IBV_EVENT_QP_ACCESS_ERR"),
          Map.entry(4, "IBV_EVENT_COMM_EST"),
          Map.entry(5, "IBV_EVENT_SQ_DRAINED"),
          Map.entry(6, "IBV_EVENT_PATH_MIG"),
          Map.entry(7, "IBV_EVENT_PATH_MIG_ERR"),
          Map.entry(8, "IBV_EVENT_DEVICE_FATAL"),
          Map.entry(9, "IBV_EVENT_PORT_ACTIVE"),
          Map.entry(10, "IBV_EVENT_PORT_ERR"),
          Map.entry(11, "IBV_EVENT_LID_CHANGE"),
          Map.entry(12, "IBV_EVENT_PKEY_CHANGE"),
          Map.entry(13, "IBV_EVENT_SM_CHANGE"),
          Map.entry(16, "IBV_EVENT_QP_LAST_WQE_REACHED"),
          Map.entry(17, "IBV_EVENT_CLIENT_REREGISTER"),
          Map.entry(18, "IBV_EVENT_GID_CHANGE"));

  private IbvNames() {}

  public static String status(int status) {
    return STATUS.getOrDefault(status, "unknown") + " (" + status + ")";
  }

  /** What a status may mean; begins with a separator, or is empty. */
  public static String statusHint(int status) {
    String hint = STATUS_HINTS.get(status);
    return hint == null ? "" : ": " + hint;
  }

  public static String portState(int state) {
    return PORT_STATES.getOrDefault(state, "state " + state);
  }

  public static String linkLayer(int linkLayer) {
    return LINK_LAYERS.getOrDefault(linkLayer, "link layer " + linkLayer);
  }

  public static String event(int type) {
    return EVENTS.getOrDefault(type, "event") + " (" + type + ")";
  }

  public static String queuePair(int type) {
    return switch (type) {
      case IbvConstants.IBV_QPT_RC -> "RC";
      case IbvConstants.IBV_QPT_UC -> "UC";
      default -> "type " + type;
    };
  }

  /** Bytes of an MTU of the header, which counts in powers of two. */
  public static int mtuBytes(int mtu) {
    return mtu >= 1 && mtu <= 5 ? 128 << mtu : 0;
  }
}
