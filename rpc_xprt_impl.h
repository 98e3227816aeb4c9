/* rpc_xprt_impl.h - what the transport's two files share: calls and timers (rpc_xprt.c), sockets' bytes (rpc_io.c). */
#ifndef RPC_XPRT_IMPL_H
#define RPC_XPRT_IMPL_H

#include "rpc_record.h"
#include "rpc_xprt.h"

enum link { LINK_UP, LINK_CONNECTING, LINK_DOWN };

enum call_state {
    CALL_FREE,
    CALL_BEGUN,   /* the caller is encoding */
    CALL_QUEUED,  /* in the send queue */
    CALL_SENT,    /* waiting for its reply */
    CALL_DELAYED, /* to be queued again at timer_ns */
    CALL_ENDING,  /* in its handler */
};

enum { NO_CALL = XPRT_MAX_WINDOW };

struct rpc_xprt {
    struct rpc_config config;
    unsigned char header[40 + XPRT_AUTH_BYTES]; /* record mark to verifier; XID, procedure and mark are patched */
    size_t header_bytes;
    int fd;
    enum link link;
    bool send_blocked; /* the kernel's buffer is full: wait for POLLOUT */
    char trouble[128];

    struct rpc_call *calls[XPRT_MAX_WINDOW];
    unsigned made;        /* calls allocated: indexes below */
    unsigned free_head;   /* list by `next` */
    unsigned outstanding; /* queued, sent or delayed */
    uint32_t sequence;    /* upper bits of the next XID */
    unsigned queue_head, queue_tail, queue_length;
    size_t head_sent; /* TCP: bytes of the queue's first call that are sent already */

    struct record_reader reader; /* TCP */
    unsigned char *datagrams;    /* UDP: receive buffers */
    int64_t now_ns;              /* the clock as last read */
    int64_t next_timer_ns;       /* no timer is due before */
    int64_t last_received_ns;
    int64_t reconnect_at_ns, connect_by_ns, pause_ns;
    unsigned ended; /* calls that ended in this wait */
    rpc_handler *handler;
    void *context;
    struct rpc_counters counters;
};

/* rpc_xprt.c */
void xprt_reply(struct rpc_xprt *xprt, const unsigned char *message, size_t length);
void xprt_sent(struct rpc_xprt *xprt, struct rpc_call *call); /* takes it, the queue's first, off the queue */
void xprt_down(struct rpc_xprt *xprt, const char *why);

/* rpc_io.c */
void xprt_flush(struct rpc_xprt *xprt);
void xprt_receive(struct rpc_xprt *xprt);
bool xprt_io_open(struct rpc_xprt *xprt); /* receive buffers; false: out of memory */
void xprt_io_close(struct rpc_xprt *xprt);

#endif
