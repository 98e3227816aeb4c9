/* The loopback server's RPC layer (RFC 5531), its MOUNT program, and calls that are cut, spoilt or refused. */
#include "tests/loopback_calls.h"

#include "random.h"

START_TEST(null_of_both_programs)
{
    struct server server = server_new();
    struct bytes call = nfs_call(0);
    struct wire_in in = accepted(&server, &call);
    expect_end(&in);
    call = call_of(100005, 0);
    in = accepted(&server, &call);
    expect_end(&in);
    server_free(&server);
}
END_TEST

START_TEST(rpc_errors)
{
    struct server server = server_new();
    struct bytes call = {.length = 0};
    WORDS(&call, XID, 0, 3, 100003, 3, 0, 0, 0, 0, 0); /* RPC version 3 */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 0, 2, 2);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100004, 3, 0, 0, 0, 0, 0); /* no such program */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 1);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 4, 0, 0, 0, 0, 0); /* NFSv4 */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 2, 3, 3);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100005, 1, 0, 0, 0, 0, 0); /* MOUNTv1 */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 2, 3, 3);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 22, 0, 0, 0, 0); /* no such procedure */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 3);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100005, 3, 6, 0, 0, 0, 0);
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 3);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 1, 0, 0, 0, 0); /* GETATTR of nothing */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 4);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 1, 0, 0, 0, 0, 65, 0); /* a handle over 64 bytes */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 4);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 0, 6, 4, 0, 0, 0); /* RPCSEC_GSS */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 1, 5);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 0, 1, 4, 0, 0, 0); /* AUTH_SYS cut short */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 1, 1);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 0, 1, 20, 0, 0, 0, 0, 17, 0, 0); /* 17 groups */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 1, 1);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 0, 0, 401); /* a credential over 400 bytes */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 1, 1);
    call.length = 0;
    WORDS(&call, XID, 0, 2, 100003, 3, 0, 0, 0, 0, 401); /* a verifier over 400 bytes */
    EXPECT_WORDS(&server, &call, XID, 1, 1, 1, 3);
    call.length = 0;
    WORDS(&call, XID, 1, 2, 100003, 3, 0, 0, 0, 0, 0); /* a reply */
    ck_assert_uint_eq(answer(&server, &call), 0);
    call.length = 0;
    ck_assert_uint_eq(answer(&server, &call), 0);
    server_free(&server);
}
END_TEST

static uint32_t mount_status(struct server *server, const char *path)
{
    struct bytes call = call_of(100005, 1);
    text(&call, path);
    struct wire_in in = accepted(server, &call);
    return wire_u32(&in);
}

START_TEST(mount_program)
{
    struct server server = server_new();
    struct bytes call = nfs_call(9);
    put_root(&server, &call);
    text(&call, "d");
    words(&call, 6, no_sattr);
    expect(&server, &call, 0);
    make_file(&server, "f");
    ck_assert_uint_eq(mount_status(&server, "/d"), 0);
    ck_assert_uint_eq(mount_status(&server, "//d/"), 0);
    ck_assert_uint_eq(mount_status(&server, "/none"), 2);
    ck_assert_uint_eq(mount_status(&server, "d"), 2);
    ck_assert_uint_eq(mount_status(&server, ""), 2);
    ck_assert_uint_eq(mount_status(&server, "/f"), 20);
    ck_assert_uint_eq(mount_status(&server, "/f/x"), 20);
    call = call_of(100005, 2); /* DUMP */
    struct wire_in in = accepted(&server, &call);
    static const char *const paths[] = {"/", "/d", "//d/"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = 0;
        ck_assert(wire_bool(&in));
        const unsigned char *host = wire_opaque(&in, 255, &length);
        ck_assert_uint_eq(length, 3);
        ck_assert_int_eq(memcmp(host, "box", 3), 0);
        const unsigned char *path = wire_opaque(&in, 1024, &length);
        ck_assert_uint_eq(length, strlen(paths[i]));
        ck_assert_int_eq(memcmp(path, paths[i], length), 0);
    }
    ck_assert(!wire_bool(&in));
    expect_end(&in);
    call = call_of(100005, 3); /* UMNT */
    text(&call, "/d");
    in = accepted(&server, &call);
    expect_end(&in);
    call = call_of(100005, 2);
    ck_assert_uint_eq(answer(&server, &call), 24 + 20 + 20 + 4); /* two are left */
    call = call_of(100005, 4);                                   /* UMNTALL */
    in = accepted(&server, &call);
    expect_end(&in);
    call = call_of(100005, 2);
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 0, 0);
    call = call_of(100005, 5); /* EXPORT: "/", no groups */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 0, 1, 1, 0x2f000000, 0, 0);
    server_free(&server);
}
END_TEST

/* The words after the status where a call is refused, by procedure. */
START_TEST(refused_calls_have_their_shape)
{
    struct server server = server_new();
    static const size_t follow[] = {0, 0, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 4, 3, 1, 1, 1, 1, 1, 2};
    for (uint32_t number = 1; number <= 21; number++) {
        struct bytes call = nfs_call(number);
        size_t length = nfs_answer(server.nfs, call.at, call.length, NFS_DATA_TCP_BYTES, NFS3ERR_JUKEBOX, server.reply);
        ck_assert_uint_eq(length, 28 + 4 * follow[number]);
        ck_assert_uint_eq(wire_load_u32(server.reply + 24), 10008);
        for (size_t i = 28; i < length; i++) {
            ck_assert_uint_eq(server.reply[i], 0);
        }
    }
    struct bytes call = nfs_call(0);
    ck_assert_uint_eq(nfs_answer(server.nfs, call.at, call.length, NFS_DATA_TCP_BYTES, NFS3ERR_JUKEBOX, server.reply),
                      24);
    server_free(&server);
}
END_TEST

/* Good arguments for every procedure but NULL, for the tests that spoil them. */
static struct bytes sample(const struct server *server, struct handle_bytes file, uint32_t number)
{
    struct bytes call = nfs_call(number);
    bool on_file = number == 2 || number == 6 || number == 7 || number == 15 || number == 21;
    if (on_file) {
        put_handle(&call, file);
    } else {
        put_root(server, &call);
    }
    switch (number) {
    case 2:
        WORDS(&call, 1, 0640, 1, 1, 1, 1, 1, 0, 77, 2, 5, 5, 2, 6, 6, 1, 8, 9);
        break;
    case 4:
        word(&call, 0x3f);
        break;
    case 6:
        WORDS(&call, 0, 0, 4096);
        break;
    case 7:
        WORDS(&call, 0, 100, 11, 2);
        text(&call, "some bytes.");
        break;
    case 3:
    case 12:
    case 13:
        text(&call, "nothing");
        break;
    case 8:
        text(&call, "made");
        WORDS(&call, 0, 1, 0600, 0, 0, 1, 0, 5, 0, 2, 3, 4);
        break;
    case 9:
        text(&call, "dir");
        words(&call, 6, no_sattr);
        break;
    case 10:
        text(&call, "link");
        words(&call, 6, no_sattr);
        text(&call, "target");
        break;
    case 11:
        text(&call, "dev");
        WORDS(&call, 3, 0, 0, 0, 0, 0, 0, 1, 2);
        break;
    case 14:
        text(&call, "made");
        put_root(server, &call);
        text(&call, "renamed");
        break;
    case 15:
        put_root(server, &call);
        text(&call, "hard");
        break;
    case 16:
        WORDS(&call, 0, 0, 0, 0, 4096);
        break;
    case 17:
        WORDS(&call, 0, 0, 0, 0, 1024, 4096);
        break;
    case 21:
        WORDS(&call, 0, 0, 0);
        break;
    default:
        break;
    }
    return call;
}

START_TEST(truncated_calls)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    size_t header = nfs_call(0).length;
    for (uint32_t number = 1; number <= 21; number++) {
        struct bytes whole = sample(&server, file, number);
        for (size_t length = 0; length < whole.length; length++) {
            /* In memory of its own, so that a sanitizer sees a byte too many being read. */
            unsigned char *cut = malloc(length == 0 ? 1 : length);
            memcpy(cut, whole.at, length);
            size_t got = nfs_answer(server.nfs, cut, length, NFS_DATA_TCP_BYTES, NFS3_OK, server.reply);
            free(cut);
            if (length < header) {
                ck_assert_uint_eq(got, 0);
            } else {
                ck_assert_uint_eq(got, 24);
                ck_assert_uint_eq(wire_load_u32(server.reply + 20), 4);
            }
        }
        ck_assert_uint_ge(answer(&server, &whole), 28);
        ck_assert_uint_eq(wire_load_u32(server.reply + 20), 0);
    }
    server_free(&server);
}
END_TEST

/* Mutated calls: whatever comes back is a well-formed RPC reply to the XID, or nothing. */
START_TEST(mutated_calls)
{
    enum { CALLS = 100000 };
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    struct rng rng;
    rng_init(&rng, 11, 0);
    for (int i = 0; i < CALLS; i++) {
        struct bytes call = sample(&server, file, 1 + (uint32_t)rng_below(&rng, 21));
        size_t length = call.length;
        if (rng_below(&rng, 20) == 0) {
            for (size_t k = 0; k < length; k++) {
                call.at[k] = (unsigned char)rng_next(&rng);
            }
        }
        size_t changes = (size_t)rng_below(&rng, 6);
        for (size_t k = 0; k < changes; k++) {
            size_t at = 4 + (size_t)rng_below(&rng, length - 4);
            call.at[at] = rng_below(&rng, 2) == 0 ? (unsigned char)rng_next(&rng) : 0xff;
        }
        if (rng_below(&rng, 4) == 0) {
            length = (size_t)rng_below(&rng, length + 1);
        }
        unsigned char *bytes = malloc(length == 0 ? 1 : length);
        memcpy(bytes, call.at, length);
        size_t got = nfs_answer(server.nfs, bytes, length, NFS_DATA_TCP_BYTES, NFS3_OK, server.reply);
        bool good = got == 0 || (got >= 20 && got % 4 == 0 && memcmp(server.reply, bytes, 4) == 0 &&
                                 wire_load_u32(server.reply + 4) == 1 && wire_load_u32(server.reply + 8) <= 1);
        free(bytes);
        if (!good) {
            ck_abort_msg("call %d: a reply of %zu bytes", i, got);
        }
    }
    server_free(&server);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_rpc");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, null_of_both_programs);
    tcase_add_test(tests, rpc_errors);
    tcase_add_test(tests, mount_program);
    tcase_add_test(tests, refused_calls_have_their_shape);
    tcase_add_test(tests, truncated_calls);
    tcase_add_test(tests, mutated_calls);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
