#include "rpc_xprt.h"

#include "random.h"
#include "rpc_socket.h"
#include "rpc_xprt_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INDEX_BITS = 10, XID_OFFSET = 4, PROCEDURE_OFFSET = 24, AUTH_OFFSET = 28, MARK_BYTES = 4 };

#define FIRST_PAUSE_NS     (10 * NS_PER_MS)
#define LONGEST_PAUSE_NS   NS_PER_SEC
#define CONNECT_LIMIT_NS   (5 * NS_PER_SEC)
#define LONGEST_RETRANS_NS (60 * NS_PER_SEC)
#define NEVER_NS           INT64_MAX

_Static_assert(1 << INDEX_BITS == XPRT_MAX_WINDOW, "an XID's low bits are its call's index");

/* Doubles with every try, up to a minute. */
static int64_t retrans_interval_ns(const struct rpc_config *config, unsigned tries)
{
    int64_t interval = config->timeout_ns;
    for (unsigned i = 1; i < tries && interval < LONGEST_RETRANS_NS; i++) {
        interval *= 2;
    }
    return interval;
}

int64_t rpc_call_limit_ns(const struct rpc_config *config)
{
    int64_t limit = 0;
    for (unsigned tries = 1; tries <= config->retrans + 1; tries++) {
        limit += retrans_interval_ns(config, tries);
    }
    return limit;
}

/* ---- the list of free calls and the send queue ---- */

static void free_call(struct rpc_xprt *xprt, struct rpc_call *call)
{
    call->state = CALL_FREE;
    call->next = xprt->free_head;
    xprt->free_head = call->index;
}

static void enqueue(struct rpc_xprt *xprt, struct rpc_call *call)
{
    call->state = CALL_QUEUED;
    call->next = NO_CALL;
    if (xprt->queue_length++ == 0) {
        xprt->queue_head = call->index;
    } else {
        xprt->calls[xprt->queue_tail]->next = call->index;
    }
    xprt->queue_tail = call->index;
}

/* Rare (a call that times out unsent), so it may walk the queue. */
static void dequeue(struct rpc_xprt *xprt, const struct rpc_call *call)
{
    unsigned before = NO_CALL;
    for (unsigned at = xprt->queue_head; at != call->index; at = xprt->calls[at]->next) {
        before = at;
    }
    if (before == NO_CALL) {
        xprt->queue_head = call->next;
    } else {
        xprt->calls[before]->next = call->next;
    }
    if (xprt->queue_tail == call->index) {
        xprt->queue_tail = before;
    }
    xprt->queue_length--;
}

static void set_timer(struct rpc_xprt *xprt, struct rpc_call *call, int64_t at_ns)
{
    call->timer_ns = at_ns;
    if (at_ns < xprt->next_timer_ns) {
        xprt->next_timer_ns = at_ns;
    }
}

static void new_xid(struct rpc_xprt *xprt, struct rpc_call *call)
{
    call->xid = xprt->sequence++ << INDEX_BITS | call->index;
    wire_store_u32(call->buffer + XID_OFFSET, call->xid);
}

/* ---- calls ---- */

static struct rpc_call *take_call(struct rpc_xprt *xprt)
{
    if (xprt->free_head != NO_CALL) {
        struct rpc_call *call = xprt->calls[xprt->free_head];
        xprt->free_head = call->next;
        return call;
    }
    if (xprt->made == XPRT_MAX_WINDOW) {
        return NULL;
    }
    struct rpc_call *call = calloc(1, sizeof *call);
    unsigned char *buffer = malloc(XPRT_CALL_BYTES);
    if (call == NULL || buffer == NULL) {
        free(call);
        free(buffer);
        return NULL;
    }
    call->index = xprt->made;
    call->buffer = buffer;
    xprt->calls[xprt->made++] = call;
    return call;
}

struct rpc_call *rpc_call_begin(struct rpc_xprt *xprt, uint32_t procedure)
{
    struct rpc_call *call = take_call(xprt);
    if (call == NULL) {
        return NULL;
    }
    memcpy(call->buffer, xprt->header, xprt->header_bytes);
    wire_store_u32(call->buffer + PROCEDURE_OFFSET, procedure);
    new_xid(xprt, call);
    call->state = CALL_BEGUN;
    call->sent_ns = 0;
    call->done_ns = 0;
    call->sends = 0;
    xdrmem_create(&call->xdr, (char *)call->buffer + xprt->header_bytes, (u_int)(XPRT_CALL_BYTES - xprt->header_bytes),
                  XDR_ENCODE);
    return call;
}

void rpc_call_drop(struct rpc_xprt *xprt, struct rpc_call *call)
{
    free_call(xprt, call);
}

bool rpc_call_submit(struct rpc_xprt *xprt, struct rpc_call *call, const void *payload, size_t payload_bytes)
{
    call->length = xprt->header_bytes + xdr_getpos(&call->xdr);
    call->payload = payload;
    call->payload_bytes = payload_bytes;
    size_t record = call->length - MARK_BYTES + ((payload_bytes + 3) & ~(size_t)3);
    if (record > INT32_MAX) {
        free_call(xprt, call);
        return false;
    }
    /* One fragment, the last of its record (RFC 5531 section 11). */
    wire_store_u32(call->buffer, 0x80000000U | (uint32_t)record);
    xprt->outstanding++;
    enqueue(xprt, call);
    /* The clock as last read may be old: a caller may have done other things since. */
    set_timer(xprt, call, clock_ns() + rpc_call_limit_ns(&xprt->config));
    return true;
}

void rpc_call_again(struct rpc_xprt *xprt, struct rpc_call *call, int64_t at_ns)
{
    call->state = CALL_DELAYED;
    xprt->outstanding++;
    set_timer(xprt, call, at_ns);
}

/* Hands the call over; its place is free again unless the handler called rpc_call_again. */
static void end_call(struct rpc_xprt *xprt, struct rpc_call *call, enum call_end end)
{
    call->state = CALL_ENDING;
    call->end = end;
    call->done_ns = xprt->now_ns;
    xprt->outstanding--;
    xprt->ended++;
    xprt->handler(xprt->context, call);
    if (call->state == CALL_ENDING) {
        free_call(xprt, call);
    }
}

void xprt_sent(struct rpc_xprt *xprt, struct rpc_call *call)
{
    xprt->queue_head = call->next;
    xprt->queue_length--;
    call->state = CALL_SENT;
    if (call->sends++ > 0) {
        xprt->counters.retransmits++;
    }
    if (!xprt->config.tcp) {
        set_timer(xprt, call, xprt->now_ns + retrans_interval_ns(&xprt->config, call->sends));
    }
}

void xprt_reply(struct rpc_xprt *xprt, const unsigned char *message, size_t length)
{
    struct wire_in in = wire_reader(message, length);
    struct reply_header header = reply_header_read(&in);
    unsigned index = header.xid & (XPRT_MAX_WINDOW - 1);
    struct rpc_call *call = length >= 4 && index < xprt->made ? xprt->calls[index] : NULL;
    /* A call sent again and waiting in the queue may be answered by the reply to its first copy. */
    bool waiting = call != NULL && (call->state == CALL_SENT || (call->state == CALL_QUEUED && call->sends > 0));
    if (!waiting || call->xid != header.xid) {
        xprt->counters.stray++;
        return;
    }
    if (call->state == CALL_QUEUED) {
        if (xprt->head_sent > 0 && xprt->queue_head == index) {
            return; /* half of its copy is in the stream: the rest must follow, and will be answered too */
        }
        dequeue(xprt, call);
    }
    xprt->pause_ns = FIRST_PAUSE_NS;
    call->header = header;
    call->results = in;
    end_call(xprt, call,
             header.verdict == REPLY_ACCEPTED   ? CALL_REPLIED
             : header.verdict == REPLY_REJECTED ? CALL_REJECTED
                                                : CALL_GARBAGE);
}

/* ---- the connection ---- */

void xprt_down(struct rpc_xprt *xprt, const char *why)
{
    snprintf(xprt->trouble, sizeof xprt->trouble, "%s", why);
    if (xprt->fd >= 0) {
        close(xprt->fd);
        xprt->fd = -1;
    }
    xprt->link = LINK_DOWN;
    xprt->send_blocked = false;
    xprt->head_sent = 0;
    rpc_record_start(&xprt->reader, xprt->reader.buffer, xprt->config.max_reply_bytes);
    for (unsigned i = 0; i < xprt->made; i++) {
        if (xprt->calls[i]->state == CALL_SENT) {
            enqueue(xprt, xprt->calls[i]);
        }
    }
    xprt->reconnect_at_ns = xprt->now_ns + xprt->pause_ns;
    xprt->pause_ns = xprt->pause_ns * 2 > LONGEST_PAUSE_NS ? LONGEST_PAUSE_NS : xprt->pause_ns * 2;
}

static void start_connecting(struct rpc_xprt *xprt)
{
    xprt->fd = rpc_socket_start(&xprt->config);
    if (xprt->fd < 0) {
        xprt_down(xprt, strerror(errno));
        return;
    }
    xprt->link = LINK_CONNECTING;
    xprt->connect_by_ns = xprt->now_ns + CONNECT_LIMIT_NS;
}

static void finish_connecting(struct rpc_xprt *xprt)
{
    int error = rpc_socket_finish(xprt->fd, xprt->now_ns, NULL);
    if (error != 0) {
        xprt_down(xprt, strerror(error));
        return;
    }
    xprt->link = LINK_UP;
    xprt->counters.reconnects++;
}

/* ---- time ---- */

/* A call's time has come: over UDP it is sent again, or it has waited long enough. */
static void call_timer(struct rpc_xprt *xprt, struct rpc_call *call)
{
    if (call->state == CALL_DELAYED) {
        new_xid(xprt, call);
        call->sends = 0;
        enqueue(xprt, call);
        set_timer(xprt, call, xprt->now_ns + rpc_call_limit_ns(&xprt->config));
        return;
    }
    if (!xprt->config.tcp && call->state == CALL_SENT && call->sends <= xprt->config.retrans) {
        enqueue(xprt, call);
        set_timer(xprt, call, xprt->now_ns + rpc_call_limit_ns(&xprt->config));
        return;
    }
    bool half_sent = xprt->head_sent > 0 && xprt->queue_head == call->index;
    bool silent = call->sent_ns != 0 && xprt->last_received_ns < call->sent_ns;
    if (xprt->config.tcp && xprt->link == LINK_UP && (half_sent || silent)) {
        /* Nothing came since: the connection may be dead at the other end only. A new one tells. */
        xprt_down(xprt, "no answer");
    }
    if (call->state == CALL_QUEUED) {
        dequeue(xprt, call);
    }
    end_call(xprt, call, CALL_TIMEOUT);
}

static void run_timers(struct rpc_xprt *xprt)
{
    if (xprt->now_ns < xprt->next_timer_ns) {
        return;
    }
    xprt->next_timer_ns = NEVER_NS;
    for (unsigned i = 0; i < xprt->made; i++) {
        struct rpc_call *call = xprt->calls[i];
        bool timed = call->state == CALL_QUEUED || call->state == CALL_SENT || call->state == CALL_DELAYED;
        if (timed && call->timer_ns <= xprt->now_ns) {
            call_timer(xprt, call);
        } else if (timed) {
            set_timer(xprt, call, call->timer_ns);
        }
    }
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void wait_once(struct rpc_xprt *xprt, int64_t until_ns)
{
    short events = POLLIN;
    until_ns = earlier(until_ns, xprt->next_timer_ns);
    if (xprt->link == LINK_DOWN) {
        until_ns = earlier(until_ns, xprt->reconnect_at_ns);
        events = 0;
    } else if (xprt->link == LINK_CONNECTING) {
        until_ns = earlier(until_ns, xprt->connect_by_ns);
        events = POLLOUT;
    } else if (xprt->send_blocked) {
        events = POLLIN | POLLOUT;
    }
    short ready = rpc_socket_poll(xprt->fd, events, until_ns);
    xprt->now_ns = clock_ns();
    switch (xprt->link) {
    case LINK_DOWN:
        if (xprt->now_ns >= xprt->reconnect_at_ns) {
            start_connecting(xprt);
        }
        break;
    case LINK_CONNECTING:
        if (ready != 0) {
            finish_connecting(xprt);
        } else if (xprt->now_ns >= xprt->connect_by_ns) {
            xprt_down(xprt, strerror(ETIMEDOUT));
        }
        break;
    case LINK_UP:
        if ((ready & POLLOUT) != 0) {
            xprt->send_blocked = false;
        }
        if ((ready & ~POLLOUT) != 0) {
            xprt_receive(xprt);
        }
        break;
    }
}

int64_t rpc_xprt_wait(struct rpc_xprt *xprt, int64_t until_ns, rpc_handler *handler, void *context)
{
    xprt->handler = handler;
    xprt->context = context;
    xprt->ended = 0;
    do {
        xprt_flush(xprt);
        wait_once(xprt, until_ns);
        run_timers(xprt);
    } while (xprt->ended == 0 && xprt->now_ns < until_ns);
    xprt_flush(xprt);
    return xprt->now_ns;
}

/* ---- opening and closing ---- */

/* RFC 5531 section 9: XID, CALL, RPC version 2, program, version, procedure, credentials, verifier. */
static void make_header(struct rpc_xprt *xprt)
{
    struct wire_out out = wire_writer(xprt->header, sizeof xprt->header);
    wire_put_u32(&out, 0); /* record mark */
    wire_put_u32(&out, 0); /* XID */
    wire_put_u32(&out, 0);
    wire_put_u32(&out, 2);
    wire_put_u32(&out, xprt->config.program);
    wire_put_u32(&out, xprt->config.version);
    wire_put_u32(&out, 0); /* procedure */
    wire_put_fixed(&out, xprt->config.auth.bytes, xprt->config.auth.length);
    xprt->header_bytes = (size_t)(out.at - xprt->header);
}

struct rpc_xprt *rpc_xprt_open(const struct rpc_config *config, int64_t deadline_ns, struct problem *problem)
{
    struct rpc_xprt *xprt = calloc(1, sizeof *xprt);
    if (xprt == NULL) {
        problem_set(problem, "out of memory");
        return NULL;
    }
    xprt->config = *config;
    xprt->fd = -1;
    xprt->free_head = NO_CALL;
    xprt->next_timer_ns = NEVER_NS;
    xprt->pause_ns = FIRST_PAUSE_NS;
    xprt->now_ns = clock_ns();
    /* A server's duplicate request cache must not take a new run's calls for an old one's. */
    xprt->sequence = (uint32_t)mix64((uint64_t)xprt->now_ns ^ (uint64_t)getpid() << 40);
    make_header(xprt);
    if (!xprt_io_open(xprt)) {
        problem_set(problem, "out of memory");
        rpc_xprt_close(xprt);
        return NULL;
    }
    xprt->fd = rpc_socket_start(config);
    int error = xprt->fd < 0 ? errno : config->tcp ? rpc_socket_finish(xprt->fd, deadline_ns, config->watch) : 0;
    if (error != 0) {
        problem_set(problem, "%s", error == ECANCELED ? "interrupted" : strerror(error));
        rpc_xprt_close(xprt);
        return NULL;
    }
    xprt->link = LINK_UP;
    return xprt;
}

void rpc_xprt_close(struct rpc_xprt *xprt)
{
    if (xprt == NULL) {
        return;
    }
    for (unsigned i = 0; i < xprt->made; i++) {
        free(xprt->calls[i]->buffer);
        free(xprt->calls[i]);
    }
    if (xprt->fd >= 0) {
        close(xprt->fd);
    }
    xprt_io_close(xprt);
    free(xprt);
}

void rpc_xprt_abandon(struct rpc_xprt *xprt)
{
    if (xprt->head_sent > 0) {
        /* Half a message is in the stream: nothing sensible can follow it. */
        xprt_down(xprt, "given up");
    }
    for (unsigned i = 0; i < xprt->made; i++) {
        struct rpc_call *call = xprt->calls[i];
        if (call->state == CALL_QUEUED || call->state == CALL_SENT || call->state == CALL_DELAYED) {
            free_call(xprt, call);
        }
    }
    xprt->outstanding = 0;
    xprt->queue_length = 0;
    xprt->queue_head = xprt->queue_tail = NO_CALL;
}

unsigned rpc_xprt_outstanding(const struct rpc_xprt *xprt)
{
    return xprt->outstanding;
}

struct rpc_counters rpc_xprt_counters(const struct rpc_xprt *xprt)
{
    return xprt->counters;
}

const char *rpc_xprt_trouble(const struct rpc_xprt *xprt)
{
    return xprt->trouble;
}
