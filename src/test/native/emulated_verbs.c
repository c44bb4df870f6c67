/*
 * An emulated verbs provider: queue pairs between threads and processes over one mapped file, with
 * faults on request, and with an eye on the rules of the interface. For tests alone.
 *
 * A message is copied into the file when it is posted, and out of it when its receiver polls. A
 * queue pair that is not unreliable, or whose device holds senders, waits for a receive; an
 * unreliable one without a posted receive loses the message and reports success, as Linux does.
 *
 * Everything shared lies under one robust lock, so that a killed process harms nobody.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "verbs_subset.h"

#define FRAME_BYTES 4096
#define MAX_DEVICES 8
#define MAX_GIDS 16
#define MAX_QPS 160
#define QUEUE 64
#define MESSAGE_BYTES (512 * 1024)
#define MAX_CALLS 32
#define TEXT 512

enum gid_kind { GID_EMPTY, GID_LINK_LOCAL, GID_IPV4, GID_ROUTABLE, GID_UNREADABLE };

struct device_state {
  int port_state;
  int active_mtu;
  int link_layer;
  int gid_kind[MAX_GIDS];
  int gid_table_length;
  int unplugged;
  int cut; /* the port is up, and nothing gets through */
  int broken; /* every queue pair falls into the error state */
  int qps;
  int mrs;
  int cqs;
  int pds;
};

struct message {
  uint64_t wr_id;
  uint32_t bytes;
  uint32_t imm;
  int with_imm;
  int done; /* taken by the receiver, or lost */
  int acknowledged; /* completes although the receiver has not polled yet */
  int status;
  int64_t deliverable_nanos;
};

struct posted_receive {
  uint64_t wr_id;
  uint64_t addr;
  uint32_t bytes;
};

struct shared_qp {
  int used;
  pid_t owner;
  int device;
  int type;
  int state;
  uint32_t number;
  uint32_t peer;
  uint32_t rq_psn, sq_psn;
  int64_t peer_gone_nanos;
  uint64_t sends_posted, sends_taken, sends_completed;
  struct message sends[QUEUE];
  uint64_t receives_posted, receives_taken;
  struct posted_receive receives[QUEUE];
};

struct call_fault {
  char name[48];
  long at; /* 1 for the next call */
  int error;
  int block;
};

struct shared {
  pthread_mutex_t lock;
  uint32_t generation;
  int devices;
  struct device_state device[MAX_DEVICES];
  int max_qp, max_mr, max_cq, max_pd, max_qp_wr, max_cqe;
  int64_t max_mr_size;
  int hold_unreliable;
  int crossed; /* the cables of the first two devices */
  int count_frames;
  int refuse_local_write;
  int acknowledge_early; /* as a card does that needs no help of its host */
  int64_t ipv4_after_millis;
  int64_t started_nanos;
  int64_t delay_micros;
  int64_t retry_millis;
  int drop_every; /* of unreliable messages: every n-th is lost */
  uint64_t messages;
  long fail_call_at; /* the n-th control call of any kind fails */
  int fail_call_error;
  long control_calls;
  struct call_fault faults[MAX_CALLS];
  long fail_work_at; /* the n-th work request completes with a status */
  int fail_work_status;
  long duplicate_at; /* the n-th completion is reported twice */
  long wrong_id_at; /* the n-th completion carries a made-up id */
  long work_requests, completions;
  long receives_posted; /* of both kinds of links, since the reset */
  long late_writes;     /* into receives that were posted when their queue pair went */
  long live;
  int violations;
  char violation[TEXT];
  struct shared_qp qps[MAX_QPS];
};

struct cq_entry {
  struct ibv_wc wc;
};

struct ibv_device {
  int index;
  char name[32];
};

struct emu_context {
  struct ibv_context ibv; /* first: the library hands out its address */
  int device;
  uint32_t generation;
  int event_pipe[2];
  struct emu_context *next;
};

struct emu_pd {
  struct ibv_pd ibv;
  int device;
  int qps;
  int mrs;
};

struct emu_mr {
  struct ibv_mr ibv;
  struct emu_pd *domain;
  struct emu_mr *next;
};

struct ibv_cq {
  struct ibv_context *context;
  int entries;
  uint64_t head, tail;
  struct ibv_wc *ring;
  int qps;
};

/* Messages of one length in a row. */
struct run {
  uint32_t bytes;
  uint64_t count;
};

struct emu_qp {
  struct ibv_qp ibv;
  struct emu_pd *domain;
  int index;
  int ordinal; /* in this process, in the order of creation */
  struct run sent, received;
  uint64_t receive_head, receive_tail;
  struct emu_qp *next;
};

static struct shared *state;
static uint8_t *payloads; /* MAX_QPS x QUEUE x MESSAGE_BYTES, sparse */
static struct ibv_device devices[MAX_DEVICES];
static struct emu_context *contexts;
static struct emu_mr *regions;
static struct emu_qp *queue_pairs;
static pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t next_key = 17;
static int next_ordinal;
static int transcript = -1; /* file of this process, or none */

static int64_t now_nanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void lock(void) {
  if (pthread_mutex_lock(&state->lock) == EOWNERDEAD) pthread_mutex_consistent(&state->lock);
}

static void unlock(void) { pthread_mutex_unlock(&state->lock); }

static void violate(const char *format, ...) {
  if (state->violations++ == 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state->violation, TEXT, format, arguments);
    va_end(arguments);
  }
}

static size_t payload_bytes(void) { return (size_t)MAX_QPS * QUEUE * MESSAGE_BYTES; }

static void defaults(void) {
  state->devices = 2;
  for (int d = 0; d < MAX_DEVICES; d++) {
    struct device_state *device = &state->device[d];
    memset(device, 0, sizeof *device);
    device->port_state = IBV_PORT_ACTIVE;
    device->active_mtu = IBV_MTU_1024;
    device->link_layer = IBV_LINK_LAYER_ETHERNET;
    device->gid_table_length = MAX_GIDS;
    device->gid_kind[0] = GID_LINK_LOCAL;
    device->gid_kind[1] = GID_IPV4;
  }
  state->max_qp = 100;
  state->max_mr = 100;
  state->max_cq = 100;
  state->max_pd = 100;
  state->max_qp_wr = 4096;
  state->max_cqe = 4096;
  state->max_mr_size = 1LL << 40;
  state->hold_unreliable = 0;
  state->crossed = 0;
  state->count_frames = 0;
  state->refuse_local_write = 0;
  state->acknowledge_early = 0;
  state->ipv4_after_millis = 0;
  state->delay_micros = 0;
  state->retry_millis = 200;
  state->drop_every = 0;
  state->messages = 0;
  state->fail_call_at = 0;
  state->control_calls = 0;
  memset(state->faults, 0, sizeof state->faults);
  state->fail_work_at = state->duplicate_at = state->wrong_id_at = 0;
  state->work_requests = state->completions = 0;
  state->receives_posted = state->late_writes = 0;
  state->violations = 0;
  state->violation[0] = 0;
  state->live = 0;
  state->generation++;
  state->started_nanos = now_nanos();
  memset(state->qps, 0, sizeof state->qps);
}

static void map(void) {
  const char *path = getenv("EMULATED_VERBS_FILE");
  size_t bytes = sizeof(struct shared) + payload_bytes();
  int fresh = 1;
  int fd = -1;
  int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  if (path) {
    fd = open(path, O_RDWR | O_CREAT, 0600);
    struct stat st;
    /* Held until the file is set up: whoever comes second finds it whole. */
    if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &st) != 0) abort();
    fresh = st.st_size == 0;
    if (ftruncate(fd, (off_t)bytes) != 0) abort();
    flags = MAP_SHARED | MAP_NORESERVE;
  }
  state = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (state == MAP_FAILED) abort();
  payloads = (uint8_t *)state + sizeof(struct shared);
  if (fresh) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&state->lock, &attr);
    defaults();
    /* For processes that nobody can call emu_set in. */
    state->hold_unreliable = state->count_frames = getenv("EMULATED_VERBS_HOLD") != NULL;
    const char *count = getenv("EMULATED_VERBS_DEVICES");
    if (count) state->devices = atoi(count);
  }
  if (fd >= 0) {
    flock(fd, LOCK_UN); /* closing it does not: the mapping holds the file open */
    close(fd);
  }
  const char *record = getenv("EMULATED_VERBS_TRANSCRIPT");
  if (record) {
    transcript = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (transcript < 0) abort();
  }
  for (int d = 0; d < MAX_DEVICES; d++) {
    devices[d].index = d;
    snprintf(devices[d].name, sizeof devices[d].name, "emu%d", d);
  }
}

static void begin(void) { pthread_once(&once, map); }

/* ---- control, for tests */

/* Back to a provider of two devices without faults. */
void emu_reset(void) {
  begin();
  lock();
  defaults();
  unlock();
}

long emu_get(const char *key) {
  begin();
  lock();
  long value = -1;
  if (!strcmp(key, "live")) value = state->live;
  else if (!strcmp(key, "violations")) value = state->violations;
  else if (!strcmp(key, "control_calls")) value = state->control_calls;
  else if (!strcmp(key, "work_requests")) value = state->work_requests;
  else if (!strcmp(key, "receives_posted")) value = state->receives_posted;
  else if (!strcmp(key, "late_writes")) value = state->late_writes;
  else if (!strcmp(key, "messages")) value = (long)state->messages;
  unlock();
  return value;
}

const char *emu_violation(void) {
  begin();
  return state->violation;
}

/* 0, or -1 for an unknown key. */
int emu_set(const char *key, long value) {
  begin();
  lock();
  int result = 0;
  if (!strcmp(key, "devices")) state->devices = (int)value;
  else if (!strcmp(key, "max_qp")) state->max_qp = (int)value;
  else if (!strcmp(key, "max_mr")) state->max_mr = (int)value;
  else if (!strcmp(key, "max_cq")) state->max_cq = (int)value;
  else if (!strcmp(key, "max_pd")) state->max_pd = (int)value;
  else if (!strcmp(key, "max_qp_wr")) state->max_qp_wr = (int)value;
  else if (!strcmp(key, "max_cqe")) state->max_cqe = (int)value;
  else if (!strcmp(key, "max_mr_size")) state->max_mr_size = value;
  else if (!strcmp(key, "hold_unreliable")) state->hold_unreliable = (int)value;
  else if (!strcmp(key, "crossed")) state->crossed = (int)value;
  else if (!strcmp(key, "count_frames")) state->count_frames = (int)value;
  else if (!strcmp(key, "refuse_local_write")) state->refuse_local_write = (int)value;
  else if (!strcmp(key, "acknowledge_early")) state->acknowledge_early = (int)value;
  else if (!strcmp(key, "ipv4_after_millis")) state->ipv4_after_millis = value;
  else if (!strcmp(key, "delay_micros")) state->delay_micros = value;
  else if (!strcmp(key, "retry_millis")) state->retry_millis = value;
  else if (!strcmp(key, "drop_every")) state->drop_every = (int)value;
  else if (!strcmp(key, "fail_call_error")) state->fail_call_error = (int)value;
  else if (!strcmp(key, "fail_call_at")) state->fail_call_at = state->control_calls + value;
  else if (!strcmp(key, "fail_work_status")) state->fail_work_status = (int)value;
  else if (!strcmp(key, "fail_work_at")) state->fail_work_at = state->work_requests + value;
  else if (!strcmp(key, "duplicate_at")) state->duplicate_at = state->completions + value;
  else if (!strcmp(key, "wrong_id_at")) state->wrong_id_at = state->completions + value;
  else result = -1;
  unlock();
  return result;
}

int emu_set_device(int device, const char *key, long value) {
  begin();
  lock();
  int result = 0;
  struct device_state *d = &state->device[device];
  if (!strcmp(key, "port_state")) d->port_state = (int)value;
  else if (!strcmp(key, "active_mtu")) d->active_mtu = (int)value;
  else if (!strcmp(key, "link_layer")) d->link_layer = (int)value;
  else if (!strcmp(key, "gid_table_length")) d->gid_table_length = (int)value;
  else if (!strcmp(key, "cut")) d->cut = (int)value;
  else if (!strcmp(key, "broken")) d->broken = (int)value;
  else if (!strcmp(key, "unplugged")) d->unplugged = (int)value;
  else result = -1;
  unlock();
  return result;
}

void emu_set_gid(int device, int index, int kind) {
  begin();
  lock();
  state->device[device].gid_kind[index] = kind;
  unlock();
}

/* Lets a call fail, or block for ever, at its n-th time from now. */
void emu_fault(const char *name, long at, int error, int block) {
  begin();
  lock();
  for (int i = 0; i < MAX_CALLS; i++) {
    struct call_fault *fault = &state->faults[i];
    if (fault->at == 0) {
      snprintf(fault->name, sizeof fault->name, "%s", name);
      fault->error = error;
      fault->block = block;
      fault->at = at;
      break;
    }
  }
  unlock();
}

/* Reports an asynchronous event to all contexts of a device in this process. */
void emu_event(int device, int type) {
  begin();
  pthread_mutex_lock(&local);
  for (struct emu_context *c = contexts; c; c = c->next) {
    if (c->device == device && write(c->event_pipe[1], &type, sizeof type) < 0) abort();
  }
  pthread_mutex_unlock(&local);
}

/* ---- the same calls without Java, for benchmarks */

/* Polls through the table of the queue's context, and returns how many completions there were. */
long emu_poll_loop(struct ibv_cq *cq, struct ibv_wc *wc, long times) {
  long found = 0;
  for (long i = 0; i < times; i++) found += ((struct ibv_context **)cq)[0]->ops.poll_cq(cq, 16, wc);
  return found;
}

/* Posts, and polls for the completion, that many times; returns how many completions there were. */
long emu_post_loop(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_wc *wc, long times) {
  struct ibv_send_wr *bad;
  long found = 0;
  for (long i = 0; i < times; i++) {
    if (qp->context->ops.post_send(qp, wr, &bad) != 0) return -1;
    found += qp->context->ops.poll_cq(qp->send_cq, 16, wc);
  }
  return found;
}

/* ---- rules */

/* The error that a call fails with, or 0. */
static int fault(const char *name, int is_control) {
  begin();
  lock();
  int error = 0;
  int block = 0;
  state->control_calls += is_control;
  if (is_control && state->fail_call_at && state->control_calls == state->fail_call_at) {
    error = state->fail_call_error;
  }
  for (int i = 0; i < MAX_CALLS; i++) {
    struct call_fault *f = &state->faults[i];
    if (f->at > 0 && !strcmp(f->name, name) && --f->at == 0) {
      error = f->error;
      block = f->block;
    }
  }
  unlock();
  while (block) pause();
  return error;
}

/* A call that sets things up. */
static int control(const char *name) { return fault(name, 1); }

/* A call that gives something back; fails only if it is named. */
static int release(const char *name) { return fault(name, 0); }

/* A call of the data path. */
static int data(const char *name) { return fault(name, 0); }

static void *refuse(int error) {
  errno = error;
  return NULL;
}

static void made(void) {
  lock();
  state->live++;
  unlock();
}

/* Counts one more of a kind, up to the device's limit. */
static int take(int *count, int limit) {
  lock();
  int error = *count >= limit ? ENOMEM : 0;
  if (!error) ++*count;
  unlock();
  return error;
}

/* A thread that is late may still hold what was made before the last reset: that counts no more. */
static int is_current(struct ibv_context *context) {
  return ((struct emu_context *)context)->generation == state->generation;
}

static void given_back(struct ibv_context *context, int *count) {
  lock();
  if (is_current(context)) {
    if (count) --*count;
    state->live--;
  }
  unlock();
}

/* What takes the place of a queue pair that was made before the last reset. */
static struct shared_qp gone = {.state = IBV_QPS_ERR};

static struct shared_qp *shared_of(struct emu_qp *qp) {
  struct shared_qp *shared = &state->qps[qp->index];
  return shared->number == qp->ibv.qp_num ? shared : &gone;
}

static struct shared_qp *find_qp(uint32_t number) {
  for (int i = 0; i < MAX_QPS; i++) {
    if (state->qps[i].used && state->qps[i].number == number) return &state->qps[i];
  }
  return NULL;
}

/* The queue pair that a cable leads to, if it is the one that was meant. Any device leads to any
 * other, unless the first two are crossed: then they lead to each other, and the rest to itself. */
static struct shared_qp *reached(const struct shared_qp *qp) {
  struct shared_qp *peer = find_qp(qp->peer);
  if (!peer || state->device[qp->device].cut) return NULL;
  int far = qp->device < 2 ? 1 - qp->device : qp->device;
  return !state->crossed || peer->device == far ? peer : NULL;
}

static uint8_t *payload(int qp, uint64_t send) {
  return payloads + ((size_t)qp * QUEUE + send % QUEUE) * MESSAGE_BYTES;
}

static int frames(uint32_t bytes) { return (int)((bytes + FRAME_BYTES - 1) / FRAME_BYTES); }

static int holds(const struct shared_qp *qp) {
  return qp->type != IBV_QPT_UC || state->hold_unreliable;
}

/* ---- transcript: a line for each connection, and for each run of messages of one length

   q0 emu1 1025 -> 1026       queue pair, device, own number, number of the peer
   q0 > 4x65536               sent
   q0 < 4x65536               received */

static void write_run(struct emu_qp *qp, struct run *run, char direction) {
  if (transcript < 0 || run->count == 0) return;
  if (dprintf(transcript, "q%d %c %llux%u\n", qp->ordinal, direction,
              (unsigned long long)run->count, run->bytes) < 0) {
    abort();
  }
  run->count = 0;
}

static void record(struct emu_qp *qp, struct run *run, char direction, uint32_t bytes) {
  if (run->bytes != bytes) write_run(qp, run, direction);
  run->bytes = bytes;
  run->count++;
}

static void record_peer(struct emu_qp *qp, uint32_t peer) {
  if (transcript >= 0 && dprintf(transcript, "q%d emu%d %u -> %u\n", qp->ordinal,
                                 qp->domain->device, qp->ibv.qp_num, peer) < 0) {
    abort();
  }
}

/* ---- devices */

struct ibv_device **ibv_get_device_list(int *num_devices) {
  int error = control("ibv_get_device_list");
  if (error) return refuse(error);
  struct ibv_device **list = calloc(MAX_DEVICES + 1, sizeof *list);
  int count = 0;
  for (int d = 0; d < state->devices; d++) {
    if (!state->device[d].unplugged) list[count++] = &devices[d];
  }
  if (num_devices) *num_devices = count;
  return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }

uint64_t ibv_get_device_guid(struct ibv_device *device) {
  return __builtin_bswap64(0xE31100000000ULL + (uint64_t)device->index);
}

static int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
static int req_notify_cq(struct ibv_cq *cq, int solicited_only);
static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);

struct ibv_context *ibv_open_device(struct ibv_device *device) {
  int error = control("ibv_open_device");
  if (error) return refuse(error);
  struct emu_context *context = calloc(1, sizeof *context);
  context->ibv.device = device;
  context->ibv.ops.poll_cq = poll_cq;
  context->ibv.ops.req_notify_cq = req_notify_cq;
  context->ibv.ops.post_send = post_send;
  context->ibv.ops.post_recv = post_recv;
  context->ibv.num_comp_vectors = 1;
  context->device = device->index;
  context->generation = state->generation;
  if (pipe2(context->event_pipe, O_CLOEXEC) != 0) abort();
  context->ibv.async_fd = context->event_pipe[0];
  pthread_mutex_lock(&local);
  context->next = contexts;
  contexts = context;
  pthread_mutex_unlock(&local);
  made();
  return &context->ibv;
}

int ibv_close_device(struct ibv_context *ibv) {
  int error = release("ibv_close_device");
  if (error) return error;
  struct emu_context *context = (struct emu_context *)ibv;
  pthread_mutex_lock(&local);
  struct emu_context **place = &contexts;
  while (*place && *place != context) place = &(*place)->next;
  if (*place) *place = context->next;
  pthread_mutex_unlock(&local);
  close(context->event_pipe[0]);
  close(context->event_pipe[1]);
  given_back(ibv, NULL);
  free(context);
  return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  int error = control("ibv_query_device");
  if (error) return error;
  (void)context;
  memset(attr, 0, sizeof *attr);
  attr->max_mr_size = (uint64_t)state->max_mr_size;
  attr->max_qp = state->max_qp;
  attr->max_qp_wr = state->max_qp_wr;
  attr->max_sge = 1;
  attr->max_cq = state->max_cq;
  attr->max_cqe = state->max_cqe;
  attr->max_mr = state->max_mr;
  attr->max_pd = state->max_pd;
  attr->phys_port_cnt = 1;
  return 0;
}

int ibv_query_port(struct ibv_context *ibv, uint8_t port, struct ibv_port_attr *attr) {
  int error = control("ibv_query_port");
  if (error) return error;
  if (port != 1) return EINVAL;
  struct device_state *device = &state->device[((struct emu_context *)ibv)->device];
  memset(attr, 0, 48); /* as the exported function of the real library: not all 52 */
  attr->state = device->port_state;
  attr->max_mtu = IBV_MTU_4096;
  attr->active_mtu = device->active_mtu;
  attr->gid_tbl_len = device->gid_table_length;
  attr->max_msg_sz = 1u << 30;
  attr->link_layer = (uint8_t)device->link_layer;
  return 0;
}

/* 0, or the error with which the entry cannot be read. */
static int gid_at(int device, int index, union ibv_gid *gid) {
  memset(gid, 0, sizeof *gid);
  if (index < 0 || index >= state->device[device].gid_table_length) return EINVAL;
  if (index >= MAX_GIDS) return 0;
  int kind = state->device[device].gid_kind[index];
  int early = now_nanos() - state->started_nanos < state->ipv4_after_millis * 1000000;
  uint8_t *raw = gid->raw;
  switch (kind) {
    case GID_UNREADABLE: return EIO;
    case GID_LINK_LOCAL:
      raw[0] = 0xFE;
      raw[1] = 0x80;
      raw[8] = (uint8_t)(index + 1);
      raw[15] = (uint8_t)(device + 1);
      return 0;
    case GID_IPV4:
      if (early) return 0;
      raw[10] = raw[11] = 0xFF;
      raw[12] = 10;
      raw[13] = 77;
      raw[14] = (uint8_t)index;
      raw[15] = (uint8_t)(device + 1);
      return 0;
    case GID_ROUTABLE:
      raw[0] = 0xFD;
      raw[1] = 0x93;
      raw[15] = (uint8_t)(device + 1);
      return 0;
    default: return 0;
  }
}

int ibv_query_gid(struct ibv_context *ibv, uint8_t port, int index, union ibv_gid *gid) {
  int error = control("ibv_query_gid");
  if (!error && port != 1) error = EINVAL;
  if (!error) error = gid_at(((struct emu_context *)ibv)->device, index, gid);
  if (error) {
    errno = error;
    return -1;
  }
  return 0;
}

/* ---- domains, regions, completion queues */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ibv) {
  int error = control("ibv_alloc_pd");
  if (!error && !is_current(ibv)) error = ENODEV;
  int device = ((struct emu_context *)ibv)->device;
  if (!error) error = take(&state->device[device].pds, state->max_pd);
  if (error) return refuse(error);
  struct emu_pd *pd = calloc(1, sizeof *pd);
  pd->ibv.context = ibv;
  pd->device = device;
  made();
  return &pd->ibv;
}

int ibv_dealloc_pd(struct ibv_pd *ibv) {
  int error = release("ibv_dealloc_pd");
  if (error) return error;
  struct emu_pd *pd = (struct emu_pd *)ibv;
  if (pd->qps || pd->mrs) {
    violate("ibv_dealloc_pd with %d queue pairs and %d regions", pd->qps, pd->mrs);
    return EBUSY;
  }
  given_back(ibv->context, &state->device[pd->device].pds);
  free(pd);
  return 0;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *ibv, void *addr, size_t length, int access) {
  int error = control("ibv_reg_mr");
  if (!error && !is_current(ibv->context)) error = ENODEV;
  struct emu_pd *pd = (struct emu_pd *)ibv;
  if (!error && state->refuse_local_write && access == IBV_ACCESS_LOCAL_WRITE) error = EINVAL;
  if (!error && (int64_t)length > state->max_mr_size) error = ENOMEM;
  if (!error) error = take(&state->device[pd->device].mrs, state->max_mr);
  if (error) return refuse(error);
  struct emu_mr *mr = calloc(1, sizeof *mr);
  mr->ibv.context = ibv->context;
  mr->ibv.pd = ibv;
  mr->ibv.addr = addr;
  mr->ibv.length = length;
  mr->domain = pd;
  pthread_mutex_lock(&local);
  mr->ibv.lkey = next_key++;
  mr->next = regions;
  regions = mr;
  pd->mrs++;
  pthread_mutex_unlock(&local);
  made();
  return &mr->ibv;
}

int ibv_dereg_mr(struct ibv_mr *ibv) {
  int error = release("ibv_dereg_mr");
  if (error) return error;
  struct emu_mr *mr = (struct emu_mr *)ibv;
  if (mr->domain->qps) {
    violate("ibv_dereg_mr while %d queue pairs of its domain live", mr->domain->qps);
    return EBUSY;
  }
  pthread_mutex_lock(&local);
  struct emu_mr **place = &regions;
  while (*place && *place != mr) place = &(*place)->next;
  if (*place) *place = mr->next;
  mr->domain->mrs--;
  pthread_mutex_unlock(&local);
  given_back(ibv->context, &state->device[mr->domain->device].mrs);
  free(mr);
  return 0;
}

/* Whether a scatter element lies in a region of the domain. */
static int registered(struct emu_pd *pd, const struct ibv_sge *sge) {
  pthread_mutex_lock(&local);
  int found = 0;
  for (struct emu_mr *mr = regions; mr; mr = mr->next) {
    uint64_t begin = (uint64_t)(uintptr_t)mr->ibv.addr;
    found |= mr->domain == pd && mr->ibv.lkey == sge->lkey && sge->addr >= begin &&
             sge->addr + sge->length <= begin + mr->ibv.length;
  }
  pthread_mutex_unlock(&local);
  return found;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
                             struct ibv_comp_channel *channel, int comp_vector) {
  int error = control("ibv_create_cq");
  if (!error && !is_current(context)) error = ENODEV;
  (void)cq_context;
  (void)channel;
  (void)comp_vector;
  if (!error && (cqe < 1 || cqe > state->max_cqe)) error = EINVAL;
  int device = ((struct emu_context *)context)->device;
  if (!error) error = take(&state->device[device].cqs, state->max_cq);
  if (error) return refuse(error);
  struct ibv_cq *cq = calloc(1, sizeof *cq);
  cq->context = context;
  cq->entries = cqe;
  cq->ring = calloc((size_t)cqe + 1, sizeof *cq->ring);
  made();
  return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq) {
  int error = release("ibv_destroy_cq");
  if (error) return error;
  if (cq->qps) {
    violate("ibv_destroy_cq with %d queue pairs", cq->qps);
    return EBUSY;
  }
  given_back(cq->context, &state->device[((struct emu_context *)cq->context)->device].cqs);
  free(cq->ring);
  free(cq);
  return 0;
}

/* ---- queue pairs */

struct ibv_qp *ibv_create_qp(struct ibv_pd *ibv, struct ibv_qp_init_attr *attr) {
  int error = control("ibv_create_qp");
  if (!error && !is_current(ibv->context)) error = ENODEV;
  struct emu_pd *pd = (struct emu_pd *)ibv;
  struct device_state *device = &state->device[pd->device];
  if (!error && attr->qp_type != IBV_QPT_RC && attr->qp_type != IBV_QPT_UC) error = EINVAL;
  if (!error && device->link_layer == 100 && attr->qp_type != IBV_QPT_UC) error = EOPNOTSUPP;
  if (!error && (attr->cap.max_send_wr > QUEUE || attr->cap.max_recv_wr > QUEUE)) error = EINVAL;
  int index = -1;
  uint32_t number = 0;
  if (!error) {
    lock();
    if (device->qps >= state->max_qp) {
      error = EBUSY;
    } else {
      for (index = 0; index < MAX_QPS && state->qps[index].used; index++) {
      }
      if (index == MAX_QPS) {
        error = ENOMEM;
      } else {
        struct shared_qp *shared = &state->qps[index];
        memset(shared, 0, sizeof *shared);
        shared->used = 1;
        shared->owner = getpid();
        shared->device = pd->device;
        shared->type = attr->qp_type;
        number = shared->number = state->generation * 1024 + (uint32_t)index + 1;
        device->qps++;
      }
    }
    unlock();
  }
  if (error) return refuse(error);
  struct emu_qp *qp = calloc(1, sizeof *qp);
  qp->ibv.context = ibv->context;
  qp->ibv.pd = ibv;
  qp->ibv.send_cq = attr->send_cq;
  qp->ibv.recv_cq = attr->recv_cq;
  qp->ibv.qp_type = attr->qp_type;
  qp->ibv.qp_num = number;
  qp->domain = pd;
  qp->index = index;
  pthread_mutex_lock(&local);
  qp->ordinal = next_ordinal++;
  pd->qps++;
  attr->send_cq->qps++;
  qp->next = queue_pairs;
  queue_pairs = qp;
  pthread_mutex_unlock(&local);
  made();
  return &qp->ibv;
}

/* Sets the first violation, if the mask is not the one that the transition wants. */
static int check_mask(const char *to, int mask, int want) {
  if (mask == want) return 0;
  violate("ibv_modify_qp to %s with mask %d, want %d", to, mask, want);
  return EINVAL;
}

static int to_rtr(struct shared_qp *shared, struct ibv_qp_attr *attr, int mask) {
  int want = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  if (shared->type == IBV_QPT_RC) want |= IBV_QP_MIN_RNR_TIMER | IBV_QP_MAX_DEST_RD_ATOMIC;
  int error = check_mask("RTR", mask, want);
  if (error) return error;
  struct device_state *device = &state->device[shared->device];
  if (attr->path_mtu > device->active_mtu) {
    violate("path mtu %d above the active mtu %d", attr->path_mtu, device->active_mtu);
    return EINVAL;
  }
  if (attr->ah_attr.port_num != 1) return EINVAL;
  if (attr->ah_attr.is_global) {
    union ibv_gid own;
    if (gid_at(shared->device, attr->ah_attr.grh.sgid_index, &own) != 0) return EINVAL;
    if (own.global.subnet_prefix == 0 && own.global.interface_id == 0) return EINVAL;
    /* An IPv4 address reaches none of another kind. */
    int mapped = own.raw[10] == 0xFF && own.raw[11] == 0xFF;
    const uint8_t *peer = attr->ah_attr.grh.dgid.raw;
    if (mapped != (peer[10] == 0xFF && peer[11] == 0xFF)) return EINVAL;
  }
  shared->peer = attr->dest_qp_num;
  shared->rq_psn = attr->rq_psn;
  return 0;
}

static int to_rts(struct shared_qp *shared, struct ibv_qp_attr *attr, int mask) {
  int want = IBV_QP_STATE | IBV_QP_SQ_PSN;
  if (shared->type == IBV_QPT_RC) {
    want |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  }
  shared->sq_psn = attr->sq_psn;
  return check_mask("RTS", mask, want);
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask) {
  char name[48];
  snprintf(name, sizeof name, "ibv_modify_qp(%d)", attr->qp_state);
  int error = control(name);
  if (error) return error;
  lock();
  struct shared_qp *shared = shared_of((struct emu_qp *)ibv);
  int from = shared->state;
  if (shared == &gone) {
    error = ENODEV;
  } else if (attr->qp_state == IBV_QPS_INIT && from == IBV_QPS_RESET) {
    error = check_mask(
        "INIT", mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  } else if (attr->qp_state == IBV_QPS_RTR && from == IBV_QPS_INIT) {
    error = to_rtr(shared, attr, mask);
  } else if (attr->qp_state == IBV_QPS_RTS && from == IBV_QPS_RTR) {
    error = to_rts(shared, attr, mask);
  } else {
    violate("ibv_modify_qp from state %d to %d", from, attr->qp_state);
    error = EINVAL;
  }
  if (!error) shared->state = ibv->state = attr->qp_state;
  if (!error && attr->qp_state == IBV_QPS_RTR) record_peer((struct emu_qp *)ibv, shared->peer);
  unlock();
  return error;
}

int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask,
                 struct ibv_qp_init_attr *init_attr) {
  int error = control("ibv_query_qp");
  if (error) return error;
  (void)mask;
  (void)init_attr;
  attr->qp_state = ibv->state;
  attr->cap.max_send_wr = attr->cap.max_recv_wr = QUEUE;
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *ibv) {
  int error = release("ibv_destroy_qp");
  if (error) return error;
  struct emu_qp *qp = (struct emu_qp *)ibv;
  pthread_mutex_lock(&local);
  struct emu_qp **place = &queue_pairs;
  while (*place && *place != qp) place = &(*place)->next;
  if (*place) *place = qp->next;
  qp->domain->qps--;
  ibv->send_cq->qps--;
  pthread_mutex_unlock(&local);
  lock();
  /* What a device may still do until it has given up the queue pair: the memory must be there. */
  struct shared_qp *shared = shared_of(qp);
  for (uint64_t r = shared->receives_taken; r < shared->receives_posted; r++) {
    *(volatile uint8_t *)(uintptr_t)shared->receives[r % QUEUE].addr = 0xEE;
    state->late_writes++;
  }
  shared->used = 0;
  unlock();
  write_run(qp, &qp->sent, '>');
  write_run(qp, &qp->received, '<');
  given_back(ibv->context, &state->device[qp->domain->device].qps);
  free(qp);
  return 0;
}

/* ---- work */

/* The status that the next work request will complete with. */
static int next_status(void) {
  state->work_requests++;
  int fails = state->fail_work_at && state->work_requests == state->fail_work_at;
  return fails ? state->fail_work_status : IBV_WC_SUCCESS;
}

static int post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr) {
  struct emu_qp *qp = (struct emu_qp *)ibv;
  *bad_wr = wr;
  int error = data("ibv_post_send");
  int known = wr->num_sge == 0 || registered(qp->domain, wr->sg_list);
  lock();
  struct shared_qp *shared = shared_of(qp);
  if (!error && shared == &gone) error = ENODEV;
  struct ibv_sge *sge = wr->sg_list;
  uint32_t bytes = wr->num_sge == 0 ? 0 : sge->length;
  if (!error && state->device[shared->device].unplugged) error = ENODEV;
  if (!error && shared->state != IBV_QPS_RTS && shared->state != IBV_QPS_ERR) {
    violate("ibv_post_send in state %d", shared->state);
    error = EINVAL;
  }
  if (!error && (wr->next || wr->num_sge > 1 || !(wr->send_flags & IBV_SEND_SIGNALED) ||
                 (wr->opcode != IBV_WR_SEND && wr->opcode != IBV_WR_SEND_WITH_IMM))) {
    violate("ibv_post_send of an unknown kind");
    error = EINVAL;
  }
  uint64_t oldest = shared->sends_completed < shared->sends_taken ? shared->sends_completed
                                                                  : shared->sends_taken;
  if (!error && (shared->sends_posted - oldest >= QUEUE || bytes > MESSAGE_BYTES)) {
    error = ENOMEM;
  }
  if (!error && !known) {
    violate("ibv_post_send of memory that is not registered");
    error = EFAULT;
  }
  if (!error) {
    struct message *message = &shared->sends[shared->sends_posted % QUEUE];
    message->wr_id = wr->wr_id;
    message->bytes = bytes;
    message->imm = wr->imm_data;
    message->with_imm = wr->opcode == IBV_WR_SEND_WITH_IMM;
    message->status = next_status();
    message->done = message->acknowledged = 0;
    message->deliverable_nanos = now_nanos() + state->delay_micros * 1000;
    if (bytes) memcpy(payload(qp->index, shared->sends_posted), (void *)(uintptr_t)sge->addr, bytes);
    state->messages++;
    record(qp, &qp->sent, '>', bytes);
    struct shared_qp *peer = reached(shared);
    uint64_t under_way = 0;
    for (uint64_t s = shared->sends_taken; peer && s < shared->sends_posted; s++) {
      under_way += !shared->sends[s % QUEUE].done;
    }
    int full = !peer || peer->receives_posted - peer->receives_taken <= under_way;
    message->acknowledged = state->acknowledge_early && !full;
    if (!holds(shared)) {
      int dropped = state->drop_every && state->messages % (uint64_t)state->drop_every == 0;
      if (full || dropped) message->done = 1;
    }
    shared->sends_posted++;
    while (shared->sends_taken < shared->sends_posted &&
           shared->sends[shared->sends_taken % QUEUE].done) {
      shared->sends_taken++;
    }
    *bad_wr = NULL;
  }
  unlock();
  return error;
}

static int post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr) {
  struct emu_qp *qp = (struct emu_qp *)ibv;
  *bad_wr = wr;
  int error = data("ibv_post_recv");
  int known = wr->num_sge == 1 && registered(qp->domain, wr->sg_list);
  lock();
  struct shared_qp *shared = shared_of(qp);
  if (!error && (shared == &gone || state->device[shared->device].unplugged)) error = ENODEV;
  if (!error && shared->state != IBV_QPS_RTR && shared->state != IBV_QPS_RTS &&
      shared->state != IBV_QPS_ERR) {
    violate("ibv_post_recv in state %d", shared->state);
    error = EINVAL;
  }
  if (!error && (wr->next || wr->num_sge != 1)) {
    violate("ibv_post_recv of an unknown kind");
    error = EINVAL;
  }
  if (!error && shared->receives_posted - shared->receives_taken >= QUEUE) error = ENOMEM;
  if (!error && !known) {
    violate("ibv_post_recv of memory that is not registered");
    error = EFAULT;
  }
  if (!error) {
    struct posted_receive *receive = &shared->receives[shared->receives_posted % QUEUE];
    receive->wr_id = wr->wr_id;
    receive->addr = wr->sg_list->addr;
    receive->bytes = wr->sg_list->length;
    shared->receives_posted++;
    state->receives_posted++;
    *bad_wr = NULL;
  }
  unlock();
  return error;
}

static void complete(struct ibv_cq *cq, struct ibv_qp *qp, uint64_t wr_id, int status, int opcode,
                     uint32_t bytes, uint32_t imm, int with_imm) {
  state->completions++;
  int times = state->duplicate_at && state->completions == state->duplicate_at ? 2 : 1;
  int made_up = state->wrong_id_at && state->completions == state->wrong_id_at;
  while (times-- > 0) {
    if (cq->tail - cq->head > (uint64_t)cq->entries) {
      violate("completion queue of %d entries overflows", cq->entries);
      return;
    }
    struct ibv_wc *wc = &cq->ring[cq->tail++ % ((uint64_t)cq->entries + 1)];
    memset(wc, 0, sizeof *wc);
    wc->wr_id = made_up ? ~wr_id : wr_id;
    wc->status = status;
    wc->opcode = opcode;
    wc->byte_len = bytes;
    wc->imm_data = imm;
    wc->wc_flags = with_imm ? IBV_WC_WITH_IMM : 0;
    wc->qp_num = qp->qp_num;
  }
}

/* Everything posted comes back as flushed. */
static void flush(struct emu_qp *qp, struct shared_qp *shared) {
  shared->state = IBV_QPS_ERR;
  while (shared->receives_taken < shared->receives_posted) {
    struct posted_receive *r = &shared->receives[shared->receives_taken++ % QUEUE];
    complete(qp->ibv.recv_cq, &qp->ibv, r->wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV, 0, 0, 0);
  }
  while (shared->sends_completed < shared->sends_posted) {
    struct message *m = &shared->sends[shared->sends_completed++ % QUEUE];
    complete(qp->ibv.send_cq, &qp->ibv, m->wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_SEND, 0, 0, 0);
  }
}

/* Takes what the peer has sent, as far as receives are posted. */
static void receive(struct emu_qp *qp, struct shared_qp *shared) {
  struct shared_qp *peer = reached(shared);
  if (!peer || peer->peer != shared->number) return;
  int peer_index = (int)(peer - state->qps);
  while (shared->state != IBV_QPS_ERR && peer->sends_taken < peer->sends_posted) {
    struct message *message = &peer->sends[peer->sends_taken % QUEUE];
    if (message->done) { /* lost */
      peer->sends_taken++;
      continue;
    }
    if (shared->receives_taken == shared->receives_posted) return;
    if (now_nanos() < message->deliverable_nanos) return;
    struct posted_receive *r = &shared->receives[shared->receives_taken % QUEUE];
    int fits = message->bytes <= r->bytes &&
               (!state->count_frames || frames(message->bytes) == frames(r->bytes));
    shared->receives_taken++;
    int status = message->status != IBV_WC_SUCCESS ? message->status
                 : fits ? IBV_WC_SUCCESS
                        : IBV_WC_LOC_LEN_ERR;
    if (status == IBV_WC_SUCCESS) {
      memcpy((void *)(uintptr_t)r->addr, payload(peer_index, peer->sends_taken), message->bytes);
      record(qp, &qp->received, '<', message->bytes);
    }
    message->done = 1;
    peer->sends_taken++;
    complete(qp->ibv.recv_cq, &qp->ibv, r->wr_id, status, IBV_WC_RECV, message->bytes, message->imm,
             message->with_imm);
    if (status != IBV_WC_SUCCESS) flush(qp, shared);
  }
}

/* Completes sends that were taken or lost; gives up on a peer that has gone. */
static void finish_sends(struct emu_qp *qp, struct shared_qp *shared) {
  while (shared->sends_completed < shared->sends_posted) {
    struct message *message = &shared->sends[shared->sends_completed % QUEUE];
    if (!message->done && !message->acknowledged) break;
    shared->sends_completed++;
    complete(qp->ibv.send_cq, &qp->ibv, message->wr_id, message->status, IBV_WC_SEND, 0, 0, 0);
    if (message->status != IBV_WC_SUCCESS) {
      flush(qp, shared);
      return;
    }
  }
  if (shared->sends_completed == shared->sends_posted || shared->type != IBV_QPT_RC) return;
  struct shared_qp *peer = reached(shared);
  int gone = !peer || (kill(peer->owner, 0) != 0 && errno == ESRCH) || peer->state == IBV_QPS_ERR;
  if (!gone) {
    shared->peer_gone_nanos = 0;
  } else if (shared->peer_gone_nanos == 0) {
    shared->peer_gone_nanos = now_nanos();
  } else if (now_nanos() - shared->peer_gone_nanos > state->retry_millis * 1000000) {
    struct message *m = &shared->sends[shared->sends_completed++ % QUEUE];
    complete(qp->ibv.send_cq, &qp->ibv, m->wr_id, IBV_WC_RETRY_EXC_ERR, IBV_WC_SEND, 0, 0, 0);
    flush(qp, shared);
  }
}

static int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc) {
  if (data("ibv_poll_cq")) return -1;
  pthread_mutex_lock(&local);
  lock();
  for (struct emu_qp *qp = queue_pairs; qp; qp = qp->next) {
    struct shared_qp *shared = shared_of(qp);
    if (qp->ibv.recv_cq == cq && shared->state >= IBV_QPS_RTR) {
      if (state->device[shared->device].broken && shared->state != IBV_QPS_ERR) flush(qp, shared);
      finish_sends(qp, shared);
      if (shared->state != IBV_QPS_ERR) receive(qp, shared);
    }
  }
  unlock();
  pthread_mutex_unlock(&local);
  int count = 0;
  while (count < num_entries && cq->head < cq->tail) {
    wc[count++] = cq->ring[cq->head++ % ((uint64_t)cq->entries + 1)];
  }
  return count;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only) {
  (void)cq;
  (void)solicited_only;
  return EOPNOTSUPP;
}

/* ---- events */

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
  int type;
  if (read(context->async_fd, &type, sizeof type) != sizeof type) return -1;
  event->element = NULL;
  event->event_type = type;
  return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event) { (void)event; }
