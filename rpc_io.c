/* The transport's bytes: batches out, batches in. */
#include "rpc_xprt_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { BATCH_CALLS = 64, BATCH_DATAGRAMS = 16, MARK_BYTES = 4, PARTS = 3, MAX_RECEIVES = 8 };

static const unsigned char padding[4];

/* The parts of a call's message after its first `skip` bytes. Returns how many. */
static int message_parts(const struct rpc_call *call, size_t skip, struct iovec *parts)
{
    size_t pad = (4 - call->payload_bytes % 4) % 4;
    const struct iovec all[PARTS] = {
        {call->buffer, call->length},
        {(void *)(uintptr_t)call->payload, call->payload_bytes},
        {(void *)(uintptr_t)padding, pad},
    };
    int count = 0;
    for (int i = 0; i < PARTS; i++) {
        size_t taken = skip < all[i].iov_len ? skip : all[i].iov_len;
        skip -= taken;
        if (all[i].iov_len > taken) {
            parts[count++] = (struct iovec){(unsigned char *)all[i].iov_base + taken, all[i].iov_len - taken};
        }
    }
    return count;
}

static size_t message_bytes(const struct rpc_call *call)
{
    return call->length + ((call->payload_bytes + 3) & ~(size_t)3);
}

static struct rpc_call *queue_first(const struct rpc_xprt *xprt)
{
    return xprt->calls[xprt->queue_head];
}

/* Books `sent` bytes to the calls at the head of the queue. */
static void book_stream(struct rpc_xprt *xprt, size_t sent)
{
    while (sent > 0) {
        struct rpc_call *call = queue_first(xprt);
        size_t left = message_bytes(call) - xprt->head_sent;
        if (call->sent_ns == 0) {
            call->sent_ns = xprt->now_ns;
        }
        if (sent < left) {
            xprt->head_sent += sent;
            return;
        }
        sent -= left;
        xprt->head_sent = 0;
        xprt_sent(xprt, call);
    }
}

static void flush_stream(struct rpc_xprt *xprt)
{
    while (xprt->queue_length > 0 && xprt->link == LINK_UP) {
        struct iovec parts[BATCH_CALLS * PARTS];
        struct msghdr message = {.msg_iov = parts};
        size_t skip = xprt->head_sent;
        unsigned index = xprt->queue_head;
        for (unsigned i = 0; i < BATCH_CALLS && index != NO_CALL; i++) {
            const struct rpc_call *call = xprt->calls[index];
            message.msg_iovlen += (size_t)message_parts(call, skip, parts + message.msg_iovlen);
            skip = 0;
            index = call->next;
        }
        xprt->now_ns = clock_ns();
        ssize_t sent = sendmsg(xprt->fd, &message, MSG_NOSIGNAL);
        if (sent >= 0) {
            book_stream(xprt, (size_t)sent);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            xprt->send_blocked = true;
            return;
        } else if (errno != EINTR) {
            xprt_down(xprt, strerror(errno));
        }
    }
}

static void flush_datagrams(struct rpc_xprt *xprt)
{
    bool tried_again = false;
    while (xprt->queue_length > 0) {
        struct iovec parts[BATCH_CALLS * PARTS];
        struct mmsghdr messages[BATCH_CALLS];
        unsigned count = 0;
        int used = 0;
        memset(messages, 0, sizeof messages);
        for (unsigned index = xprt->queue_head; count < BATCH_CALLS && index != NO_CALL; count++) {
            const struct rpc_call *call = xprt->calls[index];
            int here = message_parts(call, MARK_BYTES, parts + used);
            messages[count].msg_hdr.msg_iov = parts + used;
            messages[count].msg_hdr.msg_iovlen = (size_t)here;
            used += here;
            index = call->next;
        }
        xprt->now_ns = clock_ns();
        int sent = sendmmsg(xprt->fd, messages, count, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            xprt->send_blocked = true;
            return;
        }
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0 && !tried_again) {
            tried_again = true; /* most likely what an earlier datagram drew, reported (and cleared) now */
            snprintf(xprt->trouble, sizeof xprt->trouble, "%s", strerror(errno));
            continue;
        }
        if (sent < 0) {
            /* What an earlier datagram drew (ICMP), or what this one cannot be sent for: its timer sends it again. */
            snprintf(xprt->trouble, sizeof xprt->trouble, "%s", strerror(errno));
            sent = 1;
        }
        for (int i = 0; i < sent; i++) {
            struct rpc_call *call = queue_first(xprt);
            if (call->sent_ns == 0) {
                call->sent_ns = xprt->now_ns;
            }
            xprt_sent(xprt, call);
        }
    }
}

void xprt_flush(struct rpc_xprt *xprt)
{
    if (xprt->queue_length == 0 || xprt->link != LINK_UP || xprt->send_blocked) {
        return;
    }
    if (xprt->config.tcp) {
        flush_stream(xprt);
    } else {
        flush_datagrams(xprt);
    }
}

static void receive_stream(struct rpc_xprt *xprt)
{
    for (int i = 0; i < MAX_RECEIVES && xprt->link == LINK_UP; i++) {
        size_t room = 0;
        unsigned char *to = rpc_record_room(&xprt->reader, &room);
        ssize_t got = recv(xprt->fd, to, room, 0);
        xprt->now_ns = clock_ns();
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
            return;
        }
        if (got <= 0) {
            xprt_down(xprt, got == 0 ? "connection closed by the server" : strerror(errno));
            return;
        }
        xprt->last_received_ns = xprt->now_ns;
        rpc_record_received(&xprt->reader, (size_t)got);
        const unsigned char *body = NULL;
        size_t length = 0;
        enum record_status status;
        while ((status = rpc_record_next(&xprt->reader, &body, &length)) == RECORD_READY) {
            xprt_reply(xprt, body, length);
        }
        if (status == RECORD_BAD) {
            xprt->counters.stray++;
            xprt_down(xprt, "the server's record marks make no sense");
            return;
        }
        if ((size_t)got < room) {
            return;
        }
    }
}

static void receive_datagrams(struct rpc_xprt *xprt)
{
    for (int round = 0; round < MAX_RECEIVES; round++) {
        struct iovec parts[BATCH_DATAGRAMS];
        struct mmsghdr messages[BATCH_DATAGRAMS];
        memset(messages, 0, sizeof messages);
        for (size_t i = 0; i < BATCH_DATAGRAMS; i++) {
            parts[i] = (struct iovec){xprt->datagrams + i * xprt->config.max_reply_bytes, xprt->config.max_reply_bytes};
            messages[i].msg_hdr.msg_iov = &parts[i];
            messages[i].msg_hdr.msg_iovlen = 1;
        }
        int got = recvmmsg(xprt->fd, messages, BATCH_DATAGRAMS, MSG_DONTWAIT, NULL);
        xprt->now_ns = clock_ns();
        if (got < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                snprintf(xprt->trouble, sizeof xprt->trouble, "%s", strerror(errno));
            }
            return;
        }
        xprt->last_received_ns = xprt->now_ns;
        for (int i = 0; i < got; i++) {
            if ((messages[i].msg_hdr.msg_flags & MSG_TRUNC) != 0) {
                xprt->counters.stray++;
                continue;
            }
            xprt_reply(xprt, parts[i].iov_base, messages[i].msg_len);
        }
        if (got < BATCH_DATAGRAMS) {
            return;
        }
    }
}

void xprt_receive(struct rpc_xprt *xprt)
{
    if (xprt->config.tcp) {
        receive_stream(xprt);
    } else {
        receive_datagrams(xprt);
    }
}

bool xprt_io_open(struct rpc_xprt *xprt)
{
    size_t max = xprt->config.max_reply_bytes;
    xprt->datagrams = malloc(xprt->config.tcp ? max + RECORD_SLACK + 8 : max * BATCH_DATAGRAMS);
    if (xprt->datagrams == NULL) {
        return false;
    }
    rpc_record_start(&xprt->reader, xprt->datagrams, max);
    return true;
}

void xprt_io_close(struct rpc_xprt *xprt)
{
    free(xprt->datagrams);
}
