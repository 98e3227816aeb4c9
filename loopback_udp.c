/* Datagrams of the loopback server: received and sent in batches. */
#include "loopback_inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

enum { BATCH = 64, DATAGRAM_BYTES = 65536, SEND_WAIT_MS = 5 };

struct udp_batch {
    struct mmsghdr in[BATCH], out[BATCH];
    struct iovec in_bytes[BATCH], out_bytes[BATCH];
    union address from[BATCH], to[BATCH];
    const struct source *udp; /* where `out` goes */
    unsigned out_count;
    unsigned char bytes[BATCH][DATAGRAM_BYTES];
};

bool udp_open(struct loopback *loopback)
{
    struct udp_batch *batch = malloc(sizeof *batch);
    loopback->udp_batch = batch;
    if (batch != NULL) {
        batch->out_count = 0;
    }
    return batch != NULL;
}

void udp_close(struct loopback *loopback)
{
    free(loopback->udp_batch);
    loopback->udp_batch = NULL;
}

void udp_flush(struct loopback *loopback)
{
    struct udp_batch *batch = loopback->udp_batch;
    unsigned done = 0;
    while (done < batch->out_count) {
        int sent = sendmmsg(batch->udp->fd, batch->out + done, batch->out_count - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            done += (unsigned)sent;
            continue;
        }
        struct pollfd wait = {.fd = batch->udp->fd, .events = POLLOUT};
        bool full = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS;
        if (errno != EINTR && !(full && poll(&wait, 1, SEND_WAIT_MS) > 0)) {
            done++; /* this one cannot be sent: datagrams may be lost */
        }
    }
    batch->out_count = 0;
    loopback->out_length = 0;
}

void udp_queue(struct loopback *loopback, const struct source *udp, const unsigned char *bytes, size_t length,
               const union address *to, socklen_t to_length)
{
    struct udp_batch *batch = loopback->udp_batch;
    if (batch->out_count == BATCH || (batch->out_count > 0 && batch->udp != udp)) {
        udp_flush(loopback);
    }
    unsigned at = batch->out_count++;
    batch->udp = udp;
    batch->to[at] = *to;
    /* sendmmsg() only reads the bytes; struct iovec has no const. */
    union {
        const unsigned char *given;
        void *wanted;
    } pointer = {.given = bytes};
    batch->out_bytes[at] = (struct iovec){.iov_base = pointer.wanted, .iov_len = length};
    batch->out[at] = (struct mmsghdr){.msg_hdr = {
                                          .msg_name = &batch->to[at],
                                          .msg_namelen = to_length,
                                          .msg_iov = &batch->out_bytes[at],
                                          .msg_iovlen = 1,
                                      }};
}

static void do_datagram(struct loopback *loopback, const struct source *udp, const struct mmsghdr *message,
                        int64_t arrival_ns)
{
    const union address *from = message->msg_hdr.msg_name;
    unsigned char *bytes = loopback->out + loopback->out_length;
    int64_t due_ns = 0;
    size_t length = call_do(loopback, message->msg_hdr.msg_iov->iov_base, message->msg_len, NFS_DATA_UDP_BYTES,
                            arrival_ns, bytes, &due_ns);
    if (length == 0) {
        return;
    }
    if (due_ns <= arrival_ns) {
        udp_queue(loopback, udp, bytes, length, from, message->msg_hdr.msg_namelen);
        loopback->out_length = (size_t)(bytes - loopback->out) + length; /* queueing may have reset it */
        if (loopback->out_length > OUT_FLUSH_BYTES) {
            udp_flush(loopback);
        }
        return;
    }
    struct reply *reply = due_new(length);
    if (reply != NULL) {
        reply->udp = udp;
        reply->to = *from;
        reply->to_length = message->msg_hdr.msg_namelen;
        memcpy(reply->bytes, bytes, length);
        due_add(loopback, reply, due_ns);
    }
}

void udp_event(struct loopback *loopback, const struct source *udp)
{
    if (due_full(loopback)) {
        loopback->starved = true;
        for (size_t i = 0; i < loopback->service_count; i++) {
            source_watch(loopback, &loopback->udp[i], 0);
        }
        return;
    }
    struct udp_batch *batch = loopback->udp_batch;
    for (unsigned i = 0; i < BATCH; i++) {
        batch->in_bytes[i] = (struct iovec){.iov_base = batch->bytes[i], .iov_len = DATAGRAM_BYTES};
        batch->in[i] = (struct mmsghdr){.msg_hdr = {
                                            .msg_name = &batch->from[i],
                                            .msg_namelen = sizeof batch->from[i],
                                            .msg_iov = &batch->in_bytes[i],
                                            .msg_iovlen = 1,
                                        }};
    }
    int count = recvmmsg(udp->fd, batch->in, BATCH, MSG_DONTWAIT, NULL);
    int64_t arrival_ns = clock_ns();
    for (int i = 0; i < count; i++) {
        do_datagram(loopback, udp, &batch->in[i], arrival_ns);
    }
    udp_flush(loopback);
}
