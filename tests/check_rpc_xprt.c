/* What the transport does over TCP and UDP alike (_i: 0 UDP, 1 TCP), against a peer scripted here. */
#include "peer.h"

#define LONG_NS (20 * NS_PER_SEC) /* a time that does not come */

static void open_patient(int tcp)
{
    open_ends(tcp, LONG_NS, 0);
}

START_TEST(replies_in_any_order)
{
    enum { CALLS = 20 };
    uint32_t xids[CALLS];
    open_patient(_i);
    int64_t before_ns = clock_ns();
    for (uint32_t i = 0; i < CALLS; i++) {
        submit(100 + i);
    }
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), CALLS);
    ck_assert(peer_has_nothing()); /* it sends when it waits */
    turn(0);
    for (uint32_t i = 0; i < CALLS; i++) {
        peer_take();
        ck_assert_uint_eq(request.argument, 100 + i);
        ck_assert_uint_eq(request.length, CALL_HEADER + 4);
        xids[i] = request.xid;
        for (uint32_t j = 0; j < i; j++) {
            ck_assert_uint_ne(xids[i], xids[j]);
        }
    }
    /* 7 and 20 have no common divisor, so i * 7 % 20 goes through all in a scattered order. */
    for (uint32_t i = 0; i < CALLS; i++) {
        peer_reply(xids[i * 7 % CALLS], 1000 + i * 7 % CALLS);
    }
    turn_until_ended(CALLS);
    for (uint32_t i = 0; i < CALLS; i++) {
        const struct ended *ended = &test.ended[i];
        ck_assert_int_eq(ended->end, CALL_REPLIED);
        ck_assert_uint_eq(ended->xid, xids[i * 7 % CALLS]);
        ck_assert_uint_eq(ended->result, 1000 + i * 7 % CALLS);
        ck_assert_uint_eq(ended->result_bytes, 4);
        ck_assert_uint_eq(ended->header.xid, ended->xid);
        ck_assert_uint_eq(ended->sends, 1);
        ck_assert_int_ge(ended->sent_ns, before_ns);
        ck_assert_int_le(ended->done_ns, clock_ns());
    }
    struct rpc_counters counters = rpc_xprt_counters(test.xprt);
    ck_assert_uint_eq(counters.stray + counters.retransmits + counters.reconnects, 0);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    ck_assert_str_eq(rpc_xprt_trouble(test.xprt), "");
    close_ends();
}
END_TEST

/* Replies that no call waits for change nothing but a count; then the right one comes. */
START_TEST(foreign_replies_are_stray)
{
    open_patient(_i);
    submit(1);
    turn(0);
    peer_take();
    uint32_t xid = request.xid;
    peer_reply(xid + 1, 666);
    peer_reply(xid ^ UINT32_C(0x80000000), 666);
    peer_reply(xid ^ UINT32_C(0x400), 666);
    peer_reply(~xid, 666);
    peer_send("\xff", 1);
    peer_send("\0\0\0", 3);
    peer_send("\0\0\0\0", 4);
    peer_send(request.bytes, 0);
    for (int i = 0; i < 8; i++) {
        turn(20 * NS_PER_MS);
    }
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 8);
    ck_assert_uint_eq(test.count, 0);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 1);
    peer_reply(xid, 77);
    turn_until_ended(1);
    ck_assert_int_eq(test.ended[0].end, CALL_REPLIED);
    ck_assert_uint_eq(test.ended[0].result, 77);
    /* The same once more, and late: nobody waits for it now. */
    peer_reply(xid, 78);
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 9);
    close_ends();
}
END_TEST

/* What has a waiting call's XID but is no reply, cut off at every length from 4 bytes on, ends that call as garbage. */
START_TEST(garbage_for_a_waiting_call)
{
    unsigned char reply[28];
    size_t count = 0;
    open_patient(_i);
    for (size_t length = 4; length < 24; length++) {
        submit(1);
        turn(0);
        peer_take();
        make_reply(reply, request.xid, 0);
        peer_send(reply, length);
        turn_until_ended(++count);
        ck_assert_int_eq(test.ended[count - 1].end, CALL_GARBAGE);
        ck_assert_uint_eq(test.ended[count - 1].xid, request.xid);
    }
    /* A call instead of a reply; an unknown reply_stat; an unknown accept_stat. */
    static const size_t words[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++) {
        submit(1);
        turn(0);
        peer_take();
        make_reply(reply, request.xid, 0);
        wire_store_u32(reply + 4 * words[i], words[i] == 1 ? 0 : 99);
        peer_send(reply, 28);
        turn_until_ended(++count);
        ck_assert_int_eq(test.ended[count - 1].end, CALL_GARBAGE);
    }
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 0);
    close_ends();
}
END_TEST

START_TEST(rejected)
{
    /* From the third word on: MSG_ACCEPTED, verifier, PROG_MISMATCH 3 to 4; MSG_DENIED AUTH_ERROR AUTH_TOOWEAK. */
    static const uint32_t mismatch[] = {0, 0, 0, 2, 3, 4};
    static const uint32_t denied[] = {1, 1, 5};
    unsigned char reply[64];
    open_patient(_i);
    for (int which = 0; which < 2; which++) {
        submit(1);
        turn(0);
        peer_take();
        wire_store_u32(reply, request.xid);
        wire_store_u32(reply + 4, 1);
        size_t words = which == 0 ? 6 : 3;
        for (size_t i = 0; i < words; i++) {
            wire_store_u32(reply + 8 + 4 * i, which == 0 ? mismatch[i] : denied[i]);
        }
        peer_send(reply, 8 + 4 * words);
        turn_until_ended((size_t)which + 1);
    }
    ck_assert_int_eq(test.ended[0].end, CALL_REJECTED);
    ck_assert_uint_eq(test.ended[0].header.detail, 2);
    ck_assert_uint_eq(test.ended[0].header.low, 3);
    ck_assert_uint_eq(test.ended[0].header.high, 4);
    ck_assert_int_eq(test.ended[1].end, CALL_REJECTED);
    ck_assert_uint_eq(test.ended[1].header.reply_stat, 1);
    ck_assert_uint_eq(test.ended[1].header.auth_stat, 5);
    close_ends();
}
END_TEST

static void again_once(struct test *of, struct rpc_call *call)
{
    if (of->hooked++ == 0) {
        of->again_ns = clock_ns() + 60 * NS_PER_MS;
        rpc_call_again(of->xprt, call, of->again_ns);
    }
}

START_TEST(again)
{
    open_patient(_i);
    test.hook = again_once;
    submit(4711);
    turn(0);
    peer_take();
    uint32_t first = request.xid;
    peer_reply(first, 1);
    turn_until_ended(1);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 1);
    /* Nothing goes out before its time, and never under the old XID. */
    while (clock_ns() < test.again_ns - 20 * NS_PER_MS) {
        turn(5 * NS_PER_MS);
        ck_assert(!peer_readable(test.fd, 0) || clock_ns() >= test.again_ns);
    }
    while (peer_has_nothing() && clock_ns() < test.again_ns + PATIENCE_NS) {
        turn(5 * NS_PER_MS);
    }
    ck_assert_int_ge(clock_ns(), test.again_ns);
    peer_take();
    ck_assert_uint_ne(request.xid, first);
    ck_assert_uint_eq(request.argument, 4711);
    peer_reply(first, 2); /* late, to the old one */
    turn(20 * NS_PER_MS);
    ck_assert_uint_eq(test.count, 1);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).stray, 1);
    peer_reply(request.xid, 3);
    turn_until_ended(2);
    ck_assert_uint_eq(test.ended[1].result, 3);
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    ck_assert_uint_eq(rpc_xprt_counters(test.xprt).retransmits, 0);
    close_ends();
}
END_TEST

START_TEST(window)
{
    static struct rpc_call *calls[XPRT_MAX_WINDOW];
    bool seen[XPRT_MAX_WINDOW] = {false};
    static uint32_t xids[XPRT_MAX_WINDOW];
    open_patient(_i);
    for (uint32_t i = 0; i < XPRT_MAX_WINDOW; i++) {
        calls[i] = rpc_call_begin(test.xprt, 7);
        ck_assert_ptr_nonnull(calls[i]);
        ck_assert_uint_lt(calls[i]->index, XPRT_MAX_WINDOW);
        ck_assert(!seen[calls[i]->index]);
        seen[calls[i]->index] = true;
    }
    ck_assert_ptr_null(rpc_call_begin(test.xprt, 7));
    rpc_call_drop(test.xprt, calls[500]);
    calls[500] = rpc_call_begin(test.xprt, 7);
    ck_assert_ptr_nonnull(calls[500]);
    ck_assert_ptr_null(rpc_call_begin(test.xprt, 7));
    for (uint32_t i = 0; i < XPRT_MAX_WINDOW; i++) {
        ck_assert(xdr_uint32_t(&calls[i]->xdr, &i));
        ck_assert(rpc_call_submit(test.xprt, calls[i], NULL, 0));
        ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), i + 1);
        if (i % 64 == 63) {
            /* The peer takes them in portions that any socket buffer holds. */
            turn(0);
            for (uint32_t j = i - 63; j <= i; j++) {
                peer_take();
                ck_assert_uint_eq(request.argument, j);
                xids[j] = request.xid;
            }
        }
    }
    ck_assert_ptr_null(rpc_call_begin(test.xprt, 7));
    for (uint32_t i = 0; i < XPRT_MAX_WINDOW; i++) {
        peer_reply(xids[i], i);
        turn_until_ended(i + 1);
        ck_assert_uint_eq(test.ended[i].xid, xids[i]);
        ck_assert_uint_eq(test.ended[i].result, i);
    }
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    ck_assert_ptr_nonnull(rpc_call_begin(test.xprt, 7));
    close_ends();
}
END_TEST

static void begin_another(struct test *of, struct rpc_call *call)
{
    (void)call;
    if (of->hooked++ == 0) {
        ck_assert_uint_eq(rpc_xprt_outstanding(of->xprt), XPRT_MAX_WINDOW - 1);
        ck_assert_ptr_null(rpc_call_begin(of->xprt, 7));
    }
}

/* In the handler of the first of a full window to end, that one still holds its place. */
START_TEST(full_window_in_handler)
{
    open_patient(_i);
    test.hook = begin_another;
    for (uint32_t i = 0; i < XPRT_MAX_WINDOW; i++) {
        submit(i);
    }
    turn(0);
    peer_take();
    peer_reply(request.xid, 0);
    turn_until_ended(1);
    ck_assert_uint_eq(test.hooked, 1);
    close_ends();
}
END_TEST

/* Payload of every remainder, from where it lies, zeros after it up to a multiple of four (RFC 4506 section 4.9). */
START_TEST(payload_is_padded)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1023, 8192, 32767};
    static unsigned char payload[32768];
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = (unsigned char)(i * 7 + 1);
    }
    open_patient(_i);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t argument = (uint32_t)sizes[i];
        struct rpc_call *call = rpc_call_begin(test.xprt, 7);
        ck_assert_ptr_nonnull(call);
        ck_assert(xdr_uint32_t(&call->xdr, &argument));
        ck_assert(rpc_call_submit(test.xprt, call, payload, sizes[i]));
        submit(0xffffffff); /* behind it: would show if a byte more or less was sent */
        turn(0);
        peer_take();
        ck_assert_uint_eq(request.argument, sizes[i]);
        ck_assert_uint_eq(request.length, CALL_HEADER + 4 + (sizes[i] + 3) / 4 * 4);
        ck_assert_int_eq(memcmp(request.bytes + CALL_HEADER + 4, payload, sizes[i]), 0);
        for (size_t at = CALL_HEADER + 4 + sizes[i]; at < request.length; at++) {
            ck_assert_uint_eq(request.bytes[at], 0);
        }
        peer_reply(request.xid, 1);
        peer_take();
        ck_assert_uint_eq(request.argument, 0xffffffff);
        peer_reply(request.xid, 1);
        turn_until_ended(2 * i + 2);
    }
    close_ends();
}
END_TEST

/* An encoder says that its arguments do not fit; the call is dropped, and its place is free again. */
START_TEST(arguments_that_do_not_fit)
{
    static char bytes[XPRT_CALL_BYTES];
    open_patient(_i);
    struct rpc_call *call = rpc_call_begin(test.xprt, 7);
    ck_assert(!xdr_opaque(&call->xdr, bytes, sizeof bytes));
    unsigned index = call->index;
    rpc_call_drop(test.xprt, call);
    turn(0);
    ck_assert(peer_has_nothing());
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    call = rpc_call_begin(test.xprt, 7);
    ck_assert_uint_eq(call->index, index);
    rpc_call_drop(test.xprt, call);
    close_ends();
}
END_TEST

static void submit_next(struct test *of, struct rpc_call *call)
{
    (void)call;
    if (of->hooked < 400) {
        submit(of->hooked++);
    }
}

/* A closed loop: each end begins the next call in its handler; every call ends once, with its own result. */
START_TEST(calls_from_the_handler)
{
    open_patient(_i);
    test.hook = submit_next;
    for (uint32_t i = 0; i < 4; i++) {
        submit(test.hooked++);
    }
    size_t answered = 0;
    int64_t deadline_ns = clock_ns() + 3 * PATIENCE_NS;
    bool seen[400] = {false};
    while (test.count < 400 && clock_ns() < deadline_ns) {
        turn(NS_PER_MS);
        while (!peer_has_nothing()) {
            peer_take();
            peer_reply(request.xid, request.argument);
            answered++;
        }
    }
    ck_assert_uint_eq(test.count, 400);
    ck_assert_uint_eq(answered, 400);
    for (size_t i = 0; i < 400; i++) {
        ck_assert_int_eq(test.ended[i].end, CALL_REPLIED);
        ck_assert_uint_lt(test.ended[i].result, 400);
        ck_assert(!seen[test.ended[i].result]);
        seen[test.ended[i].result] = true;
    }
    ck_assert_uint_eq(rpc_xprt_outstanding(test.xprt), 0);
    close_ends();
}
END_TEST

/* "Outstanding calls end as CALL_LOST without a handler; all is freed" (which the sanitizer build checks). */
START_TEST(close_with_calls_outstanding)
{
    open_patient(_i);
    submit(1);
    submit(2);
    turn(0);
    submit(3);
    rpc_call_begin(test.xprt, 7);
    close_ends();
    ck_assert_uint_eq(test.count, 0);
    rpc_xprt_close(NULL);
}
END_TEST

/* A wait with nothing to wait for ends at its time: not before, and no more than 500 ms after on a busy machine. */
START_TEST(waiting)
{
    open_patient(_i);
    int64_t before_ns = clock_ns();
    int64_t after_ns = rpc_xprt_wait(test.xprt, before_ns + 30 * NS_PER_MS, handler, &test);
    ck_assert_int_ge(after_ns, before_ns + 30 * NS_PER_MS);
    ck_assert_int_le(after_ns, before_ns + 530 * NS_PER_MS);
    ck_assert_int_le(after_ns, clock_ns());
    /* In the past: sends and looks once. */
    submit(5);
    before_ns = clock_ns();
    after_ns = rpc_xprt_wait(test.xprt, before_ns - NS_PER_SEC, handler, &test);
    ck_assert_int_le(after_ns, before_ns + 500 * NS_PER_MS);
    peer_take();
    peer_reply(request.xid, 9);
    ck_assert(peer_readable(test.fd, 0) == false);
    usleep(20000);
    rpc_xprt_wait(test.xprt, 0, handler, &test);
    ck_assert_uint_eq(test.count, 1);
    close_ends();
}
END_TEST

/* T + 2T + 4T + ... : a try and `retrans` more, each twice as long as the one before. */
START_TEST(limits)
{
    struct rpc_config config = {.tcp = _i, .timeout_ns = 100, .retrans = 0};
    ck_assert_int_eq(rpc_call_limit_ns(&config), 100);
    config.retrans = 1;
    ck_assert_int_eq(rpc_call_limit_ns(&config), 300);
    config.retrans = 3;
    ck_assert_int_eq(rpc_call_limit_ns(&config), 1500);
    config.timeout_ns = NS_PER_SEC;
    ck_assert_int_eq(rpc_call_limit_ns(&config), 15 * NS_PER_SEC);
    config.timeout_ns = 600 * NS_PER_SEC; /* the longest that --timeout takes: no overflow */
    config.retrans = XPRT_MAX_RETRANS;
    ck_assert_int_ge(rpc_call_limit_ns(&config), 21 * 600 * NS_PER_SEC);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        replies_in_any_order,
        foreign_replies_are_stray,
        garbage_for_a_waiting_call,
        rejected,
        again,
        window,
        full_window_in_handler,
        payload_is_padded,
        arguments_that_do_not_fit,
        calls_from_the_handler,
        close_with_calls_outstanding,
        waiting,
        limits,
    };
    return run_tests("rpc_xprt", tests, sizeof tests / sizeof tests[0], 2);
}
