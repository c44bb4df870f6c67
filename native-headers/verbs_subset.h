/*
 * The part of the verbs interface that jaccl4j binds, declared for 64-bit machines.
 *
 * Written for jaccl4j from the published sizes, offsets and values of the interface; see README.md.
 * Structures that the library allocates are declared as far as jaccl4j reads them.
 */
#ifndef JACCL4J_VERBS_SUBSET_H
#define JACCL4J_VERBS_SUBSET_H

#include <stddef.h>
#include <stdint.h>

#define IBV_QPT_RC 2
#define IBV_QPT_UC 3

#define IBV_QPS_RESET 0
#define IBV_QPS_INIT 1
#define IBV_QPS_RTR 2
#define IBV_QPS_RTS 3
#define IBV_QPS_ERR 6

#define IBV_QP_STATE (1 << 0)
#define IBV_QP_ACCESS_FLAGS (1 << 3)
#define IBV_QP_PKEY_INDEX (1 << 4)
#define IBV_QP_PORT (1 << 5)
#define IBV_QP_AV (1 << 7)
#define IBV_QP_PATH_MTU (1 << 8)
#define IBV_QP_TIMEOUT (1 << 9)
#define IBV_QP_RETRY_CNT (1 << 10)
#define IBV_QP_RNR_RETRY (1 << 11)
#define IBV_QP_RQ_PSN (1 << 12)
#define IBV_QP_MAX_QP_RD_ATOMIC (1 << 13)
#define IBV_QP_MIN_RNR_TIMER (1 << 15)
#define IBV_QP_SQ_PSN (1 << 16)
#define IBV_QP_MAX_DEST_RD_ATOMIC (1 << 17)
#define IBV_QP_CAP (1 << 19)
#define IBV_QP_DEST_QPN (1 << 20)

#define IBV_MTU_1024 3
#define IBV_MTU_4096 5

#define IBV_PORT_DOWN 1
#define IBV_PORT_ACTIVE 4

#define IBV_ACCESS_LOCAL_WRITE (1 << 0)
#define IBV_ACCESS_REMOTE_WRITE (1 << 1)
#define IBV_ACCESS_REMOTE_READ (1 << 2)

#define IBV_WR_SEND 2
#define IBV_WR_SEND_WITH_IMM 3
#define IBV_SEND_SIGNALED (1 << 1)

#define IBV_WC_SUCCESS 0
#define IBV_WC_LOC_LEN_ERR 1
#define IBV_WC_WR_FLUSH_ERR 5
#define IBV_WC_RETRY_EXC_ERR 12
#define IBV_WC_RNR_RETRY_EXC_ERR 13
#define IBV_WC_SEND 0
#define IBV_WC_RECV (1 << 7)
#define IBV_WC_WITH_IMM (1 << 1)

#define IBV_LINK_LAYER_INFINIBAND 1
#define IBV_LINK_LAYER_ETHERNET 2

#define IBV_EVENT_QP_FATAL 1
#define IBV_EVENT_DEVICE_FATAL 8
#define IBV_EVENT_PORT_ACTIVE 9
#define IBV_EVENT_PORT_ERR 10
#define IBV_EVENT_GID_CHANGE 18

/* Opaque here. */
struct ibv_device;
struct ibv_srq;

union ibv_gid {
  uint8_t raw[16];
  struct {
    uint64_t subnet_prefix;
    uint64_t interface_id;
  } global;
};

struct ibv_qp_cap {
  uint32_t max_send_wr;
  uint32_t max_recv_wr;
  uint32_t max_send_sge;
  uint32_t max_recv_sge;
  uint32_t max_inline_data;
};

struct ibv_qp_init_attr {
  void *qp_context;
  struct ibv_cq *send_cq;
  struct ibv_cq *recv_cq;
  struct ibv_srq *srq;
  struct ibv_qp_cap cap;
  int32_t qp_type;
  int32_t sq_sig_all;
};

struct ibv_global_route {
  union ibv_gid dgid;
  uint32_t flow_label;
  uint8_t sgid_index;
  uint8_t hop_limit;
  uint8_t traffic_class;
};

struct ibv_ah_attr {
  struct ibv_global_route grh;
  uint16_t dlid;
  uint8_t sl;
  uint8_t src_path_bits;
  uint8_t static_rate;
  uint8_t is_global;
  uint8_t port_num;
};

struct ibv_qp_attr {
  int32_t qp_state;
  int32_t cur_qp_state;
  int32_t path_mtu;
  int32_t path_mig_state;
  uint32_t qkey;
  uint32_t rq_psn;
  uint32_t sq_psn;
  uint32_t dest_qp_num;
  uint32_t qp_access_flags;
  struct ibv_qp_cap cap;
  struct ibv_ah_attr ah_attr;
  struct ibv_ah_attr alt_ah_attr;
  uint16_t pkey_index;
  uint16_t alt_pkey_index;
  uint8_t en_sqd_async_notify;
  uint8_t sq_draining;
  uint8_t max_rd_atomic;
  uint8_t max_dest_rd_atomic;
  uint8_t min_rnr_timer;
  uint8_t port_num;
  uint8_t timeout;
  uint8_t retry_cnt;
  uint8_t rnr_retry;
  uint8_t alt_port_num;
  uint8_t alt_timeout;
  uint32_t rate_limit;
  /* To the size of the whole: room that the interface keeps. */
  uint32_t reserved;
};

struct ibv_sge {
  uint64_t addr;
  uint32_t length;
  uint32_t lkey;
};

struct ibv_send_wr {
  uint64_t wr_id;
  struct ibv_send_wr *next;
  struct ibv_sge *sg_list;
  int32_t num_sge;
  int32_t opcode;
  uint32_t send_flags;
  uint32_t imm_data; /* network byte order */
  uint8_t unused[88]; /* for remote memory, atomics and datagrams */
};

struct ibv_recv_wr {
  uint64_t wr_id;
  struct ibv_recv_wr *next;
  struct ibv_sge *sg_list;
  int32_t num_sge;
};

struct ibv_wc {
  uint64_t wr_id;
  int32_t status;
  int32_t opcode;
  uint32_t vendor_err;
  uint32_t byte_len;
  uint32_t imm_data; /* network byte order */
  uint32_t qp_num;
  uint32_t src_qp;
  uint32_t wc_flags;
  uint16_t pkey_index;
  uint16_t slid;
  uint8_t sl;
  uint8_t dlid_path_bits;
};

struct ibv_port_attr {
  int32_t state;
  int32_t max_mtu;
  int32_t active_mtu;
  int32_t gid_tbl_len;
  uint32_t port_cap_flags;
  uint32_t max_msg_sz;
  uint32_t bad_pkey_cntr;
  uint32_t qkey_viol_cntr;
  uint16_t pkey_tbl_len;
  uint16_t lid;
  uint16_t sm_lid;
  uint8_t lmc;
  uint8_t max_vl_num;
  uint8_t sm_sl;
  uint8_t subnet_timeout;
  uint8_t init_type_reply;
  uint8_t active_width;
  uint8_t active_speed;
  uint8_t phys_state;
  uint8_t link_layer;
  uint8_t flags;
  uint16_t port_cap_flags2;
};

struct ibv_device_attr {
  char fw_ver[64];
  uint64_t node_guid;
  uint64_t sys_image_guid;
  uint64_t max_mr_size;
  uint64_t page_size_cap;
  uint32_t vendor_id;
  uint32_t vendor_part_id;
  uint32_t hw_ver;
  int32_t max_qp;
  int32_t max_qp_wr;
  uint32_t device_cap_flags;
  int32_t max_sge;
  int32_t max_sge_rd;
  int32_t max_cq;
  int32_t max_cqe;
  int32_t max_mr;
  int32_t max_pd;
  uint8_t other_limits[83];
  uint8_t phys_port_cnt;
};

struct ibv_async_event {
  void *element;
  int32_t event_type;
};

struct ibv_context;
struct ibv_cq;
struct ibv_qp;

struct ibv_context_ops {
  void *before_poll_cq[11];
  int (*poll_cq)(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
  int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
  void *before_post_send[12];
  int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
  int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
  void *after_post_recv[5];
};

struct ibv_context {
  struct ibv_device *device;
  struct ibv_context_ops ops;
  int cmd_fd;
  int async_fd;
  int num_comp_vectors;
};

struct ibv_comp_channel {
  struct ibv_context *context;
  int fd;
  int refcnt;
};

struct ibv_pd {
  struct ibv_context *context;
  uint32_t handle;
};

struct ibv_mr {
  struct ibv_context *context;
  struct ibv_pd *pd;
  void *addr;
  size_t length;
  uint32_t handle;
  uint32_t lkey;
  uint32_t rkey;
};

struct ibv_qp {
  struct ibv_context *context;
  void *qp_context;
  struct ibv_pd *pd;
  struct ibv_cq *send_cq;
  struct ibv_cq *recv_cq;
  struct ibv_srq *srq;
  uint32_t handle;
  uint32_t qp_num;
  int32_t state;
  int32_t qp_type;
};

struct ibv_device **ibv_get_device_list(int *num_devices);
void ibv_free_device_list(struct ibv_device **list);
const char *ibv_get_device_name(struct ibv_device *device);
uint64_t ibv_get_device_guid(struct ibv_device *device);
struct ibv_context *ibv_open_device(struct ibv_device *device);
int ibv_close_device(struct ibv_context *context);
int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *device_attr);
int ibv_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *port_attr);
int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index, union ibv_gid *gid);
struct ibv_pd *ibv_alloc_pd(struct ibv_context *context);
int ibv_dealloc_pd(struct ibv_pd *pd);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access);
int ibv_dereg_mr(struct ibv_mr *mr);
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context);
int ibv_destroy_comp_channel(struct ibv_comp_channel *channel);
struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
                             struct ibv_comp_channel *channel, int comp_vector);
int ibv_destroy_cq(struct ibv_cq *cq);
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context);
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents);
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr);
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask);
int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask,
                 struct ibv_qp_init_attr *init_attr);
int ibv_destroy_qp(struct ibv_qp *qp);
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event);
void ibv_ack_async_event(struct ibv_async_event *event);

#endif
