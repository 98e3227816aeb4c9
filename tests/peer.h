/*
 * peer.h - the other end of a transport, scripted by the test in the same thread: sockets on 127.0.0.1 whose bytes wait
 * in the kernel's buffers while the test goes back and forth between the two ends. No wait is longer than PATIENCE_NS.
 */
#ifndef PEER_H
#define PEER_H

#include "rpc_xprt.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAM = 0x20000099, VERSION_NUMBER = 5, MAX_REPLY = 4096, MAX_ENDED = 4096, CALL_HEADER = 40 };

#define PATIENCE_NS (3 * NS_PER_SEC)

/* A call as the peer got it. */
struct request {
    uint32_t xid;
    uint32_t argument; /* the first word after the header */
    size_t length;
    unsigned char bytes[2 << 20];
    struct sockaddr_in from;
};

/* A call as it ended. */
struct ended {
    enum call_end end;
    struct reply_header header;
    uint32_t xid;
    uint32_t result; /* the first word of the results */
    size_t result_bytes;
    int64_t sent_ns, done_ns;
    unsigned sends;
    unsigned index;
};

struct test {
    struct rpc_config config;
    struct rpc_xprt *xprt;
    int listener; /* TCP */
    int fd;       /* the peer's end: a connection, or the UDP socket */
    struct sockaddr_in address;
    struct ended ended[MAX_ENDED];
    size_t count;
    void (*hook)(struct test *test, struct rpc_call *call); /* in the handler */
    unsigned hooked;
    int64_t again_ns;
};

static struct test test;
static struct request request;

static inline void peer_listen(uint16_t port)
{
    int one = 1;
    socklen_t bytes = sizeof test.address;
    int fd = socket(AF_INET, (test.config.tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    test.address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&test.address, sizeof test.address), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&test.address, &bytes), 0);
    if (test.config.tcp) {
        ck_assert_int_eq(listen(fd, 64), 0);
        test.listener = fd;
    } else {
        test.fd = fd;
    }
}

/* True when fd is readable within `wait_ns`. */
static inline bool peer_readable(int fd, int64_t wait_ns)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, (int)(wait_ns / NS_PER_MS)) == 1;
}

static inline void peer_accept(void)
{
    ck_assert(peer_readable(test.listener, PATIENCE_NS));
    test.fd = accept4(test.listener, NULL, NULL, SOCK_CLOEXEC);
    ck_assert_int_ge(test.fd, 0);
}

static inline void peer_close(int *fd)
{
    close(*fd);
    *fd = -1;
}

/* Opens both ends. Call header: XID CALL 2 PROGRAM VERSION procedure, and AUTH_NONE twice: 40 bytes. */
static inline void open_ends(bool tcp, int64_t timeout_ns, unsigned retrans)
{
    struct problem problem = {""};
    memset(&test, 0, sizeof test);
    test.listener = test.fd = -1;
    test.config = (struct rpc_config){.tcp = tcp,
                                      .program = PROGRAM,
                                      .version = VERSION_NUMBER,
                                      .timeout_ns = timeout_ns,
                                      .retrans = retrans,
                                      .max_reply_bytes = MAX_REPLY,
                                      .peer_bytes = sizeof test.address};
    peer_listen(0);
    memcpy(&test.config.peer, &test.address, sizeof test.address);
    rpc_auth_none(&test.config.auth);
    test.xprt = rpc_xprt_open(&test.config, clock_ns() + PATIENCE_NS, &problem);
    ck_assert_msg(test.xprt != NULL, "%s", problem.text);
    if (tcp) {
        peer_accept();
    }
}

static inline void close_ends(void)
{
    rpc_xprt_close(test.xprt);
    if (test.listener >= 0) {
        close(test.listener);
    }
    if (test.fd >= 0) {
        close(test.fd);
    }
}

static inline void handler(void *context, struct rpc_call *call)
{
    ck_assert_ptr_eq(context, &test);
    ck_assert_uint_lt(test.count, MAX_ENDED);
    struct wire_in results = call->results;
    struct ended *ended = &test.ended[test.count++];
    *ended = (struct ended){.end = call->end,
                            .xid = call->xid,
                            .sent_ns = call->sent_ns,
                            .done_ns = call->done_ns,
                            .sends = call->sends,
                            .index = call->index};
    ck_assert_uint_lt(call->index, XPRT_MAX_WINDOW);
    if (call->end == CALL_REPLIED || call->end == CALL_REJECTED) {
        ended->header = call->header;
        ck_assert_int_le(call->sent_ns, call->done_ns);
        ck_assert_int_gt(call->sent_ns, 0);
    }
    if (call->end == CALL_REPLIED) {
        ended->result_bytes = wire_left(&results);
        ended->result = wire_u32(&results);
    }
    if (test.hook != NULL) {
        test.hook(&test, call);
    }
}

/* Encodes one word and submits. */
static inline struct rpc_call *submit(uint32_t argument)
{
    struct rpc_call *call = rpc_call_begin(test.xprt, 7);
    ck_assert_ptr_nonnull(call);
    ck_assert(xdr_uint32_t(&call->xdr, &argument));
    ck_assert(rpc_call_submit(test.xprt, call, NULL, 0));
    return call;
}

/* One wait of the transport for at most so long. */
static inline void turn(int64_t wait_ns)
{
    int64_t before = clock_ns();
    int64_t after = rpc_xprt_wait(test.xprt, before + wait_ns, handler, &test);
    ck_assert_int_ge(after, before);
}

/* Turns until so many calls have ended in all. */
static inline void turn_until_ended(size_t count)
{
    int64_t deadline = clock_ns() + PATIENCE_NS;
    while (test.count < count && clock_ns() < deadline) {
        turn(10 * NS_PER_MS);
    }
    ck_assert_uint_eq(test.count, count);
}

static inline void parse_request(void)
{
    ck_assert_uint_ge(request.length, CALL_HEADER);
    ck_assert_uint_eq(request.length % 4, 0);
    static const uint32_t expected[] = {0, 0 /* CALL */, 2, PROGRAM, VERSION_NUMBER, 7, 0, 0, 0, 0};
    for (size_t i = 1; i < 10; i++) {
        ck_assert_uint_eq(wire_load_u32(request.bytes + 4 * i), expected[i]);
    }
    request.xid = wire_load_u32(request.bytes);
    request.argument = request.length > CALL_HEADER ? wire_load_u32(request.bytes + CALL_HEADER) : 0;
}

static inline void read_fully(unsigned char *to, size_t length)
{
    while (length > 0) {
        /* What does not fit the kernel's buffers at once comes with the transport's next turns. */
        if (!peer_readable(test.fd, 0)) {
            turn(NS_PER_MS);
            ck_assert(peer_readable(test.fd, PATIENCE_NS));
        }
        ssize_t got = recv(test.fd, to, length, 0);
        ck_assert_int_gt(got, 0);
        to += got;
        length -= (size_t)got;
    }
}

/* Takes the next call that was sent. */
static inline void peer_take(void)
{
    socklen_t bytes = sizeof request.from;
    if (!test.config.tcp) {
        ck_assert(peer_readable(test.fd, PATIENCE_NS));
        ssize_t got =
            recvfrom(test.fd, request.bytes, sizeof request.bytes, 0, (struct sockaddr *)&request.from, &bytes);
        ck_assert_int_gt(got, 0);
        request.length = (size_t)got;
    } else {
        unsigned char mark[4];
        read_fully(mark, 4);
        ck_assert_uint_eq(mark[0] & 0x80U, 0x80); /* in one fragment */
        request.length = wire_load_u32(mark) & 0x7fffffffU;
        ck_assert_uint_le(request.length, sizeof request.bytes);
        read_fully(request.bytes, request.length);
    }
    parse_request();
}

/* Nothing has been sent to the peer that it has not taken. */
static inline bool peer_has_nothing(void)
{
    return !peer_readable(test.fd, 0);
}

/* Sends a message (TCP: with its mark) to where the last request came from. */
static inline void peer_send(const void *message, size_t length)
{
    static unsigned char record[MAX_REPLY * 4];
    if (!test.config.tcp) {
        ck_assert_int_eq(
            sendto(test.fd, message, length, 0, (const struct sockaddr *)&request.from, sizeof request.from),
            (ssize_t)length);
        return;
    }
    ck_assert_uint_le(length + 4, sizeof record);
    wire_store_u32(record, 0x80000000U | (uint32_t)length);
    memcpy(record + 4, message, length);
    ck_assert_int_eq(send(test.fd, record, length + 4, MSG_NOSIGNAL), (ssize_t)(length + 4));
}

/* XID, REPLY, MSG_ACCEPTED, verifier AUTH_NONE, SUCCESS, one word: 28 bytes. */
static inline size_t make_reply(unsigned char *reply, uint32_t xid, uint32_t result)
{
    const uint32_t words[7] = {xid, 1, 0, 0, 0, 0, result};
    for (size_t i = 0; i < 7; i++) {
        wire_store_u32(reply + 4 * i, words[i]);
    }
    return 28;
}

static inline void peer_reply(uint32_t xid, uint32_t result)
{
    unsigned char reply[28];
    peer_send(reply, make_reply(reply, xid, result));
}

/* Each test `loops` times, with _i from 0. The exit status. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t count, int loops)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create("peer");
    tcase_set_timeout(tcase, 20);
    for (size_t i = 0; i < count; i++) {
        tcase_add_loop_test(tcase, tests[i], 0, loops);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
