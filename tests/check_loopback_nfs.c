/* The loopback server's NFSv3 procedures: what they do and the exact shape of their replies (RFC 1813). */
#include "tests/loopback_calls.h"

#include <stdio.h>

START_TEST(getattr_and_access)
{
    struct server server = server_new();
    struct bytes call = nfs_call(1);
    put_root(&server, &call);
    struct wire_in in = expect(&server, &call, 0);
    struct attr attr = attr_of(&in);
    expect_end(&in);
    ck_assert_uint_eq(attr.type, 2);
    ck_assert_uint_eq(attr.mode, 0777);
    ck_assert_uint_eq(attr.nlink, 2);
    call = nfs_call(1);
    opaque(&call, "foreign handle", 14);
    in = expect(&server, &call, 10001);
    expect_end(&in);
    call = nfs_call(4);
    put_root(&server, &call);
    word(&call, 0x3f);
    in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 0x3f);
    expect_end(&in);
    struct handle_bytes file = make_file(&server, "f");
    call = nfs_call(4);
    put_handle(&call, file);
    word(&call, 0x3f);
    in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 0x0d); /* READ, MODIFY, EXTEND */
    call = nfs_call(2);
    put_handle(&call, file);
    WORDS(&call, 1, 0755, 0, 0, 0, 0, 0, 0);
    in = expect(&server, &call, 0);
    attr = wcc(&in, true);
    expect_end(&in);
    ck_assert_uint_eq(attr.mode, 0755);
    call = nfs_call(4);
    put_handle(&call, file);
    word(&call, 0x3f);
    in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 0x2d); /* EXECUTE too */
    server_free(&server);
}
END_TEST

START_TEST(setattr_guard_and_times)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    struct bytes call = nfs_call(2);
    put_handle(&call, file);
    /* mode, uid, gid, size 9, atime 1.5 s by client, mtime by server; guard that cannot be right */
    WORDS(&call, 1, 0600, 1, 7, 1, 8, 1, 0, 9, 2, 1, 500000000, 1, 1, 5, 6);
    struct wire_in in = expect(&server, &call, 10002);
    struct attr attr = wcc(&in, false);
    expect_end(&in);
    call = nfs_call(2);
    put_handle(&call, file);
    WORDS(&call, 1, 0600, 1, 7, 1, 8, 1, 0, 9, 2, 1, 500000000, 1, 1, (uint32_t)(attr.ctime >> 32),
          (uint32_t)attr.ctime);
    in = expect(&server, &call, 0);
    attr = wcc(&in, true);
    expect_end(&in);
    ck_assert_uint_eq(attr.mode, 0600);
    ck_assert_uint_eq(attr.uid, 7);
    ck_assert_uint_eq(attr.gid, 8);
    ck_assert_uint_eq(attr.size, 9);
    ck_assert_uint_eq(attr.atime, UINT64_C(1) << 32 | 500000000);
    ck_assert_uint_eq(attr.mtime, attr.ctime);
    call = nfs_call(2);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 0, 0, 3, 0, 0); /* no such time_how */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 4);
    server_free(&server);
}
END_TEST

START_TEST(lookup_of_names)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    struct bytes call = nfs_call(3);
    put_root(&server, &call);
    text(&call, "f");
    struct wire_in in = expect(&server, &call, 0);
    struct handle_bytes found = handle_of(&in);
    ck_assert_uint_eq(found.length, file.length);
    ck_assert_int_eq(memcmp(found.at, file.at, file.length), 0);
    struct attr attr = post_op(&in);
    ck_assert_uint_eq(attr.type, 1);
    ck_assert_uint_eq(attr.uid, 1000);
    ck_assert_uint_eq(attr.gid, 100);
    ck_assert_uint_eq(post_op(&in).type, 2);
    expect_end(&in);
    call = nfs_call(3);
    put_root(&server, &call);
    text(&call, "none");
    in = expect(&server, &call, 2);
    ck_assert_uint_eq(post_op(&in).type, 2);
    expect_end(&in);
    char name[256];
    memset(name, 'x', sizeof name);
    call = nfs_call(3);
    put_root(&server, &call);
    opaque(&call, name, sizeof name);
    in = expect(&server, &call, 63);
    server_free(&server);
}
END_TEST

START_TEST(write_read_commit)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    uint64_t verifier = 0;
    for (uint32_t stable = 0; stable <= 2; stable++) {
        struct bytes call = nfs_call(7);
        put_handle(&call, file);
        WORDS(&call, 0, 4 * stable, 5, stable);
        opaque(&call, "hello", 5);
        struct wire_in in = expect(&server, &call, 0);
        struct attr attr = wcc(&in, true);
        ck_assert_uint_eq(attr.size, 4 * stable + 5);
        ck_assert_uint_eq(wire_u32(&in), 5);
        ck_assert_uint_ge(wire_u32(&in), stable); /* as stable as asked, or more */
        uint64_t said = wire_u64(&in);
        ck_assert(stable == 0 || said == verifier);
        verifier = said;
        expect_end(&in);
    }
    struct bytes call = nfs_call(6);
    put_handle(&call, file);
    WORDS(&call, 0, 4, 100);
    struct wire_in in = expect(&server, &call, 0);
    ck_assert_uint_eq(post_op(&in).size, 13);
    ck_assert_uint_eq(wire_u32(&in), 9);
    ck_assert_uint_eq(wire_u32(&in), 1);
    size_t length = 0;
    const unsigned char *data = wire_opaque(&in, 100, &length);
    ck_assert_uint_eq(length, 9);
    ck_assert_int_eq(memcmp(data, "hellhello", 9), 0);
    ck_assert_uint_eq(data[9] | data[10] | data[11], 0); /* padding */
    expect_end(&in);
    call = nfs_call(6);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 4);
    in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 4);
    ck_assert_uint_eq(wire_u32(&in), 0);
    call = nfs_call(21);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 0);
    in = expect(&server, &call, 0);
    wcc(&in, false);
    ck_assert_uint_eq(wire_u64(&in), verifier);
    expect_end(&in);
    call = nfs_call(7);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 4, 0);
    opaque(&call, "hello", 5); /* count and data differ */
    in = expect(&server, &call, 22);
    wcc(&in, false);
    call = nfs_call(7);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 5, 3); /* no such stable_how */
    opaque(&call, "hello", 5);
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 4);
    call = nfs_call(7);
    put_handle(&call, file);
    WORDS(&call, 0xffffffff, 0xffffffff, 5, 0);
    opaque(&call, "hello", 5);
    in = expect(&server, &call, 27);
    call = nfs_call(6);
    put_root(&server, &call);
    WORDS(&call, 0, 0, 5);
    in = expect(&server, &call, 22);
    ck_assert_uint_eq(post_op(&in).type, 2);
    expect_end(&in);
    server_free(&server);
}
END_TEST

START_TEST(reads_are_bounded_by_the_transport)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    struct bytes call = nfs_call(2);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 0, 1, 0, 0x300000, 0, 0, 0); /* 3 MiB */
    expect(&server, &call, 0);
    call = nfs_call(6);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 0xffffffff);
    struct wire_in in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 1048576);
    size_t length = nfs_answer(server.nfs, call.at, call.length, NFS_DATA_UDP_BYTES, NFS3_OK, server.reply);
    in = wire_reader(server.reply + 28, length - 28);
    post_op(&in);
    ck_assert_uint_eq(wire_u32(&in), 32768);
    ck_assert_uint_lt(length, 65507);
    server_free(&server);
}
END_TEST

START_TEST(create_modes)
{
    struct server server = server_new();
    struct bytes call = nfs_call(8);
    put_root(&server, &call);
    text(&call, "x");
    WORDS(&call, 2, 0x11, 0x22); /* EXCLUSIVE */
    struct wire_in in = expect(&server, &call, 0);
    struct attr attr;
    struct handle_bytes one = made(&in, &attr);
    ck_assert_uint_eq(attr.type, 1);
    in = expect(&server, &call, 0); /* sent again: the same file */
    ck_assert(wire_bool(&in));
    struct handle_bytes two = handle_of(&in);
    ck_assert_int_eq(memcmp(one.at, two.at, one.length), 0);
    call.at[call.length - 1] = 0x23;
    in = expect(&server, &call, 17);
    wcc(&in, false);
    expect_end(&in);
    call = nfs_call(8);
    put_root(&server, &call);
    text(&call, "y");
    WORDS(&call, 0, 1, 0604, 0, 0, 0, 0, 0); /* UNCHECKED, mode */
    in = expect(&server, &call, 0);
    made(&in, &attr);
    ck_assert_uint_eq(attr.mode, 0604);
    call = nfs_call(8);
    put_root(&server, &call);
    text(&call, "z");
    WORDS(&call, 3, 0, 0, 0, 0, 0, 0); /* no such mode */
    EXPECT_WORDS(&server, &call, XID, 1, 0, 0, 0, 4);
    server_free(&server);
}
END_TEST

START_TEST(mkdir_symlink_readlink_mknod)
{
    struct server server = server_new();
    struct attr attr;
    struct bytes call = nfs_call(9);
    put_root(&server, &call);
    text(&call, "d");
    WORDS(&call, 1, 0700, 0, 0, 0, 0, 0);
    struct wire_in in = expect(&server, &call, 0);
    made(&in, &attr);
    ck_assert_uint_eq(attr.type, 2);
    ck_assert_uint_eq(attr.mode, 0700);
    call = nfs_call(10);
    put_root(&server, &call);
    text(&call, "l");
    words(&call, 6, no_sattr);
    text(&call, "to/there");
    in = expect(&server, &call, 0);
    struct handle_bytes link = made(&in, &attr);
    ck_assert_uint_eq(attr.type, 5);
    ck_assert_uint_eq(attr.size, 8);
    call = nfs_call(5);
    put_handle(&call, link);
    in = expect(&server, &call, 0);
    ck_assert_uint_eq(post_op(&in).type, 5);
    size_t length = 0;
    const unsigned char *target = wire_opaque(&in, 1024, &length);
    ck_assert_uint_eq(length, 8);
    ck_assert_int_eq(memcmp(target, "to/there", 8), 0);
    expect_end(&in);
    call = nfs_call(5);
    put_root(&server, &call);
    in = expect(&server, &call, 22);
    post_op(&in);
    expect_end(&in);
    call = nfs_call(11);
    put_root(&server, &call);
    text(&call, "c");
    WORDS(&call, 4, 0, 0, 0, 0, 0, 0, 5, 1); /* NF3CHR 5,1 */
    in = expect(&server, &call, 0);
    made(&in, &attr);
    ck_assert_uint_eq(attr.type, 4);
    ck_assert_uint_eq(attr.major, 5);
    ck_assert_uint_eq(attr.minor, 1);
    call = nfs_call(11);
    put_root(&server, &call);
    text(&call, "p");
    WORDS(&call, 7, 0, 0, 0, 0, 0, 0); /* NF3FIFO */
    in = expect(&server, &call, 0);
    made(&in, &attr);
    ck_assert_uint_eq(attr.type, 7);
    call = nfs_call(11);
    put_root(&server, &call);
    text(&call, "r");
    word(&call, 1); /* NF3REG */
    in = expect(&server, &call, 10007);
    wcc(&in, false);
    expect_end(&in);
    server_free(&server);
}
END_TEST

START_TEST(remove_rmdir_rename_link)
{
    struct server server = server_new();
    struct handle_bytes file = make_file(&server, "f");
    struct bytes call = nfs_call(15);
    put_handle(&call, file);
    put_root(&server, &call);
    text(&call, "g");
    struct wire_in in = expect(&server, &call, 0);
    ck_assert_uint_eq(post_op(&in).nlink, 2);
    wcc(&in, true);
    expect_end(&in);
    call = nfs_call(14);
    put_root(&server, &call);
    text(&call, "f");
    put_root(&server, &call);
    text(&call, "h");
    in = expect(&server, &call, 0);
    wcc(&in, true);
    wcc(&in, true);
    expect_end(&in);
    in = expect(&server, &call, 2); /* again: gone */
    wcc(&in, false);
    wcc(&in, false);
    expect_end(&in);
    call = nfs_call(13);
    put_root(&server, &call);
    text(&call, "h");
    in = expect(&server, &call, 20);
    wcc(&in, false);
    expect_end(&in);
    static const char *const names[] = {"g", "h"};
    for (size_t i = 0; i < 2; i++) {
        call = nfs_call(12);
        put_root(&server, &call);
        text(&call, names[i]);
        in = expect(&server, &call, 0);
        wcc(&in, true);
        expect_end(&in);
    }
    call = nfs_call(1);
    put_handle(&call, file);
    in = expect(&server, &call, 70);
    expect_end(&in);
    call = nfs_call(7);
    put_handle(&call, file);
    WORDS(&call, 0, 0, 0, 0, 0);
    in = expect(&server, &call, 70);
    wcc_none(&in);
    expect_end(&in);
    server_free(&server);
}
END_TEST

/* List the root in pages of `count` bytes. Returns the number of entries; every page must keep to its bound. */
static size_t list_all(struct server *server, bool plus, uint32_t count)
{
    uint64_t cookie = 0;
    uint64_t verifier = 0;
    size_t entries = 0;
    for (bool end = false; !end;) {
        struct bytes call = nfs_call(plus ? 17 : 16);
        put_root(server, &call);
        WORDS(&call, (uint32_t)(cookie >> 32), (uint32_t)cookie, (uint32_t)(verifier >> 32), (uint32_t)verifier);
        if (plus) {
            word(&call, 512);
        }
        word(&call, count);
        struct wire_in in = expect(server, &call, 0);
        ck_assert_uint_le(wire_left(&in), count);
        ck_assert_uint_eq(post_op(&in).type, 2);
        verifier = wire_u64(&in);
        size_t names = 0;
        while (wire_bool(&in)) {
            uint64_t fileid = wire_u64(&in);
            size_t length = 0;
            ck_assert_ptr_nonnull(wire_opaque(&in, 255, &length));
            uint64_t next = wire_u64(&in);
            ck_assert_uint_gt(next, cookie);
            cookie = next;
            if (plus) {
                ck_assert_uint_eq(post_op(&in).fileid, fileid);
                ck_assert(wire_bool(&in));
                handle_of(&in);
                names += 24 + ((length + 3) & ~(size_t)3);
            }
            entries++;
        }
        ck_assert_uint_le(names, 512);
        end = wire_bool(&in);
        expect_end(&in);
    }
    return entries;
}

START_TEST(readdir_in_pages)
{
    struct server server = server_new();
    char name[32];
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "some-name-%d", i);
        make_file(&server, name);
    }
    static const uint32_t counts[] = {200, 512, 4096, 1 << 20, UINT32_MAX};
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(list_all(&server, false, counts[i]), 302);
    }
    ck_assert_uint_eq(list_all(&server, true, 300), 302);
    ck_assert_uint_eq(list_all(&server, true, 4096), 302);
    struct bytes call = nfs_call(16);
    put_root(&server, &call);
    WORDS(&call, 0, 0, 0, 0, 131); /* "." needs 104 + 28 */
    struct wire_in in = expect(&server, &call, 10005);
    post_op(&in);
    expect_end(&in);
    call.at[call.length - 1] = 132;
    in = expect(&server, &call, 0);
    call = nfs_call(16);
    put_root(&server, &call);
    WORDS(&call, 0, 5, 1, 2, 4096); /* another server's verifier */
    in = expect(&server, &call, 10003);
    post_op(&in);
    expect_end(&in);
    call = nfs_call(17);
    put_handle(&call, make_file(&server, "f"));
    WORDS(&call, 0, 0, 0, 0, 4096, 4096);
    in = expect(&server, &call, 20);
    ck_assert_uint_eq(post_op(&in).type, 1);
    expect_end(&in);
    server_free(&server);
}
END_TEST

START_TEST(fsstat_fsinfo_pathconf)
{
    struct server server = server_new();
    struct bytes call = nfs_call(18);
    put_root(&server, &call);
    struct wire_in in = expect(&server, &call, 0);
    post_op(&in);
    ck_assert_uint_eq(wire_u64(&in), UINT64_C(1) << 30);
    uint64_t free_bytes = wire_u64(&in);
    ck_assert_uint_lt(free_bytes, UINT64_C(1) << 30);
    ck_assert_uint_eq(wire_u64(&in), free_bytes);
    uint64_t files = wire_u64(&in);
    ck_assert_uint_eq(wire_u64(&in), files - 1); /* the root */
    ck_assert_uint_eq(wire_u64(&in), files - 1);
    ck_assert_uint_eq(wire_u32(&in), 0);
    expect_end(&in);
    call = nfs_call(19);
    put_root(&server, &call);
    in = expect(&server, &call, 0);
    post_op(&in);
    static const uint32_t info[] = {1048576, 65536, 4096, 1048576, 65536, 4096, 65536, 16, 0, 0, 1, 0x1b};
    for (size_t i = 0; i < sizeof info / sizeof *info; i++) {
        ck_assert_uint_eq(wire_u32(&in), info[i]);
    }
    expect_end(&in);
    call = nfs_call(20);
    put_root(&server, &call);
    in = expect(&server, &call, 0);
    post_op(&in);
    static const uint32_t conf[] = {1000000000, 255, 1, 0, 0, 1};
    for (size_t i = 0; i < sizeof conf / sizeof *conf; i++) {
        ck_assert_uint_eq(wire_u32(&in), conf[i]);
    }
    expect_end(&in);
    server_free(&server);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_nfs");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, getattr_and_access);
    tcase_add_test(tests, setattr_guard_and_times);
    tcase_add_test(tests, lookup_of_names);
    tcase_add_test(tests, write_read_commit);
    tcase_add_test(tests, reads_are_bounded_by_the_transport);
    tcase_add_test(tests, create_modes);
    tcase_add_test(tests, mkdir_symlink_readlink_mknod);
    tcase_add_test(tests, remove_rmdir_rename_link);
    tcase_add_test(tests, readdir_in_pages);
    tcase_add_test(tests, fsstat_fsinfo_pathconf);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
