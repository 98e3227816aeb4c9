/* TCP connections of the loopback server. */
#include "loopback_inside.h"

#include "wire.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { MARK_BYTES = 4, RECEIVE_BYTES = 262144, UNSENT_KEPT_BYTES = 65536, ACCEPT_AT_ONCE = 64, CALLS_A_LOOK = 64 };

static const uint32_t record_mark = UINT32_C(1) << 31;
static const int64_t accept_pause_ns = 100 * NS_PER_MS;

static size_t unsent_bytes(const struct connection *connection)
{
    return connection->unsent_end - connection->unsent_at;
}

static bool is_full(struct loopback *loopback, const struct connection *connection)
{
    if (due_full(loopback)) {
        loopback->starved = true;
        return true;
    }
    return unsent_bytes(connection) > UNSENT_MAX_BYTES || connection->pending_bytes > PENDING_MAX_BYTES;
}

static void connection_bury(struct loopback *loopback, struct connection *connection)
{
    connection->next = loopback->closed;
    loopback->closed = connection;
}

static void buffer_give(struct loopback *loopback, struct connection *connection)
{
    unsigned char *bytes = connection->records.bytes;
    connection->records = (struct record_buffer){.bytes = NULL};
    if (bytes == NULL || bytes == loopback->in) {
        return;
    }
    if (loopback->spare_count < SPARE_BUFFERS_MAX) {
        loopback->spares[loopback->spare_count++] = bytes;
    } else {
        free(bytes);
    }
}

/* Close the socket now; the memory goes when nothing points at it any more. */
static void connection_close(struct loopback *loopback, struct connection *connection)
{
    if (connection->source.fd < 0) {
        return;
    }
    close(connection->source.fd); /* leaves epoll by that */
    connection->source.fd = -1;
    buffer_give(loopback, connection);
    free(connection->unsent);
    connection->unsent = NULL;
    connection->unsent_at = connection->unsent_end = connection->unsent_capacity = 0;
    if (connection->previous != NULL) {
        connection->previous->next = connection->next;
    } else {
        loopback->connections = connection->next;
    }
    if (connection->next != NULL) {
        connection->next->previous = connection->previous;
    }
    if (connection->pending_count == 0) {
        connection_bury(loopback, connection);
    }
    if (loopback->accept_from_ns != 0) {
        loopback->accept_from_ns = 1; /* a descriptor is free: accept again */
    }
}

void tcp_reply_gone(struct loopback *loopback, struct connection *connection, size_t bytes)
{
    connection->pending_bytes -= bytes;
    connection->pending_count--;
    if (connection->pending_count == 0 && connection->source.fd < 0) {
        connection_bury(loopback, connection);
    }
}

void tcp_free_closed(struct loopback *loopback)
{
    while (loopback->closed != NULL) {
        struct connection *connection = loopback->closed;
        loopback->closed = connection->next;
        free(connection);
    }
}

static void unsent_add(struct connection *connection, const unsigned char *bytes, size_t length)
{
    if (connection->unsent_at > 0 && connection->unsent_end + length > connection->unsent_capacity) {
        memmove(connection->unsent, connection->unsent + connection->unsent_at, unsent_bytes(connection));
        connection->unsent_end -= connection->unsent_at;
        connection->unsent_at = 0;
    }
    if (connection->unsent_end + length > connection->unsent_capacity) {
        size_t capacity = connection->unsent_capacity == 0 ? 4096 : connection->unsent_capacity;
        while (capacity < connection->unsent_end + length) {
            capacity *= 2;
        }
        unsigned char *unsent = realloc(connection->unsent, capacity);
        if (unsent == NULL) {
            connection->broken = true;
            return;
        }
        connection->unsent = unsent;
        connection->unsent_capacity = capacity;
    }
    memcpy(connection->unsent + connection->unsent_end, bytes, length);
    connection->unsent_end += length;
}

/* How much of the bytes the socket took. */
static size_t send_some(struct connection *connection, const unsigned char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length && !connection->broken) {
        ssize_t sent = send(connection->source.fd, bytes + done, length - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            done += (size_t)sent;
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            break;
        } else if (sent == 0 || errno != EINTR) {
            connection->broken = true;
        }
    }
    return done;
}

static void send_unsent(struct connection *connection)
{
    if (unsent_bytes(connection) == 0) {
        return;
    }
    connection->unsent_at +=
        send_some(connection, connection->unsent + connection->unsent_at, unsent_bytes(connection));
    if (connection->unsent_at == connection->unsent_end) {
        connection->unsent_at = connection->unsent_end = 0;
        if (connection->unsent_capacity > UNSENT_KEPT_BYTES) {
            free(connection->unsent);
            connection->unsent = NULL;
            connection->unsent_capacity = 0;
        }
    }
}

/* Send the batch of replies in `out`; what the socket does not take is kept. */
static void send_out(struct loopback *loopback, struct connection *connection)
{
    size_t done = 0;
    if (unsent_bytes(connection) == 0) {
        done = send_some(connection, loopback->out, loopback->out_length);
    }
    if (done < loopback->out_length && !connection->broken) {
        unsent_add(connection, loopback->out + done, loopback->out_length - done);
    }
    loopback->out_length = 0;
}

/* False when the call is the one at which a fault ends the connection. */
static bool do_call(struct loopback *loopback, struct connection *connection, const unsigned char *call, size_t length,
                    int64_t arrival_ns)
{
    uint64_t every = call_is_armed(loopback) ? loopback->config.disconnect_every : 0;
    if (every > 0 && nfs_is_nfs_call(call, length) && ++connection->nfs_calls % every == 0) {
        connection->ended = true;
        return false;
    }
    unsigned char *marked = loopback->out + loopback->out_length;
    int64_t due_ns = 0;
    size_t reply_length = call_do(loopback, call, length, NFS_DATA_TCP_BYTES, arrival_ns, marked + MARK_BYTES, &due_ns);
    if (reply_length == 0) {
        return true;
    }
    wire_store_u32(marked, record_mark | (uint32_t)reply_length);
    if (due_ns <= arrival_ns) {
        loopback->out_length += MARK_BYTES + reply_length;
        return true;
    }
    struct reply *reply = due_new(MARK_BYTES + reply_length);
    if (reply != NULL) {
        reply->connection = connection;
        memcpy(reply->bytes, marked, reply->length);
        due_add(loopback, reply, due_ns);
    }
    return true;
}

static void make_ready(struct loopback *loopback, struct connection *connection)
{
    if (!connection->ready) {
        connection->ready = true;
        connection->next_ready = loopback->ready;
        loopback->ready = connection;
    }
}

/* Do the complete records held, until none is left, the client must read first, or others have waited enough. */
static void do_records(struct loopback *loopback, struct connection *connection)
{
    int64_t arrival_ns = clock_ns();
    unsigned calls = 0;
    bool cut = false;
    connection->hungry = false;
    while (!connection->broken && !cut) {
        if (is_full(loopback, connection)) {
            break;
        }
        if (calls >= CALLS_A_LOOK && clock_ns() > loopback->slice_end_ns) {
            make_ready(loopback, connection);
            break;
        }
        const unsigned char *record = NULL;
        size_t length = 0;
        enum record_state state = record_next(&connection->records, &record, &length);
        if (state != RECORD_READY) {
            connection->hungry = state == RECORD_MORE;
            connection->broken = state == RECORD_BAD;
            break;
        }
        calls = calls < CALLS_A_LOOK ? calls + 1 : 1;
        cut = !do_call(loopback, connection, record, length, arrival_ns);
        if (loopback->out_length > OUT_FLUSH_BYTES) {
            send_out(loopback, connection);
            calls = CALLS_A_LOOK; /* that many bytes take their time */
        }
    }
    if (loopback->out_length > 0) {
        send_out(loopback, connection);
    }
    if (cut) {
        buffer_give(loopback, connection); /* what was sent behind the last call is lost with the connection */
        connection->hungry = true;
    }
}

/* What is held between events lies in memory of the connection's own. */
static void keep_records(struct loopback *loopback, struct connection *connection)
{
    if (connection->records.bytes == NULL) {
        return;
    }
    if (record_empty(&connection->records)) {
        buffer_give(loopback, connection);
        return;
    }
    if (connection->records.bytes == loopback->in) {
        unsigned char *bytes =
            loopback->spare_count > 0 ? loopback->spares[--loopback->spare_count] : malloc(RECORD_BUFFER_BYTES);
        if (bytes == NULL) {
            connection->broken = true;
            return;
        }
        record_move(&connection->records, bytes);
    }
}

/* After anything that was done with a connection: close it, or wait for the right events. */
static void connection_settle(struct loopback *loopback, struct connection *connection)
{
    keep_records(loopback, connection);
    bool done = connection->ended && connection->hungry && connection->pending_count == 0;
    if (connection->broken || (done && unsent_bytes(connection) == 0)) {
        connection_close(loopback, connection);
        return;
    }
    uint32_t events = unsent_bytes(connection) > 0 ? EPOLLOUT : 0;
    if (!connection->ended && connection->hungry && !is_full(loopback, connection)) {
        events |= EPOLLIN;
    }
    if (events != connection->events) {
        connection->events = events;
        source_watch(loopback, &connection->source, events);
    }
}

static void receive(struct loopback *loopback, struct connection *connection)
{
    if (connection->records.bytes == NULL) {
        connection->records.bytes = loopback->in;
    }
    size_t room = 0;
    unsigned char *into = record_room(&connection->records, &room);
    size_t most = connection->records.fragment_left > RECEIVE_BYTES ? connection->records.fragment_left : RECEIVE_BYTES;
    ssize_t got = recv(connection->source.fd, into, room < most ? room : most, MSG_DONTWAIT);
    if (got > 0) {
        record_received(&connection->records, (size_t)got);
        do_records(loopback, connection);
    } else if (got == 0) {
        connection->ended = true;
    } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        connection->broken = true;
    }
}

/* Go on with records held, where the client or the replies not yet due allow it again. */
static void go_on(struct loopback *loopback, struct connection *connection)
{
    if (!connection->hungry && !connection->ready && !connection->broken) {
        do_records(loopback, connection);
    }
    connection_settle(loopback, connection);
}

void tcp_event(struct loopback *loopback, struct connection *connection, uint32_t events)
{
    if (connection->source.fd < 0) {
        return;
    }
    if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
        connection->broken = true;
    }
    if ((events & EPOLLOUT) != 0 && !connection->broken) {
        send_unsent(connection);
    }
    /* hungry: what is held has no complete record, so that it may be moved to make room. */
    if ((events & EPOLLIN) != 0 && !connection->broken && !connection->ended && connection->hungry) {
        receive(loopback, connection);
    }
    go_on(loopback, connection);
}

void tcp_ready(struct loopback *loopback)
{
    struct connection *connection = loopback->ready;
    loopback->ready = NULL;
    while (connection != NULL) {
        struct connection *next = connection->next_ready;
        connection->ready = false;
        if (connection->source.fd >= 0) {
            go_on(loopback, connection);
        }
        connection = next;
    }
}

void tcp_resume_all(struct loopback *loopback)
{
    struct connection *connection = loopback->connections;
    while (connection != NULL) {
        struct connection *next = connection->next;
        if (!connection->hungry) {
            make_ready(loopback, connection);
        } else {
            connection_settle(loopback, connection);
        }
        connection = next;
    }
    for (size_t i = 0; i < loopback->service_count; i++) {
        source_watch(loopback, &loopback->udp[i], EPOLLIN);
    }
}

void tcp_deliver(struct connection *connection, const struct reply *reply)
{
    if (connection->source.fd >= 0 && !connection->broken) {
        unsent_add(connection, reply->bytes, reply->length);
    }
}

void tcp_flush(struct loopback *loopback, struct connection *connection)
{
    if (connection->source.fd >= 0) {
        send_unsent(connection);
        go_on(loopback, connection);
    }
}

static void connection_open(struct loopback *loopback, int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        close(fd);
        return;
    }
    connection->source = (struct source){.kind = SOURCE_CONNECTION, .fd = fd};
    connection->hungry = true;
    connection->events = EPOLLIN;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(loopback->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        free(connection);
        return;
    }
    connection->next = loopback->connections;
    if (connection->next != NULL) {
        connection->next->previous = connection;
    }
    loopback->connections = connection;
}

void tcp_accept(struct loopback *loopback, struct source *listener)
{
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            connection_open(loopback, fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            /* The connection stays in the queue and epoll would report it for ever: look away for a while. */
            loopback->accept_from_ns = clock_ns() + accept_pause_ns;
            for (size_t k = 0; k < loopback->service_count; k++) {
                source_watch(loopback, &loopback->listeners[k], 0);
            }
            return;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        }
    }
}

void tcp_close_all(struct loopback *loopback)
{
    loopback->ready = NULL;
    while (loopback->connections != NULL) {
        connection_close(loopback, loopback->connections);
    }
    while (loopback->spare_count > 0) {
        free(loopback->spares[--loopback->spare_count]);
    }
}
