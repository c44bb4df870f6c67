package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * One queue pair, from its creation to {@code RTS} and to its end. Attributes and masks are JACCL's
 * for unreliable connections; reliable ones add what the header demands of them.
 */
final class QueuePair {
  private static final StructLayout ATTR = IbvStructs.IBV_QP_ATTR;
  private static final int INIT_MASK =
      IbvConstants.IBV_QP_STATE
          | IbvConstants.IBV_QP_PKEY_INDEX
          | IbvConstants.IBV_QP_PORT
          | IbvConstants.IBV_QP_ACCESS_FLAGS;
  private static final int RTR_MASK =
      IbvConstants.IBV_QP_STATE
          | IbvConstants.IBV_QP_AV
          | IbvConstants.IBV_QP_PATH_MTU
          | IbvConstants.IBV_QP_DEST_QPN
          | IbvConstants.IBV_QP_RQ_PSN;
  private static final int RTR_RC_MASK =
      IbvConstants.IBV_QP_MIN_RNR_TIMER | IbvConstants.IBV_QP_MAX_DEST_RD_ATOMIC;
  private static final int RTS_MASK = IbvConstants.IBV_QP_STATE | IbvConstants.IBV_QP_SQ_PSN;
  private static final int RTS_RC_MASK =
      IbvConstants.IBV_QP_TIMEOUT
          | IbvConstants.IBV_QP_RETRY_CNT
          | IbvConstants.IBV_QP_RNR_RETRY
          | IbvConstants.IBV_QP_MAX_QP_RD_ATOMIC;

  /** Of the header's table: 0.64 ms between two tries at a peer that has no receive posted. */
  private static final byte MIN_RNR_TIMER = 12;

  private static final byte RETRIES = 7;

  /** Of the header: for ever. The operation's deadline ends it. */
  private static final byte RNR_RETRY_FOR_EVER = 7;

  /** Two hosts on one link, as in JACCL; a routed network needs more. */
  private static final byte HOP_LIMIT_UNROUTED = 1;

  private static final byte HOP_LIMIT_ROUTED = 64;

  private final DeviceContext context;
  private final QueuePairPlan plan;
  private final String link;
  private final NativeObject object;
  private final int number;

  /**
   * Creates one, in {@code RESET}.
   *
   * @param link which link it is for, for errors
   */
  QueuePair(
      DeviceContext context,
      NativeObject protectionDomain,
      CompletionQueue completions,
      QueuePairPlan plan,
      String link) {
    this.context = context;
    this.plan = plan;
    this.link = link;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = initAttributes(arena, completions, plan);
      this.object =
          NativeObject.make(
              context.verbs(),
              context.name(),
              "ibv_create_qp",
              () -> context.verbs().ibv_create_qp(protectionDomain.pointer(), attr),
              () ->
                  " for "
                      + link
                      + " ("
                      + plan.describe()
                      + "); too many queue pairs in use, or a type that the device does not have"
                      + " (jaccl4j.verbs.queue-pair)",
              "ibv_destroy_qp",
              context.verbs()::ibv_destroy_qp);
      this.number = numberOf(object.pointer());
      try {
        if (context.verbs().has("ibv_query_qp")) {
          checkDepth(arena, attr);
        }
      } catch (RuntimeException e) {
        object.destroy();
        throw e;
      }
    }
  }

  private static MemorySegment initAttributes(
      Arena arena, CompletionQueue completions, QueuePairPlan plan) {
    StructLayout layout = IbvStructs.IBV_QP_INIT_ATTR;
    MemorySegment attr = arena.allocate(layout);
    attr.set(ADDRESS, IbvStructs.offset(layout, "send_cq"), completions.pointer());
    attr.set(ADDRESS, IbvStructs.offset(layout, "recv_cq"), completions.pointer());
    attr.set(JAVA_INT, IbvStructs.offset(layout, "cap.max_send_wr"), plan.sends());
    attr.set(JAVA_INT, IbvStructs.offset(layout, "cap.max_recv_wr"), plan.receives());
    attr.set(JAVA_INT, IbvStructs.offset(layout, "cap.max_send_sge"), 1);
    attr.set(JAVA_INT, IbvStructs.offset(layout, "cap.max_recv_sge"), 1);
    attr.set(JAVA_INT, IbvStructs.offset(layout, "qp_type"), plan.type());
    return attr;
  }

  @SuppressWarnings("restricted") // The head of the library's own structure.
  private static int numberOf(MemorySegment queuePair) {
    return queuePair
        .reinterpret(IbvStructs.IBV_QP.byteSize())
        .get(JAVA_INT, IbvStructs.offset(IbvStructs.IBV_QP, "qp_num"));
  }

  /** A provider may grant less than was asked for. */
  private void checkDepth(Arena arena, MemorySegment initAttr) {
    MemorySegment attr = arena.allocate(ATTR);
    int result =
        context.verbs().ibv_query_qp(object.pointer(), attr, IbvConstants.IBV_QP_CAP, initAttr);
    if (result != 0) {
      throw failed("ibv_query_qp", result < 0 ? context.verbs().errno() : result, "");
    }
    int sends = attr.get(JAVA_INT, IbvStructs.offset(ATTR, "cap.max_send_wr"));
    int receives = attr.get(JAVA_INT, IbvStructs.offset(ATTR, "cap.max_recv_wr"));
    if (sends < plan.sends() || receives < plan.receives()) {
      throw new FabricException(
          "device "
              + context.name()
              + ": the queue pair for "
              + link
              + " got room for "
              + sends
              + " sends and "
              + receives
              + " receives, want "
              + plan.sends()
              + " and "
              + plan.receives(),
          null);
    }
  }

  MemorySegment pointer() {
    return object.pointer();
  }

  int number() {
    return number;
  }

  /** {@code RESET} to {@code INIT}. */
  void init() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR);
      set(attr, "qp_state", IbvConstants.IBV_QPS_INIT);
      set(attr, "port_num", DeviceContext.PORT);
      // No access flags: nobody writes into this rank's memory or reads it.
      int errno = context.verbs().ibv_modify_qp(object.pointer(), attr, INIT_MASK);
      if (errno == Errno.EINVAL) {
        // JACCL asks for all, and a provider may know nothing else.
        set(attr, "qp_access_flags", SlabRegions.ALL_ACCESS);
        modify(attr, INIT_MASK, "INIT", "");
      } else if (errno != 0) {
        throw failed("ibv_modify_qp to INIT", errno < 0 ? context.verbs().errno() : errno, "");
      }
    }
  }

  /**
   * {@code INIT} over {@code RTR} to {@code RTS}.
   *
   * @param local address of this queue pair
   * @param localGidIndex where the GID of the local address is in the port's table
   * @param peer address of the other
   * @param mtu of the header's MTUs
   */
  void connect(QueuePairAddress local, int localGidIndex, QueuePairAddress peer, int mtu) {
    boolean reliable = plan.type() == IbvConstants.IBV_QPT_RC;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR);
      set(attr, "qp_state", IbvConstants.IBV_QPS_RTR);
      set(attr, "path_mtu", mtu);
      set(attr, "dest_qp_num", peer.number());
      set(attr, "rq_psn", peer.psn());
      setRoute(attr, localGidIndex, peer);
      int mask = RTR_MASK;
      if (reliable) {
        set(attr, "max_dest_rd_atomic", (byte) 1);
        set(attr, "min_rnr_timer", MIN_RNR_TIMER);
        mask |= RTR_RC_MASK;
      }
      modify(attr, mask, "RTR", " (peer's " + peer + ", from gid index " + localGidIndex + ")");

      attr.fill((byte) 0);
      set(attr, "qp_state", IbvConstants.IBV_QPS_RTS);
      set(attr, "sq_psn", local.psn());
      mask = RTS_MASK;
      if (reliable) {
        set(attr, "timeout", plan.timeoutExponent());
        set(attr, "retry_cnt", RETRIES);
        set(attr, "rnr_retry", RNR_RETRY_FOR_EVER);
        set(attr, "max_rd_atomic", (byte) 1);
        mask |= RTS_RC_MASK;
      }
      modify(attr, mask, "RTS", "");
    }
  }

  private void setRoute(MemorySegment attr, int localGidIndex, QueuePairAddress peer) {
    attr.set(JAVA_SHORT, IbvStructs.offset(ATTR, "ah_attr.dlid"), (short) peer.lid());
    set(attr, "ah_attr.port_num", DeviceContext.PORT);
    if (peer.isGlobal()) {
      set(attr, "ah_attr.is_global", (byte) 1);
      MemorySegment.copy(
          peer.gid(),
          0,
          attr,
          ValueLayout.JAVA_BYTE,
          IbvStructs.offset(ATTR, "ah_attr.grh.dgid"),
          Gid.BYTES);
      set(attr, "ah_attr.grh.sgid_index", (byte) localGidIndex);
      set(
          attr,
          "ah_attr.grh.hop_limit",
          plan.type() == IbvConstants.IBV_QPT_UC ? HOP_LIMIT_UNROUTED : HOP_LIMIT_ROUTED);
    }
  }

  private static void set(MemorySegment attr, String field, int value) {
    attr.set(JAVA_INT, IbvStructs.offset(ATTR, field), value);
  }

  private static void set(MemorySegment attr, String field, byte value) {
    attr.set(JAVA_BYTE, IbvStructs.offset(ATTR, field), value);
  }

  private void modify(MemorySegment attr, int mask, String state, String details) {
    int errno = context.verbs().ibv_modify_qp(object.pointer(), attr, mask);
    if (errno != 0) {
      throw failed(
          "ibv_modify_qp to " + state,
          errno < 0 ? context.verbs().errno() : errno,
          details + hint(state, errno));
    }
  }

  private static String hint(String state, int errno) {
    if (!state.equals("RTR")) {
      return "";
    }
    return switch (errno) {
      case Errno.EINVAL -> "; is the GID still there, and the interface out of any bridge?";
      case Errno.EBUSY ->
          "; stale resources of an earlier process: a restart of the machine may be needed";
      default -> "; is the peer's address reachable from this port?";
    };
  }

  private FabricException failed(String call, int errno, String details) {
    return new FabricException(
        "device "
            + context.name()
            + ": "
            + call
            + " failed for "
            + link
            + " with "
            + Errno.describe(errno)
            + details,
        null);
  }

  /** Idempotent. From any state, directly: a detour over {@code ERR} wedges Apple's provider. */
  void destroy() {
    object.destroy();
  }
}
