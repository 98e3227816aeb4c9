/* NFSv3 results (RFC 1813 section 3.3), each written by hand, whole, cut off anywhere, and with something added. */
#include "rpc_reply.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { ERR_NOENT = 2, ERR_STALE = 70 };

#define SIZE UINT64_C(0x0123456789abcdef)

static unsigned char message[4 << 20];
static size_t length;

static void u32(uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        message[length++] = (unsigned char)(value >> shift);
    }
}

static void u64(uint64_t value)
{
    u32((uint32_t)(value >> 32));
    u32((uint32_t)value);
}

static void bytes(const void *from, size_t count)
{
    memcpy(message + length, from, count);
    length += count;
}

static void opaque(const void *from, size_t count)
{
    u32((uint32_t)count);
    bytes(from, count);
    while (length % 4 != 0) {
        message[length++] = 0;
    }
}

/* fattr3: type, mode, nlink, uid, gid, size, used, rdev (2), fsid, fileid, atime, mtime, ctime: 21 words. */
static void fattr3(uint32_t type, uint64_t size)
{
    u32(type);
    u32(0644);
    u32(1);
    u32(1000);
    u32(100);
    u64(size);
    u64(8192); /* used */
    u32(7);
    u32(8);
    u64(99);   /* fsid */
    u64(4711); /* fileid */
    for (uint32_t i = 0; i < 6; i++) {
        u32(1000 + i);
    }
}

static void post_op(bool there, uint32_t type, uint64_t size)
{
    u32(there);
    if (there) {
        fattr3(type, size);
    }
}

/* wcc_data: pre_op_attr (size, mtime, ctime), post_op_attr. */
static void wcc(bool before, bool after, uint32_t type, uint64_t size)
{
    u32(before);
    if (before) {
        u64(12345);
        for (uint32_t i = 0; i < 4; i++) {
            u32(i);
        }
    }
    post_op(after, type, size);
}

static void fh3(void)
{
    opaque("0123456789abcdef0123456789abc", 29);
}

/*
 * The result of `op` with this status; `there` says if the optional parts are. The object is a regular file (1) of SIZE
 * bytes; directories around it (type 2) have 77 bytes, which nobody asked for.
 */
static void write_result(unsigned op, uint32_t status, bool there)
{
    bool ok = status == 0;
    length = 0;
    if (op == OP_NULL) {
        return;
    }
    u32(status);
    switch (op) {
    case OP_GETATTR: /* 3.3.1 */
        if (ok) {
            fattr3(1, SIZE);
        }
        break;
    case OP_SETATTR: /* 3.3.2 obj_wcc */
    case OP_REMOVE:  /* 3.3.12 dir_wcc */
    case OP_RMDIR:   /* 3.3.13 dir_wcc */
        wcc(there, there, 2, 77);
        break;
    case OP_LOOKUP: /* 3.3.3 object, obj_attributes, dir_attributes */
        if (ok) {
            fh3();
            post_op(there, 1, SIZE);
        }
        post_op(there, 2, 77);
        break;
    case OP_ACCESS: /* 3.3.4 obj_attributes, access */
        post_op(there, 1, SIZE);
        if (ok) {
            u32(0x3f);
        }
        break;
    case OP_READLINK: /* 3.3.5 symlink_attributes, data */
        post_op(there, 1, SIZE);
        if (ok) {
            opaque("../target", 9);
        }
        break;
    case OP_READ: /* 3.3.6 file_attributes, count, eof, data */
        post_op(there, 1, SIZE);
        if (ok) {
            u32(5);
            u32(1);
            opaque("bytes", 5);
        }
        break;
    case OP_WRITE: /* 3.3.7 file_wcc, count, committed, verf */
        wcc(there, there, 1, SIZE);
        if (ok) {
            u32(8192);
            u32(2);
            u64(0x1111222233334444);
        }
        break;
    case OP_CREATE: /* 3.3.8 to 3.3.11 obj, obj_attributes, dir_wcc */
    case OP_MKDIR:
    case OP_SYMLINK:
    case OP_MKNOD:
        if (ok) {
            u32(there);
            if (there) {
                fh3();
            }
            post_op(there, 1, SIZE);
        }
        wcc(there, there, 2, 77);
        break;
    case OP_RENAME: /* 3.3.14 fromdir_wcc, todir_wcc */
        wcc(there, there, 2, 77);
        wcc(there, there, 2, 77);
        break;
    case OP_LINK: /* 3.3.15 file_attributes, linkdir_wcc */
        post_op(there, 1, SIZE);
        wcc(there, there, 2, 77);
        break;
    case OP_READDIR:     /* 3.3.16 dir_attributes, cookieverf, entries (fileid, name, cookie), eof */
    case OP_READDIRPLUS: /* 3.3.17 the same, with name_attributes and name_handle in each */
        post_op(there, 2, 77);
        if (!ok) {
            break;
        }
        bytes("verifier", 8);
        for (uint32_t i = 0; i < 3; i++) {
            u32(1);
            u64(500 + i);
            opaque("name", i + 2); /* "na", "nam", "name" */
            u64(UINT64_C(0xc000000000000000) + i);
            if (op == OP_READDIRPLUS) {
                post_op(there, 5, i);
                u32(there);
                if (there) {
                    fh3();
                }
            }
        }
        u32(0);
        u32(1);
        break;
    case OP_FSSTAT: /* 3.3.18 obj_attributes, tbytes, fbytes, abytes, tfiles, ffiles, afiles, invarsec */
        post_op(there, 2, 77);
        for (uint64_t i = 0; ok && i < 6; i++) {
            u64(i << 40);
        }
        if (ok) {
            u32(30);
        }
        break;
    case OP_FSINFO: /* 3.3.19 rtmax rtpref rtmult wtmax wtpref wtmult dtpref maxfilesize time_delta properties */
        post_op(there, 2, 77);
        for (uint32_t i = 1; ok && i <= 7; i++) {
            u32(i * 1024);
        }
        if (ok) {
            u64(UINT64_C(1) << 62);
            u64(1);
            u32(0x1b);
        }
        break;
    case OP_PATHCONF: /* 3.3.20 linkmax, name_max, no_trunc, chown_restricted, case_insensitive, case_preserving */
        post_op(there, 2, 77);
        if (ok) {
            u32(32000);
            u32(255);
            u32(1);
            u32(1);
            u32(0);
            u32(1);
        }
        break;
    case OP_COMMIT: /* 3.3.21 file_wcc, verf */
        wcc(there, there, 2, 77);
        if (ok) {
            u64(0x1111222233334444);
        }
        break;
    default:
        ck_abort();
    }
}

/* From a copy of exactly so many bytes; what `result` points to is in `message`, so the copy may go. */
static bool reads(unsigned op, size_t count, struct nfs_result *result)
{
    unsigned char *copy = malloc(count + 1);
    ck_assert_ptr_nonnull(copy);
    unsigned char *at = copy + 1; /* not aligned: a reply may lie anywhere */
    memcpy(at, message, count);
    struct wire_in in = wire_reader(at, count);
    bool good = nfs_result_read(op, &in, result);
    if (result->data != NULL) {
        result->data = message + (result->data - at);
    }
    if (result->entries.at != NULL) {
        ptrdiff_t first = result->entries.at - at;
        result->entries.at = message + first;
        result->entries.end = message + count;
    }
    free(copy);
    return good;
}

START_TEST(whole_cut_and_lengthened)
{
    unsigned op = (unsigned)_i;
    static const uint32_t statuses[] = {0, ERR_NOENT, ERR_STALE, 10008, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        for (int there = 0; there <= 1; there++) {
            struct nfs_result result;
            write_result(op, statuses[i], there);
            ck_assert(reads(op, length, &result));
            ck_assert_uint_eq(result.status, op == OP_NULL ? 0 : statuses[i]);
            for (size_t cut = 0; cut < length; cut++) {
                ck_assert_msg(!reads(op, cut, &result), "%s of %zu bytes reads from %zu", op_name(op), length, cut);
            }
            memset(message + length, 0, 8);
            for (size_t more = 1; more <= 8; more++) {
                ck_assert_msg(!reads(op, length + more, &result), "%s reads with %zu more", op_name(op), more);
            }
        }
    }
}
END_TEST

START_TEST(fields)
{
    struct nfs_result result;
    /* Attributes of the object itself, where the RFC gives them. */
    static const unsigned with_attributes[] = {OP_GETATTR, OP_LOOKUP, OP_ACCESS,  OP_READLINK, OP_READ, OP_WRITE,
                                               OP_CREATE,  OP_MKDIR,  OP_SYMLINK, OP_MKNOD,    OP_LINK};
    for (size_t i = 0; i < sizeof with_attributes / sizeof with_attributes[0]; i++) {
        unsigned op = with_attributes[i];
        write_result(op, 0, true);
        ck_assert(reads(op, length, &result));
        ck_assert(result.has_attributes);
        ck_assert_uint_eq(result.type, 1);
        ck_assert_uint_eq(result.size, SIZE);
        write_result(op, 0, false);
        ck_assert(reads(op, length, &result));
        ck_assert(result.has_attributes == (op == OP_GETATTR));
    }
    static const unsigned with_handle[] = {OP_LOOKUP, OP_CREATE, OP_MKDIR, OP_SYMLINK, OP_MKNOD};
    for (size_t i = 0; i < 5; i++) {
        write_result(with_handle[i], 0, true);
        ck_assert(reads(with_handle[i], length, &result));
        ck_assert(result.has_handle);
        ck_assert_uint_eq(result.handle.length, 29);
        ck_assert_int_eq(memcmp(result.handle.bytes, "0123456789abcdef0123456789abc", 29), 0);
        write_result(with_handle[i], ERR_STALE, true);
        ck_assert(reads(with_handle[i], length, &result));
        ck_assert(!result.has_handle);
        ck_assert(!result.has_attributes);
    }
    write_result(OP_READLINK, 0, true);
    ck_assert(reads(OP_READLINK, length, &result));
    ck_assert_uint_eq(result.data_bytes, 9);
    ck_assert_int_eq(memcmp(result.data, "../target", 9), 0);
    write_result(OP_READ, 0, true);
    ck_assert(reads(OP_READ, length, &result));
    ck_assert_uint_eq(result.data_bytes, 5);
    ck_assert_int_eq(memcmp(result.data, "bytes", 5), 0);
    ck_assert(result.eof);
    write_result(OP_WRITE, 0, false);
    ck_assert(reads(OP_WRITE, length, &result));
    ck_assert_uint_eq(result.count, 8192);
    ck_assert_uint_eq(result.committed, 2);
    write_result(OP_FSINFO, 0, true);
    ck_assert(reads(OP_FSINFO, length, &result));
    ck_assert_uint_eq(result.rtmax, 1024);  /* first of the seven, */
    ck_assert_uint_eq(result.wtmax, 4096);  /* fourth, */
    ck_assert_uint_eq(result.dtpref, 7168); /* and seventh */
}
END_TEST

START_TEST(directory_entries)
{
    for (unsigned op = OP_READDIR; op <= OP_READDIRPLUS; op++) {
        for (int there = 0; there <= 1; there++) {
            bool plus = op == OP_READDIRPLUS;
            struct nfs_result result;
            struct dir_entry entry;
            write_result(op, 0, there);
            ck_assert(reads(op, length, &result));
            ck_assert_uint_eq(result.count, 3);
            ck_assert(result.eof);
            ck_assert_int_eq(memcmp(result.cookieverf, "verifier", 8), 0);
            for (uint32_t i = 0; i < 3; i++) {
                ck_assert(dir_entry_next(&result.entries, plus, &entry));
                ck_assert_uint_eq(entry.fileid, 500 + i);
                ck_assert_uint_eq(entry.cookie, UINT64_C(0xc000000000000000) + i);
                ck_assert_uint_eq(entry.name_bytes, i + 2);
                ck_assert_int_eq(memcmp(entry.name, "name", i + 2), 0);
                ck_assert(entry.has_type == (plus && there));
                ck_assert_uint_eq(entry.type, plus && there ? 5 : 0);
            }
            ck_assert(!dir_entry_next(&result.entries, plus, &entry));
            ck_assert(!result.entries.bad);
        }
    }
}
END_TEST

static bool long_list(unsigned op, uint32_t entries, uint32_t eof, struct nfs_result *result)
{
    length = 0;
    u32(0);
    post_op(false, 0, 0);
    bytes("verifier", 8);
    for (uint32_t i = 0; i < entries; i++) {
        u32(1);
        u64(i);
        opaque("f00000000", 9);
        u64(i + 1);
        if (op == OP_READDIRPLUS) {
            post_op(true, 1, i);
            u32(1);
            fh3();
        }
    }
    u32(0);
    u32(eof);
    return reads(op, length, result);
}

START_TEST(long_lists)
{
    struct nfs_result result;
    static const uint32_t counts[] = {0, 1, 10000, 20000};
    for (unsigned op = OP_READDIR; op <= OP_READDIRPLUS; op++) {
        for (size_t i = 0; i < 4; i++) {
            ck_assert(long_list(op, counts[i], 0, &result));
            ck_assert_uint_eq(result.count, counts[i]);
            ck_assert(!result.eof);
            struct dir_entry entry;
            uint32_t found = 0;
            while (dir_entry_next(&result.entries, op == OP_READDIRPLUS, &entry)) {
                ck_assert_uint_eq(entry.fileid, found++);
            }
            ck_assert_uint_eq(found, counts[i]);
        }
        ck_assert(!long_list(op, 3, 2, &result)); /* eof is a boolean */
    }
}
END_TEST

static bool readlink_of(uint32_t said, size_t there, struct nfs_result *result)
{
    static unsigned char path[2048];
    memset(path, 'p', sizeof path);
    length = 0;
    u32(0);
    post_op(false, 0, 0);
    u32(said);
    bytes(path, (there + 3) / 4 * 4);
    return reads(OP_READLINK, length, result);
}

/* NFS3_MAXPATH in nfs_prot.x is 1024: exactly that is fine. */
START_TEST(readlink_bound)
{
    struct nfs_result result;
    static const uint32_t good[] = {0, 1, 255, 1023, 1024};
    for (size_t i = 0; i < 5; i++) {
        ck_assert(readlink_of(good[i], good[i], &result));
        ck_assert_uint_eq(result.data_bytes, good[i]);
    }
    ck_assert(!readlink_of(1025, 1025, &result));
    ck_assert(!readlink_of(1028, 1028, &result));
    ck_assert(!readlink_of(1028, 1024, &result));
    static const uint32_t huge[] = {0x7fffffff, 0x80000000, 0xfffffffc, 0xfffffffd, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        ck_assert(!readlink_of(huge[i], 16, &result));
    }
}
END_TEST

static bool read_of(uint32_t count, uint32_t eof, uint32_t said, size_t there, struct nfs_result *result)
{
    length = 0;
    u32(0);
    post_op(true, 1, SIZE);
    u32(count);
    u32(eof);
    u32(said);
    memset(message + length, 'd', (there + 3) / 4 * 4);
    length += (there + 3) / 4 * 4;
    return reads(OP_READ, length, result);
}

START_TEST(read_data)
{
    struct nfs_result result;
    static const uint32_t good[] = {0, 1, 2, 3, 4, 8192, 1048575, 1048576}; /* NFS3_MAXDATA: 1 MiB */
    for (size_t i = 0; i < 8; i++) {
        ck_assert(read_of(good[i], 0, good[i], good[i], &result));
        ck_assert_uint_eq(result.data_bytes, good[i]);
        ck_assert_uint_eq(result.count, good[i]);
        ck_assert(!result.eof);
    }
    ck_assert(!read_of(1048580, 0, 1048580, 1048580, &result));
    /* count and the data's length must be one. */
    ck_assert(!read_of(8192, 0, 8191, 8191, &result));
    ck_assert(!read_of(8191, 0, 8192, 8192, &result));
    ck_assert(!read_of(0, 0, 1, 1, &result));
    ck_assert(!read_of(0xffffffff, 0, 1, 1, &result));
    ck_assert(!read_of(4, 2, 4, 4, &result)); /* eof is a boolean */
    static const uint32_t huge[] = {0x7fffffff, 0x80000000, 0xfffffffc, 0xfffffffd, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        ck_assert(!read_of(huge[i], 0, huge[i], 16, &result));
    }
}
END_TEST

static void lookup_of(uint32_t handle_bytes, uint32_t follows)
{
    length = 0;
    u32(0);
    u32(handle_bytes);
    memset(message + length, 'h', 68);
    length += handle_bytes <= 64 ? (handle_bytes + 3) / 4 * 4 : 68;
    u32(follows);
    u32(0);
}

START_TEST(bounds_of_others)
{
    struct nfs_result result;
    lookup_of(64, 0);
    ck_assert(reads(OP_LOOKUP, length, &result));
    ck_assert_uint_eq(result.handle.length, 64);
    static const uint32_t handles[] = {65, 68, 0x80000000, 0xfffffffd, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        lookup_of(handles[i], 0);
        ck_assert(!reads(OP_LOOKUP, length, &result));
    }
    static const uint32_t not_booleans[] = {2, 0x100, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 4; i++) {
        lookup_of(32, not_booleans[i]);
        ck_assert(!reads(OP_LOOKUP, length, &result));
    }
    /* Names without end in a list: after status, no attributes, verifier, 1 and fileid, 4 + 4 + 8 + 4 + 8 bytes. */
    for (size_t i = 2; i < 5; i++) {
        write_result(OP_READDIR, 0, false);
        wire_store_u32(message + 28, handles[i]);
        ck_assert(!reads(OP_READDIR, length, &result));
    }
    for (unsigned op = OP_COUNT; op < OP_COUNT + 3; op++) {
        length = 0;
        u32(0);
        ck_assert(!reads(op, length, &result));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpc_reply: NFS results");
    TCase *tests = tcase_create("results");
    tcase_add_loop_test(tests, whole_cut_and_lengthened, 0, OP_COUNT);
    tcase_add_test(tests, fields);
    tcase_add_test(tests, directory_entries);
    tcase_add_test(tests, long_lists);
    tcase_add_test(tests, readlink_bound);
    tcase_add_test(tests, read_data);
    tcase_add_test(tests, bounds_of_others);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
