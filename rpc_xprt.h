/*
 * rpc_xprt.h - asynchronous ONC RPC (RFC 5531) to one program of one server over one TCP connection or UDP socket.
 *
 * Many calls may be outstanding; calls begun between two waits go out in one system call; replies find their call by
 * XID. A caller begins a call, encodes its arguments with libtirpc's XDR, submits it, and gets it back through its
 * handler exactly once: with a reply, or with the reason why there is none.
 *
 * Lost messages: over UDP a call is sent again, under its own XID, after timeout_ns, then after twice that, and so on,
 * `retrans` times; if the last try stays unanswered as long again, the call ends as CALL_TIMEOUT. Over TCP nothing is
 * sent twice on one connection; a call has the same time in all; when the connection breaks, it is made again (with
 * growing pauses, 10 ms to 1 s) and the calls still waiting are sent again on it under their own XIDs.
 *
 * Memory is bounded by the window and by max_reply_bytes, whatever the peer sends. All times are CLOCK_MONOTONIC ns.
 */
#ifndef RPC_XPRT_H
#define RPC_XPRT_H

#include "rpc_reply.h"
#include "units.h"
#include "watch.h"

#include <rpc/rpc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    XPRT_MAX_WINDOW = 1024, /* calls outstanding */
    XPRT_CALL_BYTES = 2560, /* header, credentials, arguments; WRITE's data are not among them */
    XPRT_AUTH_BYTES = 512,
    XPRT_MAX_RETRANS = 20,
};

struct rpc_auth {
    size_t length; /* credentials and verifier as they go on the wire */
    unsigned char bytes[XPRT_AUTH_BYTES];
};

/* AUTH_NONE (RFC 5531 section 8.1). */
void rpc_auth_none(struct rpc_auth *auth);

/* AUTH_SYS (RFC 5531 appendix A) with the process's effective ids and its first 16 groups; *groups is how many it has.
 */
bool rpc_auth_sys(struct rpc_auth *auth, size_t *groups, struct problem *problem);

struct rpc_config {
    struct sockaddr_storage peer;
    socklen_t peer_bytes;
    bool tcp;
    bool reserved_port; /* from a source port below 1024: needs the privilege */
    uint32_t program;
    uint32_t version;
    int64_t timeout_ns;
    unsigned retrans;       /* at most XPRT_MAX_RETRANS */
    size_t max_reply_bytes; /* a longer reply is garbage */
    struct rpc_auth auth;
    const struct watch *watch; /* may end rpc_xprt_open early; NULL: nobody asks */
};

enum call_end {
    CALL_REPLIED,  /* accepted: `results` are the procedure's */
    CALL_REJECTED, /* see header */
    CALL_GARBAGE,  /* the reply with this call's XID was none */
    CALL_TIMEOUT,
    CALL_LOST, /* the transport was closed with the call outstanding */
};

struct rpc_call {
    unsigned index; /* below XPRT_MAX_WINDOW: for what the caller keeps of a call */
    XDR xdr;        /* for the caller's arguments, between rpc_call_begin and rpc_call_submit */

    /* set for the handler */
    enum call_end end;
    struct reply_header header;
    struct wire_in results;
    int64_t sent_ns; /* when it was first handed to the kernel; 0 when it never was */
    int64_t done_ns; /* when its reply was there */
    unsigned sends;

    /* the transport's own */
    uint32_t xid;
    int state;
    size_t length;
    const void *payload;
    size_t payload_bytes;
    int64_t timer_ns;
    unsigned next;
    unsigned char *buffer;
};

struct rpc_xprt;

/* Called for each call that ends. It may begin and submit further calls, among them this one again, but not wait. */
typedef void rpc_handler(void *context, struct rpc_call *call);

struct rpc_counters {
    uint64_t retransmits;
    uint64_t reconnects;
    uint64_t stray; /* replies that no call waits for, unreadable datagrams, broken record streams */
};

/* Connects (TCP) by deadline_ns; NULL and a line that says why not. */
struct rpc_xprt *rpc_xprt_open(const struct rpc_config *config, int64_t deadline_ns, struct problem *problem);

/* Outstanding calls end as CALL_LOST without a handler; all is freed. */
void rpc_xprt_close(struct rpc_xprt *xprt);

/* Forgets all outstanding calls, without their handlers; replies that still come are stray. Not from a handler. */
void rpc_xprt_abandon(struct rpc_xprt *xprt);

/* How many calls are outstanding. */
unsigned rpc_xprt_outstanding(const struct rpc_xprt *xprt);

/* NULL when XPRT_MAX_WINDOW calls are outstanding (one that is in its handler counts) or memory is out. */
struct rpc_call *rpc_call_begin(struct rpc_xprt *xprt, uint32_t procedure);

/* Gives a call back that was begun and is not to be made. */
void rpc_call_drop(struct rpc_xprt *xprt, struct rpc_call *call);

/*
 * `payload` (may be NULL) goes after the encoded arguments, padded to four bytes, from where it lies: it must stay
 * there until the call ends. Arguments that an encoder could not fit in must not be submitted: drop the call. False:
 * the message is longer than a record can be, and the call is given back.
 */
bool rpc_call_submit(struct rpc_xprt *xprt, struct rpc_call *call, const void *payload, size_t payload_bytes);

/* In a handler, instead of letting the call end: sends the same arguments again at `at_ns`, as a new call (new XID). */
void rpc_call_again(struct rpc_xprt *xprt, struct rpc_call *call, int64_t at_ns);

/*
 * Sends what was submitted, then receives and hands over what comes until `until_ns`, or returns as soon as at least
 * one call has ended. until_ns in the past: looks once. Returns the time after its last wait.
 */
int64_t rpc_xprt_wait(struct rpc_xprt *xprt, int64_t until_ns, rpc_handler *handler, void *context);

struct rpc_counters rpc_xprt_counters(const struct rpc_xprt *xprt);

/* The last failure the kernel reported of the socket ("Connection refused"), "" if none. */
const char *rpc_xprt_trouble(const struct rpc_xprt *xprt);

/* The whole time that a call may take, ns: the retransmission intervals, which double until they exceed a minute. */
int64_t rpc_call_limit_ns(const struct rpc_config *config);

#endif
