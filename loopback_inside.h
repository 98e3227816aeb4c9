/*
 * loopback_inside.h - what the network files of the loopback server share: its sockets, connections, delayed replies.
 *
 * One thread, one epoll. What may be held for clients is bounded: replies a client does not read, and replies not yet
 * due, each by connection and in all; beyond, calls are left in the socket until there is room again.
 */
#ifndef LOOPBACK_INSIDE_H
#define LOOPBACK_INSIDE_H

#include "loopback.h"
#include "loopback_nfs.h"
#include "loopback_record.h"
#include "loopback_service.h"

#include <netinet/in.h>
#include <sys/socket.h>

enum {
    SERVICES_MAX = 2,         /* NFS and MOUNT */
    OUT_FLUSH_BYTES = 262144, /* replies are sent when so many have come together */
    SPARE_BUFFERS_MAX = 8,
    UNSENT_MAX_BYTES = 8 << 20,   /* of a connection; passed by one batch at most */
    PENDING_MAX_BYTES = 64 << 20, /* of a connection, not yet due */
    PENDING_ALL_MAX_BYTES = 512 << 20,
};

/* Longest time in one go without looking at the clock of delayed replies and the stop. */
#define SLICE_NS (5 * NS_PER_MS)

enum source_kind { SOURCE_STOP, SOURCE_LISTENER, SOURCE_UDP, SOURCE_CONNECTION };

/* What an epoll event points at: the first member of each kind. */
struct source {
    enum source_kind kind;
    int fd; /* negative: closed */
};

/* Room for an address of either family. */
union address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

struct connection {
    struct source source;
    uint32_t events; /* what epoll waits for */
    uint64_t nfs_calls;
    struct record_buffer records; /* `bytes` only while something is held */
    unsigned char *unsent;
    size_t unsent_at, unsent_end, unsent_capacity;
    size_t pending_bytes; /* of replies not yet due */
    size_t pending_count;
    bool hungry;                        /* no complete record is held */
    bool ended;                         /* nothing more is read: the client's end of file, or a disconnect fault */
    bool broken;                        /* the socket failed */
    bool ready;                         /* is on the list of those to go on with */
    bool flushed;                       /* is on the list of those to flush */
    struct connection *previous, *next; /* of all open ones; `next` also of the closed ones to be freed */
    struct connection *next_ready, *next_flush;
};

/* A reply that waits for its time. */
struct reply {
    struct connection *connection; /* NULL: UDP */
    const struct source *udp;
    union address to;
    socklen_t to_length;
    size_t length;
    unsigned char bytes[]; /* over TCP with its record mark */
};

struct due {
    int64_t due_ns;
    uint64_t order; /* first come, first out among equals */
    struct reply *reply;
};

struct udp_batch;

struct loopback {
    struct loopback_config config;
    struct nfs *nfs;
    struct service service;
    struct rng fault_rng;
    int epoll_fd;
    uint16_t ports[SERVICES_MAX];
    struct source stop;
    struct source listeners[SERVICES_MAX];
    struct source udp[SERVICES_MAX];
    size_t service_count;   /* 1 where both programs have one port */
    int64_t accept_from_ns; /* out of descriptors: accept nothing before; 0: as usual */
    struct connection *connections;
    struct connection *ready;
    struct connection *closed;
    struct due *heap;
    size_t heap_count, heap_capacity;
    uint64_t heap_order;
    size_t pending_bytes; /* of all replies in the heap */
    bool starved;         /* some connection or socket was left unread for `pending_bytes` */
    unsigned char *in;    /* a record buffer for connections that hold nothing */
    unsigned char *out;   /* OUT_FLUSH_BYTES and the longest reply */
    size_t out_length;
    unsigned char *spares[SPARE_BUFFERS_MAX];
    size_t spare_count;
    struct udp_batch *udp_batch;
    int64_t slice_end_ns;
    bool coarse_waits; /* the kernel has no epoll_pwait2() */
};

/* Do the service law and the faults apply at present? */
bool call_is_armed(const struct loopback *loopback);

/* loopback_call.c: faults, service and answer of one call. Returns the length of the reply in `reply`, of
   NFS_REPLY_MAX_BYTES, to be sent at *due_ns; 0: none. */
size_t call_do(struct loopback *loopback, const unsigned char *call, size_t length, uint32_t data_bytes,
               int64_t arrival_ns, unsigned char *reply, int64_t *due_ns);

/* loopback_due.c: delayed replies. A reply of `length` bytes to fill; NULL when memory is out. */
struct reply *due_new(size_t length);
/* Into the heap; drops the reply when memory is out. */
void due_add(struct loopback *loopback, struct reply *reply, int64_t due_ns);
/* The first reply due by now_ns, out of the heap and for the caller to free; NULL: none. */
struct reply *due_take(struct loopback *loopback, int64_t now_ns);
/* Hand out what is due by now_ns. */
void due_deliver(struct loopback *loopback, int64_t now_ns);
void due_free(struct loopback *loopback);
bool due_full(const struct loopback *loopback);

/* loopback_tcp.c */
void tcp_accept(struct loopback *loopback, struct source *listener);
void tcp_event(struct loopback *loopback, struct connection *connection, uint32_t events);
/* Go on with the connections whose records wait. */
void tcp_ready(struct loopback *loopback);
/* Let every connection look again whether it may read. */
void tcp_resume_all(struct loopback *loopback);
/* Put a due reply behind what is unsent; tcp_flush sends it. */
void tcp_deliver(struct connection *connection, const struct reply *reply);
void tcp_flush(struct loopback *loopback, struct connection *connection);
/* A delayed reply of the connection is gone. */
void tcp_reply_gone(struct loopback *loopback, struct connection *connection, size_t bytes);
void tcp_free_closed(struct loopback *loopback);
void tcp_close_all(struct loopback *loopback);

/* loopback_udp.c */
bool udp_open(struct loopback *loopback);
void udp_event(struct loopback *loopback, const struct source *udp);
/* Queue a due datagram; udp_flush sends all. `bytes` stays valid until then. */
void udp_queue(struct loopback *loopback, const struct source *udp, const unsigned char *bytes, size_t length,
               const union address *to, socklen_t to_length);
void udp_flush(struct loopback *loopback);
void udp_close(struct loopback *loopback);

/* loopback.c: whether epoll reports a source from now on. */
void source_watch(const struct loopback *loopback, struct source *source, uint32_t events);

#endif
