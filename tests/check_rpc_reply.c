/* Replies written by hand after RFC 5531 section 9, RFC 1813 section 3 and its appendix I, and what is read of them. */
#include "rpc_reply.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages, written with nothing but these ---- */

struct bytes {
    size_t length;
    unsigned char at[2 << 20];
};

static struct bytes message;

static void u32(uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        message.at[message.length++] = (unsigned char)(value >> shift);
    }
}

static void u64(uint64_t value)
{
    u32((uint32_t)(value >> 32));
    u32((uint32_t)value);
}

static void fill(size_t length, int value)
{
    memset(message.at + message.length, value, length);
    message.length += length;
}

/* Length, bytes, zeros up to a multiple of four. */
static void opaque(const void *bytes, size_t length)
{
    u32((uint32_t)length);
    memcpy(message.at + message.length, bytes, length);
    message.length += length;
    while (message.length % 4 != 0) {
        message.at[message.length++] = 0;
    }
}

static void clear(void)
{
    message.length = 0;
}

/* A copy of exactly `length` bytes, so that a sanitizer sees any byte read beyond it. */
static unsigned char *exact(size_t length)
{
    unsigned char *copy = malloc(length + (length == 0));
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, message.at, length);
    return copy;
}

/* ---- the reply's header ---- */

static struct reply_header header_of(size_t length, size_t *left)
{
    unsigned char *copy = exact(length);
    struct wire_in in = wire_reader(copy, length);
    struct reply_header header = reply_header_read(&in);
    *left = wire_left(&in);
    free(copy);
    return header;
}

static void accepted(uint32_t flavour, size_t verifier_bytes, uint32_t accept_stat)
{
    clear();
    u32(0xdeadbeef);
    u32(1); /* REPLY */
    u32(0); /* MSG_ACCEPTED */
    u32(flavour);
    u32((uint32_t)verifier_bytes);
    fill((verifier_bytes + 3) / 4 * 4, 0x5a);
    u32(accept_stat);
}

/* Every strict prefix of what is in `message` must be garbage; with `head` bytes or more its XID is known. */
static void check_prefixes(void)
{
    size_t left = 0;
    for (size_t length = 0; length < message.length; length++) {
        struct reply_header header = header_of(length, &left);
        ck_assert_int_eq(header.verdict, REPLY_GARBAGE);
        ck_assert_uint_eq(header.xid, length < 4 ? 0 : 0xdeadbeef);
    }
}

START_TEST(header_success_with_any_verifier)
{
    static const uint32_t flavours[] = {0, 1, 2, 3, 6, 0x7fffffff, 0xffffffff};
    static const size_t sizes[] = {0, 1, 2, 3, 4, 399, 400};
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < 7; j++) {
            size_t left = 0;
            accepted(flavours[i], sizes[j], 0);
            check_prefixes();
            u64(0x1122334455667788);
            struct reply_header header = header_of(message.length, &left);
            ck_assert_int_eq(header.verdict, REPLY_ACCEPTED);
            ck_assert_uint_eq(header.xid, 0xdeadbeef);
            ck_assert_uint_eq(header.reply_stat, 0);
            ck_assert_uint_eq(header.detail, 0);
            ck_assert_uint_eq(left, 8); /* at the results */
        }
    }
}
END_TEST

/* opaque_auth's body is opaque<400> (RFC 5531 section 8.2). */
START_TEST(header_verifier_too_long)
{
    static const uint32_t sizes[] = {401, 404, 0x7fffffff, 0x80000000, 0xfffffffc, 0xfffffffd, 0xffffffff};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t left = 0;
        accepted(0, 404, 0);
        wire_store_u32(message.at + 16, sizes[i]);
        fill(64, 0);
        ck_assert_int_eq(header_of(message.length, &left).verdict, REPLY_GARBAGE);
    }
}
END_TEST

START_TEST(header_not_accepted)
{
    /* accept_stat: PROG_UNAVAIL 1, PROG_MISMATCH 2 (low, high), PROC_UNAVAIL 3, GARBAGE_ARGS 4, SYSTEM_ERR 5 */
    for (uint32_t stat = 1; stat <= 5; stat++) {
        size_t left = 0;
        accepted(0, 0, stat);
        if (stat == 2) {
            u32(3);
            u32(4);
        }
        check_prefixes();
        struct reply_header header = header_of(message.length, &left);
        ck_assert_int_eq(header.verdict, REPLY_REJECTED);
        ck_assert_uint_eq(header.reply_stat, 0);
        ck_assert_uint_eq(header.detail, stat);
        ck_assert_uint_eq(header.low, stat == 2 ? 3 : 0);
        ck_assert_uint_eq(header.high, stat == 2 ? 4 : 0);
        ck_assert_uint_eq(left, 0);
    }
    static const uint32_t unknown[] = {6, 7, 100, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        size_t left = 0;
        accepted(0, 0, unknown[i]);
        fill(32, 0);
        ck_assert_int_eq(header_of(message.length, &left).verdict, REPLY_GARBAGE);
    }
}
END_TEST

static void denied(uint32_t reject_stat, uint32_t first)
{
    clear();
    u32(0xdeadbeef);
    u32(1); /* REPLY */
    u32(1); /* MSG_DENIED */
    u32(reject_stat);
    u32(first);
}

START_TEST(header_denied)
{
    size_t left = 0;
    denied(0, 2); /* RPC_MISMATCH: low 2, high 7 */
    u32(7);
    check_prefixes();
    struct reply_header header = header_of(message.length, &left);
    ck_assert_int_eq(header.verdict, REPLY_REJECTED);
    ck_assert_uint_eq(header.reply_stat, 1);
    ck_assert_uint_eq(header.detail, 0);
    ck_assert_uint_eq(header.low, 2);
    ck_assert_uint_eq(header.high, 7);
    /* AUTH_ERROR: AUTH_OK 0 to RPCSEC_GSS_CTXPROBLEM 14 */
    for (uint32_t stat = 0; stat <= 14; stat++) {
        denied(1, stat);
        check_prefixes();
        header = header_of(message.length, &left);
        ck_assert_int_eq(header.verdict, REPLY_REJECTED);
        ck_assert_uint_eq(header.reply_stat, 1);
        ck_assert_uint_eq(header.detail, 1);
        ck_assert_uint_eq(header.auth_stat, stat);
        ck_assert_uint_eq(left, 0);
    }
    static const uint32_t unknown[] = {2, 3, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 4; i++) {
        denied(unknown[i], 2);
        fill(32, 0);
        ck_assert_int_eq(header_of(message.length, &left).verdict, REPLY_GARBAGE);
    }
}
END_TEST

START_TEST(header_no_reply)
{
    static const uint32_t types[] = {0 /* CALL */, 2, 0xffffffff};
    static const uint32_t stats[] = {2, 3, 0xffffffff};
    size_t left = 0;
    for (size_t i = 0; i < 3; i++) {
        accepted(0, 0, 0);
        wire_store_u32(message.at + 4, types[i]);
        struct reply_header header = header_of(message.length, &left);
        ck_assert_int_eq(header.verdict, REPLY_GARBAGE);
        ck_assert_uint_eq(header.xid, 0xdeadbeef);
        accepted(0, 0, 0);
        wire_store_u32(message.at + 8, stats[i]);
        ck_assert_int_eq(header_of(message.length, &left).verdict, REPLY_GARBAGE);
    }
}
END_TEST

static const char *reject_text(struct reply_header header)
{
    static char text[256];
    reply_reject_text(&header, text, sizeof text);
    ck_assert_ptr_null(strchr(text, '\n'));
    return text;
}

START_TEST(reject_texts)
{
    /* The one that the header quotes; every other one must be there, and no two alike. */
    struct reply_header mismatch = {.verdict = REPLY_REJECTED, .detail = 2, .low = 3, .high = 4};
    ck_assert_str_eq(reject_text(mismatch), "program version not available (it has 3 to 4)");
    char texts[13][256];
    size_t count = 0;
    for (uint32_t stat = 1; stat <= 5; stat++) {
        strcpy(texts[count++], reject_text((struct reply_header){.verdict = REPLY_REJECTED, .detail = stat}));
    }
    for (uint32_t stat = 1; stat <= 7; stat++) {
        strcpy(texts[count++], reject_text((struct reply_header){
                                   .verdict = REPLY_REJECTED, .reply_stat = 1, .detail = 1, .auth_stat = stat}));
    }
    strcpy(texts[count++], reject_text((struct reply_header){.verdict = REPLY_REJECTED, .reply_stat = 1, .high = 9}));
    ck_assert_ptr_nonnull(strchr(texts[12], '9'));
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_gt(strlen(texts[i]), 5);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(texts[i], texts[j]);
        }
    }
    /* Numbers out of the tables, and too little room: nothing beyond. */
    for (uint32_t stat = 8; stat != 0; stat *= 2) {
        reject_text((struct reply_header){.reply_stat = 1, .detail = 1, .auth_stat = stat});
        reject_text((struct reply_header){.detail = stat});
    }
    char small[8] = "#######";
    reply_reject_text(&mismatch, small, 4);
    ck_assert_str_eq(small, "pro");
    ck_assert_int_eq(small[4], '#');
}
END_TEST

/* ---- MOUNT (RFC 1813 appendix I) ---- */

static bool mount_read(size_t length, struct mount_result *result)
{
    unsigned char *copy = exact(length);
    struct wire_in in = wire_reader(copy, length);
    bool good = mount_result_read(&in, result);
    free(copy);
    return good;
}

static void mount_ok(size_t handle_bytes, uint32_t flavours)
{
    static unsigned char handle[128];
    memset(handle, 0xa7, sizeof handle);
    clear();
    u32(0);
    opaque(handle, handle_bytes);
    u32(flavours);
    for (uint32_t i = 0; i < flavours && i < 1000; i++) {
        u32(100 + i);
    }
}

START_TEST(mount_results)
{
    struct mount_result result;
    static const size_t handles[] = {1, 3, 4, 28, 63, 64};
    static const uint32_t flavours[] = {0, 1, 2, 63, 64};
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 5; j++) {
            mount_ok(handles[i], flavours[j]);
            ck_assert(mount_read(message.length, &result));
            ck_assert_uint_eq(result.status, 0);
            ck_assert_uint_eq(result.handle.length, handles[i]);
            for (size_t k = 0; k < handles[i]; k++) {
                ck_assert_uint_eq(result.handle.bytes[k], 0xa7);
            }
            ck_assert_uint_eq(result.flavor_count, flavours[j]);
            for (size_t k = 0; k < flavours[j]; k++) {
                ck_assert_uint_eq(result.flavors[k], 100 + k);
            }
            for (size_t length = 0; length < message.length; length++) {
                ck_assert(!mount_read(length, &result));
            }
        }
    }
    clear();
    u32(13); /* MNT3ERR_ACCES: nothing follows */
    ck_assert(mount_read(4, &result));
    ck_assert_uint_eq(result.status, 13);
}
END_TEST

START_TEST(mount_out_of_bounds)
{
    struct mount_result result;
    mount_ok(0, 1); /* a handle of no bytes is none */
    ck_assert(!mount_read(message.length, &result));
    mount_ok(65, 1);
    ck_assert(!mount_read(message.length, &result));
    mount_ok(32, 65);
    ck_assert(!mount_read(message.length, &result));
    static const uint32_t huge[] = {66, 0x40000000, 0x40000001, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        mount_ok(32, 4);
        wire_store_u32(message.at + 40, huge[i]); /* the flavours' number: after status, length and 32 bytes */
        ck_assert(!mount_read(message.length, &result));
        mount_ok(32, 4);
        wire_store_u32(message.at + 4, huge[i]); /* the handle's length */
        ck_assert(!mount_read(message.length, &result));
    }
}
END_TEST

/* ---- EXPORT ---- */

START_TEST(export_lists)
{
    static const char *const paths[] = {"/srv", "/a path, with:signs", "", "/x"};
    clear();
    for (size_t i = 0; i < 4; i++) {
        u32(1);
        opaque(paths[i], strlen(paths[i]));
        for (size_t group = 0; group < i * 2; group++) {
            u32(1);
            opaque("*.example.org", group); /* lengths 0 to 5: every padding */
        }
        u32(0);
    }
    u32(0);
    size_t whole = message.length;
    for (size_t length = 0; length <= whole; length++) {
        unsigned char *copy = exact(length);
        struct wire_in in = wire_reader(copy, length);
        const unsigned char *path = NULL;
        size_t path_bytes = 0;
        size_t count = 0;
        while (export_next(&in, &path, &path_bytes)) {
            ck_assert_uint_lt(count, 4);
            ck_assert_uint_eq(path_bytes, strlen(paths[count]));
            ck_assert_int_eq(memcmp(path, paths[count], path_bytes), 0);
            count++;
        }
        ck_assert(in.bad == (length < whole));
        ck_assert(length < whole || count == 4);
        free(copy);
    }
}
END_TEST

START_TEST(export_hostile)
{
    static const uint32_t lengths[] = {1025, 0x7fffffff, 0xfffffffd, 0xffffffff};
    for (size_t i = 0; i < 4; i++) {
        for (int group = 0; group < 2; group++) {
            clear();
            u32(1);
            if (group == 1) {
                opaque("/srv", 4);
                u32(1);
            }
            u32(lengths[i]);
            fill(2048, 0);
            struct wire_in in = wire_reader(message.at, message.length);
            const unsigned char *path = NULL;
            size_t path_bytes = 0;
            ck_assert(!export_next(&in, &path, &path_bytes));
            ck_assert(in.bad);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpc_reply");
    TCase *tests = tcase_create("headers, MOUNT, EXPORT");
    tcase_add_test(tests, header_success_with_any_verifier);
    tcase_add_test(tests, header_verifier_too_long);
    tcase_add_test(tests, header_not_accepted);
    tcase_add_test(tests, header_denied);
    tcase_add_test(tests, header_no_reply);
    tcase_add_test(tests, reject_texts);
    tcase_add_test(tests, mount_results);
    tcase_add_test(tests, mount_out_of_bounds);
    tcase_add_test(tests, export_lists);
    tcase_add_test(tests, export_hostile);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
