/* The transport over UDP: retransmission, odd datagrams, a port where nobody listens. */
#include "peer.h"

#define LONG_NS (20 * NS_PER_SEC) /* a time that does not come */

enum { MAX_SEEN = 64 };

/* The calls that the peer sees while the transport waits for `count` ends. */
struct seen {
    int64_t at_ns[MAX_SEEN];
    uint32_t xid[MAX_SEEN];
    size_t count;
};

static struct seen watch_until_ended(size_t count)
{
    struct seen seen = {.count = 0};
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (test.count < count && clock_ns() < deadline_ns) {
        turn(NS_PER_MS);
        while (!peer_has_nothing()) {
            peer_take();
            ck_assert_uint_lt(seen.count, MAX_SEEN);
            seen.xid[seen.count] = request.xid;
            seen.at_ns[seen.count++] = clock_ns();
        }
    }
    ck_assert_uint_eq(test.count, count);
    return seen;
}

/*
 * T = 40 ms, 3 retransmissions: sent at 0, 40, 120 and 280 ms, timed out at 600 ms. The transport cannot be early (the
 * peer sees each at most a turn late: 5 ms are allowed for that between two); on a busy machine it may be late.
 */
START_TEST(retransmission)
{
    open_ends(false, 40 * NS_PER_MS, 3);
    ck_assert_int_eq(rpc_call_limit_ns(&test.config), 600 * NS_PER_MS);
    int64_t before_ns = clock_ns();
    submit(0);
    struct seen seen = watch_until_ended(1);
    ck_assert_uint_eq(seen.count, 4);
    static const int64_t due_ms[] = {0, 40, 120, 280};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(seen.xid[i], seen.xid[0]);
        ck_assert_int_ge(seen.at_ns[i] - before_ns, due_ms[i] * NS_PER_MS);
        ck_assert_int_le(seen.at_ns[i] - before_ns, (due_ms[i] + 400) * NS_PER_MS);
        ck_assert(i == 0 || seen.at_ns[i] - seen.at_ns[i - 1] >= (due_ms[i] - due_ms[i - 1] - 5) * NS_PER_MS);
    }
    const struct ended *ended = &test.ended[0];
    ck_assert_int_eq(ended->end, CALL_TIMEOUT);
    ck_assert_uint_eq(ended->xid, seen.xid[0]);
    ck_assert_uint_eq(ended->sends, 4);
    ck_assert_int_ge(ended->done_ns - before_ns, 600 * NS_PER_MS);
    ck_assert_int_le(ended->done_ns - before_ns, 1200 * NS_PER_MS);
    ck_assert_int_ge(ended->sent_ns, before_ns);
    ck_assert_int_le(ended->sent_ns, seen.at_ns[0]); /* the first time */
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, 3);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    close_ends();
}
END_TEST

/* No retransmission allowed: one send, one interval. */
START_TEST(no_retransmission)
{
    open_ends(false, 60 * NS_PER_MS, 0);
    int64_t before_ns = clock_ns();
    submit(0);
    struct seen seen = watch_until_ended(1);
    ck_assert_uint_eq(seen.count, 1);
    ck_assert_int_eq(test.ended[0].end, CALL_TIMEOUT);
    ck_assert_int_ge(test.ended[0].done_ns - before_ns, 60 * NS_PER_MS);
    ck_assert_int_le(test.ended[0].done_ns - before_ns, 560 * NS_PER_MS);
    close_ends();
}
END_TEST

/* The second try is answered, then the first one's reply comes as well: one end, one stray. */
START_TEST(late_duplicate)
{
    open_ends(false, 50 * NS_PER_MS, 4);
    submit(9);
    turn(0);
    peer_take();
    uint32_t xid = request.xid;
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (peer_has_nothing() && clock_ns() < deadline_ns) {
        turn(5 * NS_PER_MS);
    }
    peer_take();
    ck_assert_uint_eq(request.xid, xid);
    peer_reply(xid, 1);
    peer_reply(xid, 2);
    turn_until_ended(1);
    ck_assert_uint_eq(test.ended[0].result, 1);
    ck_assert_uint_ge(test.ended[0].sends, 2);
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, test.ended[0].sends - 1);
    /* The next call, in the same place, is not taken for the old one. */
    submit(10);
    turn(0);
    while (!peer_has_nothing()) {
        peer_take();
    }
    ck_assert_uint_ne(request.xid, xid);
    peer_reply(xid, 3);
    turn(5 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 1);
    peer_reply(request.xid, 4);
    turn_until_ended(2);
    ck_assert_uint_eq(test.ended[1].result, 4);
    close_ends();
}
END_TEST

/* A reply after the time-out is stray too. */
START_TEST(reply_after_time_out)
{
    open_ends(false, 30 * NS_PER_MS, 0);
    submit(9);
    turn(0);
    peer_take();
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_TIMEOUT);
    peer_reply(request.xid, 1);
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 1);
    close_ends();
}
END_TEST

/* Datagrams of 0 to 15 bytes that are nobody's: stray, each of them; the call is answered after all. */
START_TEST(short_datagrams)
{
    unsigned char reply[28];
    open_ends(false, LONG_NS, 0);
    submit(1);
    turn(0);
    peer_take();
    for (size_t length = 0; length < 16; length++) {
        make_reply(reply, ~request.xid, 5);
        peer_send(reply, length);
        turn(5 * NS_PER_MS);
        /* The first bytes of the right XID alone are no XID. */
        make_reply(reply, request.xid, 5);
        peer_send(reply, length < 4 ? length : 0);
        turn(5 * NS_PER_MS);
    }
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (rpc_xprt_counters(test.xprt).stray < 32 && clock_ns() < deadline_ns) {
        turn(5 * NS_PER_MS);
    }
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 32);
    ck_assert_uint_eq(test.count, 0);
    peer_reply(request.xid, 6);
    turn_until_ended(1);
    ck_assert_uint_eq(test.ended[0].result, 6);
    close_ends();
}
END_TEST

/* max_reply_bytes are read whole; a byte more is unreadable, and the call goes on waiting. */
START_TEST(long_datagrams)
{
    static unsigned char reply[MAX_REPLY + 1];
    open_ends(false, LONG_NS, 0);
    submit(0);
    turn(0);
    peer_take();
    make_reply(reply, request.xid, 3);
    peer_send(reply, MAX_REPLY + 1);
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 0);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 1);
    peer_send(reply, MAX_REPLY);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_REPLIED);
    ck_assert_uint_eq(test.ended[0].result_bytes, MAX_REPLY - 24); /* header: 24 bytes */
    close_ends();
}
END_TEST

/* A reply from another port is not the server's. */
START_TEST(other_sender)
{
    unsigned char reply[28];
    open_ends(false, LONG_NS, 0);
    submit(0);
    turn(0);
    peer_take();
    int other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(other, 0);
    make_reply(reply, request.xid, 13);
    sendto(other, reply, sizeof reply, 0, (struct sockaddr *)&request.from, sizeof request.from);
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 0);
    peer_reply(request.xid, 14);
    turn_until_ended(1);
    ck_assert_uint_eq(test.ended[0].result, 14);
    close(other);
    close_ends();
}
END_TEST

/* Nobody at the port: the kernel says so, the tries go on, and the call ends at its time: 40 + 80 + 160 ms. */
START_TEST(nobody_there)
{
    open_ends(false, 40 * NS_PER_MS, 2);
    peer_close(&test.fd);
    int64_t before_ns = clock_ns();
    submit(0);
    submit(1);
    turn_until_ended(2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_TIMEOUT);
        ck_assert_int_ge(test.ended[i].done_ns - before_ns, 280 * NS_PER_MS);
        ck_assert_int_le(test.ended[i].done_ns - before_ns, 880 * NS_PER_MS);
    }
    ck_assert_str_eq(rpc_xprt_trouble(test.xprt), "Connection refused");
    close_ends();
}
END_TEST

/* ... and is there again before that: a retransmission is answered. T = 40 ms: tries at 0, 40, 120, 280, 600 ms. */
START_TEST(back_again)
{
    open_ends(false, 40 * NS_PER_MS, 6);
    uint16_t port = test.address.sin_port;
    peer_close(&test.fd);
    submit(21);
    int64_t until_ns = clock_ns() + 100 * NS_PER_MS;
    while (clock_ns() < until_ns) {
        turn(10 * NS_PER_MS);
    }
    peer_listen(port);
    while (peer_has_nothing() && clock_ns() < until_ns + PATIENCE_NS) {
        turn(10 * NS_PER_MS);
    }
    peer_take();
    ck_assert_uint_eq(request.argument, 21);
    peer_reply(request.xid, 22);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_REPLIED);
    ck_assert_uint_eq(test.ended[0].result, 22);
    close_ends();
}
END_TEST

/*
 * Every second datagram is lost: each call is answered once, at its first or second try. Waiting calls are sent again,
 * answered ones are not: 200 calls, 100 of them twice, is 300 datagrams; a reply that crosses a retransmission makes a
 * few more.
 */
START_TEST(half_are_lost)
{
    static uint32_t lost[200];
    size_t lost_count = 0;
    size_t datagrams = 0;
    open_ends(false, 100 * NS_PER_MS, 5);
    for (uint32_t i = 0; i < 200; i++) {
        submit(i);
    }
    int64_t deadline_ns = clock_ns() + PATIENCE_NS;
    while (test.count < 200 && clock_ns() < deadline_ns) {
        turn(NS_PER_MS);
        while (!peer_has_nothing()) {
            bool again = false;
            peer_take();
            datagrams++;
            for (size_t i = 0; i < lost_count; i++) {
                again = again || lost[i] == request.xid;
            }
            if (again || request.argument % 2 == 0) {
                peer_reply(request.xid, request.argument);
            } else {
                lost[lost_count++] = request.xid;
            }
        }
    }
    ck_assert_uint_eq(test.count, 200);
    bool seen[200] = {false};
    for (size_t i = 0; i < 200; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_REPLIED);
        ck_assert(!seen[test.ended[i].result]);
        seen[test.ended[i].result] = true;
        ck_assert_uint_ge(test.ended[i].sends, 1 + test.ended[i].result % 2);
    }
    ck_assert_uint_ge(datagrams, 300);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, datagrams - 200);
    close_ends();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        retransmission, no_retransmission, late_duplicate, reply_after_time_out, short_datagrams,
        long_datagrams, other_sender,      nobody_there,   back_again,           half_are_lost,
    };
    return run_tests("rpc_xprt: UDP", tests, sizeof tests / sizeof tests[0], 1);
}
