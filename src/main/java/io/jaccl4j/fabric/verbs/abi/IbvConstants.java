package io.jaccl4j.fabric.verbs.abi;

/** Constants of the verbs header, under their C names. */
public final class IbvConstants {
  public static final int IBV_QPT_RC = 2;
  public static final int IBV_QPT_UC = 3;

  public static final int IBV_QPS_INIT = 1;
  public static final int IBV_QPS_RTR = 2;
  public static final int IBV_QPS_RTS = 3;

  public static final int IBV_QP_STATE = 1;
  public static final int IBV_QP_ACCESS_FLAGS = 1 << 3;
  public static final int IBV_QP_PKEY_INDEX = 1 << 4;
  public static final int IBV_QP_PORT = 1 << 5;
  public static final int IBV_QP_AV = 1 << 7;
  public static final int IBV_QP_PATH_MTU = 1 << 8;
  public static final int IBV_QP_TIMEOUT = 1 << 9;
  public static final int IBV_QP_RETRY_CNT = 1 << 10;
  public static final int IBV_QP_RNR_RETRY = 1 << 11;
  public static final int IBV_QP_RQ_PSN = 1 << 12;
  public static final int IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13;
  public static final int IBV_QP_MIN_RNR_TIMER = 1 << 15;
  public static final int IBV_QP_SQ_PSN = 1 << 16;
  public static final int IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17;
  public static final int IBV_QP_CAP = 1 << 19;
  public static final int IBV_QP_DEST_QPN = 1 << 20;

  public static final int IBV_MTU_1024 = 3;

  public static final int IBV_PORT_ACTIVE = 4;

  public static final int IBV_ACCESS_LOCAL_WRITE = 1;
  public static final int IBV_ACCESS_REMOTE_WRITE = 1 << 1;
  public static final int IBV_ACCESS_REMOTE_READ = 1 << 2;

  public static final int IBV_WR_SEND = 2;
  public static final int IBV_WR_SEND_WITH_IMM = 3;
  public static final int IBV_SEND_SIGNALED = 1 << 1;

  public static final int IBV_WC_SUCCESS = 0;
  public static final int IBV_WC_LOC_LEN_ERR = 1;
  public static final int IBV_WC_WR_FLUSH_ERR = 5;
  public static final int IBV_WC_RETRY_EXC_ERR = 12;
  public static final int IBV_WC_RNR_RETRY_EXC_ERR = 13;
  public static final int IBV_WC_RECV = 1 << 7;
  public static final int IBV_WC_WITH_IMM = 1 << 1;

  public static final int IBV_LINK_LAYER_INFINIBAND = 1;
  public static final int IBV_LINK_LAYER_ETHERNET = 2;

  /** Apple's, in no header of rdma-core. */
  public static final int IBV_LINK_LAYER_THUNDERBOLT = 100;

  public static final int IBV_EVENT_QP_FATAL = 1;
  public static final int IBV_EVENT_DEVICE_FATAL = 8;
  public static final int IBV_EVENT_PORT_ACTIVE = 9;
  public static final int IBV_EVENT_PORT_ERR = 10;
  public static final int IBV_EVENT_GID_CHANGE = 18;

  private IbvConstants() {}
}
