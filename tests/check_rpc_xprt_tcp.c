/* The transport over TCP: records in pieces, connections that break, and a peer that does not read. */
#include "peer.h"

#include <netinet/tcp.h>

#define LONG_NS (20 * NS_PER_SEC) /* a time that does not come */

/* Takes `calls` calls, which must be the ones of xids[], in any order. */
static void take_all(const uint32_t *xids, size_t calls)
{
    static bool taken[XPRT_MAX_WINDOW];
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < calls; i++) {
        size_t which = 0;
        peer_take();
        while (which < calls && (xids[which] != request.xid || taken[which])) {
            which++;
        }
        ck_assert_msg(which < calls, "a foreign XID, or one twice");
        ck_assert_uint_eq(request.argument, which);
        taken[which] = true;
    }
}

/* Lets the transport notice and connect anew (first pause: 10 ms), then takes the new connection. */
static void expect_reconnect(void)
{
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (!peer_readable(test.listener, 0) && clock_ns() < deadline_ns) {
        turn(5 * NS_PER_MS);
    }
    peer_accept();
    turn(20 * NS_PER_MS);
}

START_TEST(reply_byte_by_byte)
{
    unsigned char record[32];
    int one = 1;
    open_ends(true, LONG_NS, 0);
    setsockopt(test.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (uint32_t call = 1; call <= 3; call++) {
        submit(call);
        turn(0);
        peer_take();
        wire_store_u32(record, 0x80000000U | 28);
        make_reply(record + 4, request.xid, call);
        for (size_t i = 0; i < 32; i++) {
            ck_assert_uint_eq(test.count, call - 1);
            ck_assert_int_eq(send(test.fd, record + i, 1, MSG_NOSIGNAL), 1);
            turn(NS_PER_MS);
        }
        turn_until_ended(call);
        ck_assert_uint_eq(test.ended[call - 1].result, call);
    }
    close_ends();
}
END_TEST

/* Two fragments, and two replies with half of a third in one segment. */
START_TEST(replies_cut_elsewhere)
{
    unsigned char bytes[128];
    uint32_t xids[3];
    open_ends(true, LONG_NS, 0);
    for (uint32_t i = 0; i < 3; i++) {
        submit(i);
        turn(0);
        peer_take();
        xids[i] = request.xid;
    }
    /* Reply 0 as 8 + 20 bytes: marks at 0 and 12. */
    make_reply(bytes + 4, xids[0], 10);
    memmove(bytes + 16, bytes + 12, 20);
    wire_store_u32(bytes, 8);
    wire_store_u32(bytes + 12, 0x80000000U | 20);
    for (size_t i = 1; i < 3; i++) {
        wire_store_u32(bytes + 4 + 32 * i, 0x80000000U | 28);
        make_reply(bytes + 8 + 32 * i, xids[i], 10 + (uint32_t)i);
    }
    ck_assert_int_eq(send(test.fd, bytes, 80, MSG_NOSIGNAL), 80);
    turn_until_ended(2);
    turn(10 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 2);
    ck_assert_int_eq(send(test.fd, bytes + 80, 20, MSG_NOSIGNAL), 20);
    turn_until_ended(3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_REPLIED);
        ck_assert_uint_eq(test.ended[i].result, 10 + i);
    }
    close_ends();
}
END_TEST

/* Ten calls out, four answered, a fifth reply cut off in the middle; then the end. The six come again, as they were. */
START_TEST(closed_with_calls_outstanding)
{
    uint32_t xids[10];
    open_ends(true, LONG_NS, 0);
    for (uint32_t i = 0; i < 10; i++) {
        submit(i);
    }
    turn(0);
    for (size_t i = 0; i < 10; i++) {
        peer_take();
        xids[i] = request.xid;
    }
    for (uint32_t i = 0; i < 4; i++) {
        peer_reply(xids[i], i);
    }
    ck_assert_int_eq(send(test.fd, "\x80\0\0\x1c\1\2\3\4\0\0", 10, MSG_NOSIGNAL), 10);
    turn_until_ended(4);
    peer_close(&test.fd);
    expect_reconnect();
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 6);
    bool came[10] = {false};
    for (size_t i = 0; i < 6; i++) {
        peer_take();
        ck_assert(request.argument >= 4 && request.argument < 10 && !came[request.argument]);
        ck_assert_uint_eq(request.xid, xids[request.argument]);
        came[request.argument] = true;
        peer_reply(request.xid, request.argument);
    }
    turn_until_ended(10);
    for (size_t i = 4; i < 10; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_REPLIED);
        ck_assert_uint_eq(test.ended[i].sends, 2);
        ck_assert_uint_eq(test.ended[i].xid, xids[test.ended[i].result]);
    }
    ck_assert(peer_has_nothing());
    struct rpc_counters counters = rpc_xprt_counters(test.xprt);
    ck_assert_uint_eq(counters.retransmits, 6);
    ck_assert_uint_eq(counters.reconnects, 1);
    ck_assert_uint_eq(counters.stray, 0);
    ck_assert_ptr_nonnull(strstr(rpc_xprt_trouble(test.xprt), "closed"));
    close_ends();
}
END_TEST

/* Nobody listens for 0.3 s; the call waits it out. */
START_TEST(refused_for_a_while)
{
    uint32_t xid;
    open_ends(true, LONG_NS, 0);
    submit(0);
    turn(0);
    peer_take();
    xid = request.xid;
    uint16_t port = test.address.sin_port;
    peer_close(&test.listener);
    peer_close(&test.fd);
    int64_t until_ns = clock_ns() + 300 * NS_PER_MS;
    while (clock_ns() < until_ns) {
        turn(20 * NS_PER_MS);
    }
    ck_assert_uint_eq(test.count, 0);
    ck_assert_str_eq(rpc_xprt_trouble(test.xprt), "Connection refused");
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).reconnects, 0);
    peer_listen(port);
    expect_reconnect();
    take_all(&xid, 1);
    peer_reply(xid, 5);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_REPLIED);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).reconnects, 1);
    close_ends();
}
END_TEST

/*
 * A peer that takes connections only to close them: with pauses of 10, 20, 40, 80, 160 and 320 ms, the n-th new one
 * comes after 10, 30, 70, 150, 310 and 630 ms at the earliest. In 500 ms there are five at most; three even on a slow
 * machine.
 */
START_TEST(pauses_grow)
{
    open_ends(true, LONG_NS, 0);
    submit(0);
    turn(0);
    peer_close(&test.fd);
    int64_t start_ns = clock_ns();
    int connections = 0;
    while (clock_ns() < start_ns + 500 * NS_PER_MS) {
        turn(2 * NS_PER_MS);
        if (peer_readable(test.listener, 0)) {
            peer_accept();
            peer_close(&test.fd);
            connections++;
        }
    }
    ck_assert_int_ge(connections, 3);
    ck_assert_int_le(connections, 5);
    ck_assert_uint_eq(test.count, 0);
    close_ends();
}
END_TEST

/* A mark that promises more than max_reply_bytes: the stream cannot be followed, the connection is made anew. */
START_TEST(bad_record_marks)
{
    static const char *const marks[] = {"\x80\0\x10\1", "\x7f\xff\xff\xff", "\xff\xff\xff\xff", "HTTP"};
    uint32_t xid = 0;
    open_ends(true, LONG_NS, 0);
    submit(0);
    turn(0);
    for (uint64_t i = 0; i < 4; i++) {
        if (i == 0) {
            peer_take();
            xid = request.xid;
        } else {
            take_all(&xid, 1);
        }
        ck_assert_int_eq(send(test.fd, marks[i], 4, MSG_NOSIGNAL), 4);
        int connection = test.fd;
        expect_reconnect();
        close(connection);
        ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, i + 1);
        ck_assert_uint_eq(rpc_xprt_counters(test.xprt).reconnects, i + 1);
    }
    take_all(&xid, 1);
    peer_reply(xid, 1);
    turn_until_ended(1);
    ck_assert_uint_eq(test.ended[0].sends, 5);
    close_ends();
}
END_TEST

/* The longest reply allowed is read. */
START_TEST(longest_reply)
{
    static unsigned char reply[MAX_REPLY];
    open_ends(true, LONG_NS, 0);
    submit(0);
    turn(0);
    peer_take();
    make_reply(reply, request.xid, 3);
    peer_send(reply, MAX_REPLY);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_REPLIED);
    ck_assert_uint_eq(test.ended[0].result_bytes, MAX_REPLY - 24); /* header: 24 bytes */
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 0);
    close_ends();
}
END_TEST

/*
 * Never answered: 40 + 80 + 160 ms in all, sent once on the connection, and CALL_TIMEOUT then: not sooner, and within
 * half a second of it on a busy machine.
 */
START_TEST(time_out)
{
    open_ends(true, 40 * NS_PER_MS, 2);
    int64_t before_ns = clock_ns();
    submit(0);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_TIMEOUT);
    ck_assert_uint_eq(test.ended[0].sends, 1);
    ck_assert_int_ge(test.ended[0].done_ns - before_ns, 280 * NS_PER_MS);
    ck_assert_int_le(test.ended[0].done_ns - before_ns, 780 * NS_PER_MS);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, 0);
    peer_take();
    /* Nothing follows it but, at most, the end of the connection. */
    unsigned char byte;
    ck_assert_int_le(recv(test.fd, &byte, 1, MSG_DONTWAIT), 0);
    /* A later call is served, on whatever connection. */
    submit(1);
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (!peer_readable(test.listener, 0) && recv(test.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0 &&
           clock_ns() < deadline_ns) {
        turn(5 * NS_PER_MS);
    }
    if (peer_readable(test.listener, 0)) {
        peer_close(&test.fd);
        peer_accept();
        turn(10 * NS_PER_MS);
    }
    peer_take();
    ck_assert_uint_eq(request.argument, 1);
    peer_reply(request.xid, 2);
    turn_until_ended(2);
    ck_assert_int_eq(test.ended[1].end, CALL_REPLIED);
    close_ends();
}
END_TEST

/*
 * 64 calls with 1 MiB each to a peer that never reads: more than the kernel's buffers (4 + 32 MiB at most, by tcp_wmem
 * and tcp_rmem) take. All end at their time, the ones that never went out with sent_ns 0; on a new connection the
 * transport then serves again, from the beginning of a record.
 */
START_TEST(peer_that_never_reads)
{
    enum { CALLS = 64 };
    static unsigned char payload[1 << 20];
    open_ends(true, 50 * NS_PER_MS, 1);
    int64_t before_ns = clock_ns();
    for (uint32_t i = 0; i < CALLS; i++) {
        struct rpc_call *call = rpc_call_begin(test.xprt, 7);
        ck_assert_ptr_nonnull(call);
        ck_assert(xdr_uint32_t(&call->xdr, &i));
        ck_assert(rpc_call_submit(test.xprt, call, payload, sizeof payload));
    }
    turn_until_ended(CALLS);
    size_t unsent = 0;
    for (size_t i = 0; i < CALLS; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_TIMEOUT);
        ck_assert_int_ge(test.ended[i].done_ns - before_ns, 150 * NS_PER_MS); /* 50 + 100 */
        unsent += test.ended[i].sent_ns == 0;
        ck_assert(test.ended[i].sent_ns != 0 || test.ended[i].sends == 0);
    }
    ck_assert_uint_gt(unsent, 0);
    ck_assert_uint_lt(unsent, CALLS);
    ck_assert_int_le(clock_ns() - before_ns, 2 * NS_PER_SEC);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    submit(7);
    int unread = test.fd;
    expect_reconnect();
    peer_take();
    ck_assert_uint_eq(request.argument, 7);
    peer_reply(request.xid, 8);
    turn_until_ended(CALLS + 1);
    ck_assert_int_eq(test.ended[CALLS].end, CALL_REPLIED);
    close(unread);
    close_ends();
}
END_TEST

/* A slow reader: the stream is blocked again and again, and every byte arrives in its place. */
START_TEST(blocked_and_resumed)
{
    enum { CALLS = 24, BYTES = 1 << 20 };
    static unsigned char payload[CALLS][BYTES];
    open_ends(true, LONG_NS, 0);
    for (uint32_t i = 0; i < CALLS; i++) {
        struct rpc_call *call = rpc_call_begin(test.xprt, 7);
        memset(payload[i], (int)(i + 1), BYTES);
        ck_assert(xdr_uint32_t(&call->xdr, &i));
        ck_assert(rpc_call_submit(test.xprt, call, payload[i], BYTES - i));
    }
    turn(0);
    for (uint32_t i = 0; i < CALLS; i++) {
        peer_take();
        ck_assert_uint_eq(request.argument, i);
        ck_assert_uint_eq(request.length, CALL_HEADER + 4 + (BYTES - i + 3) / 4 * 4);
        for (size_t at = 0; at < BYTES - i; at += 4093) {
            ck_assert_uint_eq(request.bytes[CALL_HEADER + 4 + at], i + 1);
        }
        peer_reply(request.xid, i);
    }
    turn_until_ended(CALLS);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).reconnects, 0);
    close_ends();
}
END_TEST

/*
 * A call that times out while it is the last in the queue: it is out and unanswered for 200 ms when one of 64 MiB
 * follows, which the peer does not read, and the connection breaks: now it waits behind the long one, until its second
 * is over. A call submitted after that must find its way. (Connecting is tried 310, 630 and 1270 ms after the break: by
 * the last time the long one is over too.)
 */
START_TEST(last_in_queue_times_out)
{
    static unsigned char payload[64 << 20];
    open_ends(true, NS_PER_SEC, 0);
    submit(1000);
    int64_t until_ns = clock_ns() + 200 * NS_PER_MS;
    while (clock_ns() < until_ns) {
        turn(20 * NS_PER_MS);
    }
    struct rpc_call *call = rpc_call_begin(test.xprt, 7);
    ck_assert_ptr_nonnull(call);
    ck_assert(rpc_call_submit(test.xprt, call, payload, sizeof payload));
    turn(0);
    uint16_t port = test.address.sin_port;
    peer_close(&test.listener);
    peer_close(&test.fd);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_TIMEOUT);
    ck_assert_uint_eq(test.ended[0].sends, 1);
    submit(2000);
    peer_listen(port);
    expect_reconnect();
    ck_assert_uint_eq(test.count, 2);
    ck_assert_int_eq(test.ended[1].end, CALL_TIMEOUT);
    peer_take();
    ck_assert_uint_eq(request.argument, 2000);
    peer_reply(request.xid, 77);
    turn_until_ended(3);
    ck_assert_int_eq(test.ended[2].end, CALL_REPLIED);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    close_ends();
}
END_TEST

START_TEST(open_refused)
{
    struct problem problem = {""};
    open_ends(true, LONG_NS, 0);
    struct rpc_config config = test.config;
    close_ends(); /* nobody listens there now */
    int64_t before_ns = clock_ns();
    ck_assert_ptr_null(rpc_xprt_open(&config, clock_ns() + PATIENCE_NS, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "refused"));
    ck_assert_ptr_null(strchr(problem.text, '\n'));
    ck_assert_int_le(clock_ns() - before_ns, NS_PER_SEC); /* at once, not at the deadline */
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        reply_byte_by_byte,
        replies_cut_elsewhere,
        closed_with_calls_outstanding,
        refused_for_a_while,
        pauses_grow,
        bad_record_marks,
        longest_reply,
        time_out,
        peer_that_never_reads,
        blocked_and_resumed,
        open_refused,
        last_in_queue_times_out,
    };
    return run_tests("rpc_xprt: TCP", tests, sizeof tests / sizeof tests[0], 1);
}
