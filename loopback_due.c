/* Replies that wait for their time: a min-heap by due time. */
#include "loopback_inside.h"

#include <stdlib.h>

enum { FIRST_HEAP = 256, DELIVER_AT_ONCE = 512 };

struct reply *due_new(size_t length)
{
    struct reply *reply = malloc(sizeof *reply + length);
    if (reply != NULL) {
        *reply = (struct reply){.length = length};
    }
    return reply;
}

/* What a reply counts for, an estimate of the allocator's share included. */
static size_t reply_bytes(const struct reply *reply)
{
    return sizeof *reply + reply->length + sizeof(struct due) + 16;
}

bool due_full(const struct loopback *loopback)
{
    return loopback->pending_bytes > PENDING_ALL_MAX_BYTES;
}

static bool earlier(const struct due *left, const struct due *right)
{
    return left->due_ns < right->due_ns || (left->due_ns == right->due_ns && left->order < right->order);
}

void due_add(struct loopback *loopback, struct reply *reply, int64_t due_ns)
{
    if (loopback->heap_count == loopback->heap_capacity) {
        size_t capacity = loopback->heap_capacity == 0 ? FIRST_HEAP : 2 * loopback->heap_capacity;
        struct due *heap = realloc(loopback->heap, capacity * sizeof *heap);
        if (heap == NULL) {
            free(reply);
            return;
        }
        loopback->heap = heap;
        loopback->heap_capacity = capacity;
    }
    struct due due = {.due_ns = due_ns, .order = loopback->heap_order++, .reply = reply};
    size_t at = loopback->heap_count++;
    while (at > 0 && earlier(&due, &loopback->heap[(at - 1) / 2])) {
        loopback->heap[at] = loopback->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    loopback->heap[at] = due;
    loopback->pending_bytes += reply_bytes(reply);
    if (reply->connection != NULL) {
        reply->connection->pending_bytes += reply_bytes(reply);
        reply->connection->pending_count++;
    }
}

struct reply *due_take(struct loopback *loopback, int64_t now_ns)
{
    struct due *heap = loopback->heap;
    if (loopback->heap_count == 0 || heap[0].due_ns > now_ns) {
        return NULL;
    }
    struct reply *first = heap[0].reply;
    struct due moving = heap[--loopback->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= loopback->heap_count) {
            break;
        }
        if (child + 1 < loopback->heap_count && earlier(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!earlier(&heap[child], &moving)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
    loopback->pending_bytes -= reply_bytes(first);
    return first;
}

/* One group of due replies: put together by connection, then sent. Returns how many there were. */
static size_t deliver_some(struct loopback *loopback, int64_t now_ns)
{
    struct reply *taken[DELIVER_AT_ONCE];
    struct connection *flush = NULL;
    size_t count = 0;
    while (count < DELIVER_AT_ONCE && (taken[count] = due_take(loopback, now_ns)) != NULL) {
        const struct reply *reply = taken[count++];
        struct connection *connection = reply->connection;
        if (connection == NULL) {
            udp_queue(loopback, reply->udp, reply->bytes, reply->length, &reply->to, reply->to_length);
            continue;
        }
        tcp_deliver(connection, reply);
        if (!connection->flushed) {
            connection->flushed = true;
            connection->next_flush = flush;
            flush = connection;
        }
    }
    udp_flush(loopback);
    for (size_t i = 0; i < count; i++) {
        /* Each reply is in the heap once, so it is taken and freed once: the analyzer cannot know. */
        if (taken[i]->connection != NULL) { /* NOLINT(clang-analyzer-unix.Malloc) */
            tcp_reply_gone(loopback, taken[i]->connection, reply_bytes(taken[i]));
        }
        free(taken[i]);
    }
    /* A closed connection is freed at the end of the round, not before. */
    while (flush != NULL) {
        struct connection *connection = flush;
        flush = connection->next_flush;
        connection->flushed = false;
        tcp_flush(loopback, connection);
    }
    return count;
}

void due_deliver(struct loopback *loopback, int64_t now_ns)
{
    if (loopback->heap_count == 0 || loopback->heap[0].due_ns > now_ns) {
        return;
    }
    while (deliver_some(loopback, now_ns) == DELIVER_AT_ONCE) {
    }
    if (loopback->starved && loopback->pending_bytes < PENDING_ALL_MAX_BYTES / 2) {
        loopback->starved = false;
        tcp_resume_all(loopback);
    }
}

void due_free(struct loopback *loopback)
{
    for (size_t i = 0; i < loopback->heap_count; i++) {
        struct reply *reply = loopback->heap[i].reply;
        if (reply->connection != NULL) {
            tcp_reply_gone(loopback, reply->connection, reply_bytes(reply));
        }
        free(reply);
    }
    free(loopback->heap);
    loopback->heap = NULL;
    loopback->heap_count = loopback->heap_capacity = 0;
    loopback->pending_bytes = 0;
}
