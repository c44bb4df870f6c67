/*
 * Prints sizes, offsets and values of the interface, one per line, for a comparison with the layouts
 * that jaccl4j uses:
 *
 *     size STRUCT BYTES
 *     offset STRUCT FIELD BYTES
 *     value NAME NUMBER
 *
 * cc -o probe layout-probe.c             our own declarations
 * cc -DSYSTEM -o probe layout-probe.c    the system's <infiniband/verbs.h>
 */
#include <stdio.h>

#ifdef SYSTEM
#include <infiniband/verbs.h>
#else
#include "verbs_subset.h"
#endif

#define SIZE(s) printf("size %s %zu\n", #s, sizeof(struct s))
#define OFFSET(s, f) printf("offset %s %s %zu\n", #s, #f, offsetof(struct s, f))
#define VALUE(v) printf("value %s %d\n", #v, (int)(v))

int main(void) {
  printf("size ibv_gid %zu\n", sizeof(union ibv_gid));
  printf("offset ibv_gid subnet_prefix %zu\n", offsetof(union ibv_gid, global.subnet_prefix));
  printf("offset ibv_gid interface_id %zu\n", offsetof(union ibv_gid, global.interface_id));

  SIZE(ibv_qp_cap);
  OFFSET(ibv_qp_cap, max_send_wr);
  OFFSET(ibv_qp_cap, max_recv_wr);
  OFFSET(ibv_qp_cap, max_send_sge);
  OFFSET(ibv_qp_cap, max_recv_sge);
  OFFSET(ibv_qp_cap, max_inline_data);

  SIZE(ibv_qp_init_attr);
  OFFSET(ibv_qp_init_attr, qp_context);
  OFFSET(ibv_qp_init_attr, send_cq);
  OFFSET(ibv_qp_init_attr, recv_cq);
  OFFSET(ibv_qp_init_attr, srq);
  OFFSET(ibv_qp_init_attr, cap);
  OFFSET(ibv_qp_init_attr, qp_type);
  OFFSET(ibv_qp_init_attr, sq_sig_all);

  SIZE(ibv_global_route);
  OFFSET(ibv_global_route, dgid);
  OFFSET(ibv_global_route, flow_label);
  OFFSET(ibv_global_route, sgid_index);
  OFFSET(ibv_global_route, hop_limit);
  OFFSET(ibv_global_route, traffic_class);

  SIZE(ibv_ah_attr);
  OFFSET(ibv_ah_attr, grh);
  OFFSET(ibv_ah_attr, dlid);
  OFFSET(ibv_ah_attr, sl);
  OFFSET(ibv_ah_attr, src_path_bits);
  OFFSET(ibv_ah_attr, static_rate);
  OFFSET(ibv_ah_attr, is_global);
  OFFSET(ibv_ah_attr, port_num);

  SIZE(ibv_qp_attr);
  OFFSET(ibv_qp_attr, qp_state);
  OFFSET(ibv_qp_attr, cur_qp_state);
  OFFSET(ibv_qp_attr, path_mtu);
  OFFSET(ibv_qp_attr, path_mig_state);
  OFFSET(ibv_qp_attr, qkey);
  OFFSET(ibv_qp_attr, rq_psn);
  OFFSET(ibv_qp_attr, sq_psn);
  OFFSET(ibv_qp_attr, dest_qp_num);
  OFFSET(ibv_qp_attr, qp_access_flags);
  OFFSET(ibv_qp_attr, cap);
  OFFSET(ibv_qp_attr, ah_attr);
  OFFSET(ibv_qp_attr, alt_ah_attr);
  OFFSET(ibv_qp_attr, pkey_index);
  OFFSET(ibv_qp_attr, alt_pkey_index);
  OFFSET(ibv_qp_attr, en_sqd_async_notify);
  OFFSET(ibv_qp_attr, sq_draining);
  OFFSET(ibv_qp_attr, max_rd_atomic);
  OFFSET(ibv_qp_attr, max_dest_rd_atomic);
  OFFSET(ibv_qp_attr, min_rnr_timer);
  OFFSET(ibv_qp_attr, port_num);
  OFFSET(ibv_qp_attr, timeout);
  OFFSET(ibv_qp_attr, retry_cnt);
  OFFSET(ibv_qp_attr, rnr_retry);
  OFFSET(ibv_qp_attr, alt_port_num);
  OFFSET(ibv_qp_attr, alt_timeout);
  OFFSET(ibv_qp_attr, rate_limit);

  SIZE(ibv_sge);
  OFFSET(ibv_sge, addr);
  OFFSET(ibv_sge, length);
  OFFSET(ibv_sge, lkey);

  SIZE(ibv_send_wr);
  OFFSET(ibv_send_wr, wr_id);
  OFFSET(ibv_send_wr, next);
  OFFSET(ibv_send_wr, sg_list);
  OFFSET(ibv_send_wr, num_sge);
  OFFSET(ibv_send_wr, opcode);
  OFFSET(ibv_send_wr, send_flags);
  OFFSET(ibv_send_wr, imm_data);

  SIZE(ibv_recv_wr);
  OFFSET(ibv_recv_wr, wr_id);
  OFFSET(ibv_recv_wr, next);
  OFFSET(ibv_recv_wr, sg_list);
  OFFSET(ibv_recv_wr, num_sge);

  SIZE(ibv_wc);
  OFFSET(ibv_wc, wr_id);
  OFFSET(ibv_wc, status);
  OFFSET(ibv_wc, opcode);
  OFFSET(ibv_wc, vendor_err);
  OFFSET(ibv_wc, byte_len);
  OFFSET(ibv_wc, imm_data);
  OFFSET(ibv_wc, qp_num);
  OFFSET(ibv_wc, src_qp);
  OFFSET(ibv_wc, wc_flags);
  OFFSET(ibv_wc, pkey_index);
  OFFSET(ibv_wc, slid);
  OFFSET(ibv_wc, sl);
  OFFSET(ibv_wc, dlid_path_bits);

  SIZE(ibv_port_attr);
  OFFSET(ibv_port_attr, state);
  OFFSET(ibv_port_attr, max_mtu);
  OFFSET(ibv_port_attr, active_mtu);
  OFFSET(ibv_port_attr, gid_tbl_len);
  OFFSET(ibv_port_attr, port_cap_flags);
  OFFSET(ibv_port_attr, max_msg_sz);
  OFFSET(ibv_port_attr, bad_pkey_cntr);
  OFFSET(ibv_port_attr, qkey_viol_cntr);
  OFFSET(ibv_port_attr, pkey_tbl_len);
  OFFSET(ibv_port_attr, lid);
  OFFSET(ibv_port_attr, sm_lid);
  OFFSET(ibv_port_attr, lmc);
  OFFSET(ibv_port_attr, max_vl_num);
  OFFSET(ibv_port_attr, sm_sl);
  OFFSET(ibv_port_attr, subnet_timeout);
  OFFSET(ibv_port_attr, init_type_reply);
  OFFSET(ibv_port_attr, active_width);
  OFFSET(ibv_port_attr, active_speed);
  OFFSET(ibv_port_attr, phys_state);
  OFFSET(ibv_port_attr, link_layer);
  OFFSET(ibv_port_attr, flags);
  OFFSET(ibv_port_attr, port_cap_flags2);

  SIZE(ibv_device_attr);
  OFFSET(ibv_device_attr, fw_ver);
  OFFSET(ibv_device_attr, node_guid);
  OFFSET(ibv_device_attr, sys_image_guid);
  OFFSET(ibv_device_attr, max_mr_size);
  OFFSET(ibv_device_attr, page_size_cap);
  OFFSET(ibv_device_attr, vendor_id);
  OFFSET(ibv_device_attr, vendor_part_id);
  OFFSET(ibv_device_attr, hw_ver);
  OFFSET(ibv_device_attr, max_qp);
  OFFSET(ibv_device_attr, max_qp_wr);
  OFFSET(ibv_device_attr, device_cap_flags);
  OFFSET(ibv_device_attr, max_sge);
  OFFSET(ibv_device_attr, max_sge_rd);
  OFFSET(ibv_device_attr, max_cq);
  OFFSET(ibv_device_attr, max_cqe);
  OFFSET(ibv_device_attr, max_mr);
  OFFSET(ibv_device_attr, max_pd);
  OFFSET(ibv_device_attr, phys_port_cnt);

  SIZE(ibv_async_event);
  OFFSET(ibv_async_event, element);
  OFFSET(ibv_async_event, event_type);

  OFFSET(ibv_context_ops, poll_cq);
  OFFSET(ibv_context_ops, req_notify_cq);
  OFFSET(ibv_context_ops, post_send);
  OFFSET(ibv_context_ops, post_recv);

  OFFSET(ibv_context, device);
  OFFSET(ibv_context, ops);
  OFFSET(ibv_context, cmd_fd);
  OFFSET(ibv_context, async_fd);
  OFFSET(ibv_context, num_comp_vectors);

  OFFSET(ibv_comp_channel, context);
  OFFSET(ibv_comp_channel, fd);
  OFFSET(ibv_comp_channel, refcnt);

  OFFSET(ibv_qp, context);
  OFFSET(ibv_qp, qp_context);
  OFFSET(ibv_qp, pd);
  OFFSET(ibv_qp, send_cq);
  OFFSET(ibv_qp, recv_cq);
  OFFSET(ibv_qp, srq);
  OFFSET(ibv_qp, handle);
  OFFSET(ibv_qp, qp_num);
  OFFSET(ibv_qp, state);
  OFFSET(ibv_qp, qp_type);

  OFFSET(ibv_mr, context);
  OFFSET(ibv_mr, pd);
  OFFSET(ibv_mr, addr);
  OFFSET(ibv_mr, length);
  OFFSET(ibv_mr, handle);
  OFFSET(ibv_mr, lkey);
  OFFSET(ibv_mr, rkey);

  VALUE(IBV_QPT_RC);
  VALUE(IBV_QPT_UC);
  VALUE(IBV_QPS_INIT);
  VALUE(IBV_QPS_RTR);
  VALUE(IBV_QPS_RTS);
  VALUE(IBV_QP_STATE);
  VALUE(IBV_QP_ACCESS_FLAGS);
  VALUE(IBV_QP_PKEY_INDEX);
  VALUE(IBV_QP_PORT);
  VALUE(IBV_QP_AV);
  VALUE(IBV_QP_PATH_MTU);
  VALUE(IBV_QP_TIMEOUT);
  VALUE(IBV_QP_RETRY_CNT);
  VALUE(IBV_QP_RNR_RETRY);
  VALUE(IBV_QP_RQ_PSN);
  VALUE(IBV_QP_MAX_QP_RD_ATOMIC);
  VALUE(IBV_QP_MIN_RNR_TIMER);
  VALUE(IBV_QP_SQ_PSN);
  VALUE(IBV_QP_MAX_DEST_RD_ATOMIC);
  VALUE(IBV_QP_CAP);
  VALUE(IBV_QP_DEST_QPN);
  VALUE(IBV_MTU_1024);
  VALUE(IBV_PORT_ACTIVE);
  VALUE(IBV_ACCESS_LOCAL_WRITE);
  VALUE(IBV_ACCESS_REMOTE_WRITE);
  VALUE(IBV_ACCESS_REMOTE_READ);
  VALUE(IBV_WR_SEND);
  VALUE(IBV_WR_SEND_WITH_IMM);
  VALUE(IBV_SEND_SIGNALED);
  VALUE(IBV_WC_SUCCESS);
  VALUE(IBV_WC_LOC_LEN_ERR);
  VALUE(IBV_WC_WR_FLUSH_ERR);
  VALUE(IBV_WC_RETRY_EXC_ERR);
  VALUE(IBV_WC_RNR_RETRY_EXC_ERR);
  VALUE(IBV_WC_RECV);
  VALUE(IBV_WC_WITH_IMM);
  VALUE(IBV_LINK_LAYER_INFINIBAND);
  VALUE(IBV_LINK_LAYER_ETHERNET);
  VALUE(IBV_EVENT_QP_FATAL);
  VALUE(IBV_EVENT_DEVICE_FATAL);
  VALUE(IBV_EVENT_PORT_ACTIVE);
  VALUE(IBV_EVENT_PORT_ERR);
  VALUE(IBV_EVENT_GID_CHANGE);
  return 0;
}
