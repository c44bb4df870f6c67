package io.jaccl4j.fabric.verbs.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Memory layouts of the structures that cross the library's border, on 64-bit machines. The same on
 * Linux and macOS. Of structures that the library allocates ({@code ibv_context}, {@code ibv_pd},
 * {@code ibv_cq}, {@code ibv_qp}, {@code ibv_mr}) only the head is here: it is read and never
 * allocated.
 */
public final class IbvStructs {
  public static final StructLayout IBV_GID =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("subnet_prefix"), JAVA_LONG.withName("interface_id"))
          .withName("ibv_gid");

  public static final StructLayout IBV_QP_CAP =
      MemoryLayout.structLayout(
              JAVA_INT.withName("max_send_wr"),
              JAVA_INT.withName("max_recv_wr"),
              JAVA_INT.withName("max_send_sge"),
              JAVA_INT.withName("max_recv_sge"),
              JAVA_INT.withName("max_inline_data"))
          .withName("ibv_qp_cap");

  public static final StructLayout IBV_QP_INIT_ATTR =
      MemoryLayout.structLayout(
              ADDRESS.withName("qp_context"),
              ADDRESS.withName("send_cq"),
              ADDRESS.withName("recv_cq"),
              ADDRESS.withName("srq"),
              IBV_QP_CAP.withName("cap"),
              JAVA_INT.withName("qp_type"),
              JAVA_INT.withName("sq_sig_all"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_qp_init_attr");

  public static final StructLayout IBV_GLOBAL_ROUTE =
      MemoryLayout.structLayout(
              IBV_GID.withName("dgid"),
              JAVA_INT.withName("flow_label"),
              JAVA_BYTE.withName("sgid_index"),
              JAVA_BYTE.withName("hop_limit"),
              JAVA_BYTE.withName("traffic_class"),
              MemoryLayout.paddingLayout(1))
          .withName("ibv_global_route");

  public static final StructLayout IBV_AH_ATTR =
      MemoryLayout.structLayout(
              IBV_GLOBAL_ROUTE.withName("grh"),
              JAVA_SHORT.withName("dlid"),
              JAVA_BYTE.withName("sl"),
              JAVA_BYTE.withName("src_path_bits"),
              JAVA_BYTE.withName("static_rate"),
              JAVA_BYTE.withName("is_global"),
              JAVA_BYTE.withName("port_num"),
              MemoryLayout.paddingLayout(1))
          .withName("ibv_ah_attr");

  public static final StructLayout IBV_QP_ATTR =
      MemoryLayout.structLayout(
              JAVA_INT.withName("qp_state"),
              JAVA_INT.withName("cur_qp_state"),
              JAVA_INT.withName("path_mtu"),
              JAVA_INT.withName("path_mig_state"),
              JAVA_INT.withName("qkey"),
              JAVA_INT.withName("rq_psn"),
              JAVA_INT.withName("sq_psn"),
              JAVA_INT.withName("dest_qp_num"),
              JAVA_INT.withName("qp_access_flags"),
              IBV_QP_CAP.withName("cap"),
              IBV_AH_ATTR.withName("ah_attr"),
              IBV_AH_ATTR.withName("alt_ah_attr"),
              JAVA_SHORT.withName("pkey_index"),
              JAVA_SHORT.withName("alt_pkey_index"),
              JAVA_BYTE.withName("en_sqd_async_notify"),
              JAVA_BYTE.withName("sq_draining"),
              JAVA_BYTE.withName("max_rd_atomic"),
              JAVA_BYTE.withName("max_dest_rd_atomic"),
              JAVA_BYTE.withName("min_rnr_timer"),
              JAVA_BYTE.withName("port_num"),
              JAVA_BYTE.withName("timeout"),
              JAVA_BYTE.withName("retry_cnt"),
              JAVA_BYTE.withName("rnr_retry"),
              JAVA_BYTE.withName("alt_port_num"),
              JAVA_BYTE.withName("alt_timeout"),
              MemoryLayout.paddingLayout(1),
              JAVA_INT.withName("rate_limit"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_qp_attr");

  public static final StructLayout IBV_SGE =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("addr"), JAVA_INT.withName("length"), JAVA_INT.withName("lkey"))
          .withName("ibv_sge");

  public static final StructLayout IBV_SEND_WR =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("wr_id"),
              ADDRESS.withName("next"),
              ADDRESS.withName("sg_list"),
              JAVA_INT.withName("num_sge"),
              JAVA_INT.withName("opcode"),
              JAVA_INT.withName("send_flags"),
              JAVA_INT.withName("imm_data"),
              MemoryLayout.paddingLayout(88))
          .withName("ibv_send_wr");

  public static final StructLayout IBV_RECV_WR =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("wr_id"),
              ADDRESS.withName("next"),
              ADDRESS.withName("sg_list"),
              JAVA_INT.withName("num_sge"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_recv_wr");

  public static final StructLayout IBV_WC =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("wr_id"),
              JAVA_INT.withName("status"),
              JAVA_INT.withName("opcode"),
              JAVA_INT.withName("vendor_err"),
              JAVA_INT.withName("byte_len"),
              JAVA_INT.withName("imm_data"),
              JAVA_INT.withName("qp_num"),
              JAVA_INT.withName("src_qp"),
              JAVA_INT.withName("wc_flags"),
              JAVA_SHORT.withName("pkey_index"),
              JAVA_SHORT.withName("slid"),
              JAVA_BYTE.withName("sl"),
              JAVA_BYTE.withName("dlid_path_bits"),
              MemoryLayout.paddingLayout(2))
          .withName("ibv_wc");

  public static final StructLayout IBV_PORT_ATTR =
      MemoryLayout.structLayout(
              JAVA_INT.withName("state"),
              JAVA_INT.withName("max_mtu"),
              JAVA_INT.withName("active_mtu"),
              JAVA_INT.withName("gid_tbl_len"),
              JAVA_INT.withName("port_cap_flags"),
              JAVA_INT.withName("max_msg_sz"),
              JAVA_INT.withName("bad_pkey_cntr"),
              JAVA_INT.withName("qkey_viol_cntr"),
              JAVA_SHORT.withName("pkey_tbl_len"),
              JAVA_SHORT.withName("lid"),
              JAVA_SHORT.withName("sm_lid"),
              JAVA_BYTE.withName("lmc"),
              JAVA_BYTE.withName("max_vl_num"),
              JAVA_BYTE.withName("sm_sl"),
              JAVA_BYTE.withName("subnet_timeout"),
              JAVA_BYTE.withName("init_type_reply"),
              JAVA_BYTE.withName("active_width"),
              JAVA_BYTE.withName("active_speed"),
              JAVA_BYTE.withName("phys_state"),
              JAVA_BYTE.withName("link_layer"),
              JAVA_BYTE.withName("flags"),
              JAVA_SHORT.withName("port_cap_flags2"),
              MemoryLayout.paddingLayout(2))
          .withName("ibv_port_attr");

  public static final StructLayout IBV_DEVICE_ATTR =
      MemoryLayout.structLayout(
              MemoryLayout.sequenceLayout(64, JAVA_BYTE).withName("fw_ver"),
              JAVA_LONG.withName("node_guid"),
              JAVA_LONG.withName("sys_image_guid"),
              JAVA_LONG.withName("max_mr_size"),
              JAVA_LONG.withName("page_size_cap"),
              JAVA_INT.withName("vendor_id"),
              JAVA_INT.withName("vendor_part_id"),
              JAVA_INT.withName("hw_ver"),
              JAVA_INT.withName("max_qp"),
              JAVA_INT.withName("max_qp_wr"),
              JAVA_INT.withName("device_cap_flags"),
              JAVA_INT.withName("max_sge"),
              JAVA_INT.withName("max_sge_rd"),
              JAVA_INT.withName("max_cq"),
              JAVA_INT.withName("max_cqe"),
              JAVA_INT.withName("max_mr"),
              JAVA_INT.withName("max_pd"),
              MemoryLayout.paddingLayout(83),
              JAVA_BYTE.withName("phys_port_cnt"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_device_attr");

  public static final StructLayout IBV_ASYNC_EVENT =
      MemoryLayout.structLayout(
              ADDRESS.withName("element"),
              JAVA_INT.withName("event_type"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_async_event");

  /** The table of functions that the header's inline functions call. */
  public static final StructLayout IBV_CONTEXT_OPS =
      MemoryLayout.structLayout(
              MemoryLayout.paddingLayout(88),
              ADDRESS.withName("poll_cq"),
              ADDRESS.withName("req_notify_cq"),
              MemoryLayout.paddingLayout(96),
              ADDRESS.withName("post_send"),
              ADDRESS.withName("post_recv"),
              MemoryLayout.paddingLayout(40))
          .withName("ibv_context_ops");

  public static final StructLayout IBV_CONTEXT =
      MemoryLayout.structLayout(
              ADDRESS.withName("device"),
              IBV_CONTEXT_OPS.withName("ops"),
              JAVA_INT.withName("cmd_fd"),
              JAVA_INT.withName("async_fd"),
              JAVA_INT.withName("num_comp_vectors"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_context");

  public static final StructLayout IBV_COMP_CHANNEL =
      MemoryLayout.structLayout(
              ADDRESS.withName("context"), JAVA_INT.withName("fd"), JAVA_INT.withName("refcnt"))
          .withName("ibv_comp_channel");

  public static final StructLayout IBV_QP =
      MemoryLayout.structLayout(
              ADDRESS.withName("context"),
              ADDRESS.withName("qp_context"),
              ADDRESS.withName("pd"),
              ADDRESS.withName("send_cq"),
              ADDRESS.withName("recv_cq"),
              ADDRESS.withName("srq"),
              JAVA_INT.withName("handle"),
              JAVA_INT.withName("qp_num"),
              JAVA_INT.withName("state"),
              JAVA_INT.withName("qp_type"))
          .withName("ibv_qp");

  public static final StructLayout IBV_MR =
      MemoryLayout.structLayout(
              ADDRESS.withName("context"),
              ADDRESS.withName("pd"),
              ADDRESS.withName("addr"),
              JAVA_LONG.withName("length"),
              JAVA_INT.withName("handle"),
              JAVA_INT.withName("lkey"),
              JAVA_INT.withName("rkey"),
              MemoryLayout.paddingLayout(4))
          .withName("ibv_mr");

  /** Structures that this side allocates: their whole size counts. */
  public static final List<StructLayout> ALLOCATED_HERE =
      List.of(
          IBV_GID,
          IBV_QP_CAP,
          IBV_QP_INIT_ATTR,
          IBV_GLOBAL_ROUTE,
          IBV_AH_ATTR,
          IBV_QP_ATTR,
          IBV_SGE,
          IBV_SEND_WR,
          IBV_RECV_WR,
          IBV_WC,
          IBV_PORT_ATTR,
          IBV_DEVICE_ATTR,
          IBV_ASYNC_EVENT);

  /** Structures whose head is read. */
  public static final List<StructLayout> READ_ONLY =
      List.of(IBV_CONTEXT, IBV_CONTEXT_OPS, IBV_COMP_CHANNEL, IBV_QP, IBV_MR);

  private IbvStructs() {}

  /** Where a field is, by the names of the header, a dot between levels. */
  public static long offset(StructLayout struct, String path) {
    MemoryLayout.PathElement[] elements =
        Arrays.stream(path.split("\\."))
            .map(MemoryLayout.PathElement::groupElement)
            .toArray(MemoryLayout.PathElement[]::new);
    return struct.byteOffset(elements);
  }
}
