/*
 * loopback_calls.h - for the tests of the loopback server's answers: calls built byte by byte from RFC 5531 and RFC
 * 1813, and the pieces of replies, read with wire.h and checked with Check.
 */
#ifndef LOOPBACK_CALLS_H
#define LOOPBACK_CALLS_H

#include "loopback_nfs.h"
#include "wire.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { XID = 0x01020304, CALL_MAX = 4096 };

/* A call being built. */
struct bytes {
    unsigned char at[CALL_MAX];
    size_t length;
};

struct server {
    struct nfs *nfs;
    unsigned char root[64];
    size_t root_length;
    unsigned char *reply;
    size_t reply_length;
};

static inline void word(struct bytes *bytes, uint32_t value)
{
    bytes->at[bytes->length++] = (unsigned char)(value >> 24);
    bytes->at[bytes->length++] = (unsigned char)(value >> 16);
    bytes->at[bytes->length++] = (unsigned char)(value >> 8);
    bytes->at[bytes->length++] = (unsigned char)value;
}

static inline void words(struct bytes *bytes, size_t count, const uint32_t *values)
{
    for (size_t i = 0; i < count; i++) {
        word(bytes, values[i]);
    }
}

#define WORDS(bytes, ...) \
    words(bytes, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

static inline void opaque(struct bytes *bytes, const void *data, size_t length)
{
    word(bytes, (uint32_t)length);
    memcpy(bytes->at + bytes->length, data, length);
    bytes->length += length;
    while (length++ % 4 != 0) {
        bytes->at[bytes->length++] = 0;
    }
}

static inline void text(struct bytes *bytes, const char *string)
{
    opaque(bytes, string, strlen(string));
}

/* A call with AUTH_SYS, machine "box", uid 1000, gid 100, one more group. */
static inline struct bytes call_of(uint32_t program, uint32_t procedure)
{
    struct bytes call = {.length = 0};
    WORDS(&call, XID, 0, 2, program, 3, procedure);
    WORDS(&call, 1, 28, 7);
    text(&call, "box");
    WORDS(&call, 1000, 100, 1, 5);
    WORDS(&call, 0, 0);
    return call;
}

static inline struct bytes nfs_call(uint32_t procedure)
{
    return call_of(100003, procedure);
}

static inline size_t answer(struct server *server, const struct bytes *call)
{
    server->reply_length = nfs_answer(server->nfs, call->at, call->length, NFS_DATA_TCP_BYTES, NFS3_OK, server->reply);
    return server->reply_length;
}

/* Send a call; a reader after the accepted reply's header. */
static inline struct wire_in accepted(struct server *server, const struct bytes *call)
{
    ck_assert_uint_ge(answer(server, call), 24);
    struct wire_in in = wire_reader(server->reply, server->reply_length);
    static const uint32_t header[] = {XID, 1, 0, 0, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(wire_u32(&in), header[i]);
    }
    return in;
}

/* ... and after a status, which must be `status`. */
static inline struct wire_in expect(struct server *server, const struct bytes *call, uint32_t status)
{
    struct wire_in in = accepted(server, call);
    ck_assert_uint_eq(wire_u32(&in), status);
    return in;
}

static inline void expect_end(const struct wire_in *in)
{
    ck_assert(!in->bad);
    ck_assert_uint_eq(wire_left(in), 0);
}

/* fattr3, 84 bytes. */
struct attr {
    uint32_t type, mode, nlink, uid, gid, major, minor;
    uint64_t size, used, fsid, fileid, atime, mtime, ctime;
};

static inline struct attr attr_of(struct wire_in *in)
{
    struct attr attr = {.type = wire_u32(in)};
    attr.mode = wire_u32(in);
    attr.nlink = wire_u32(in);
    attr.uid = wire_u32(in);
    attr.gid = wire_u32(in);
    attr.size = wire_u64(in);
    attr.used = wire_u64(in);
    attr.major = wire_u32(in);
    attr.minor = wire_u32(in);
    attr.fsid = wire_u64(in);
    attr.fileid = wire_u64(in);
    attr.atime = wire_u64(in);
    attr.mtime = wire_u64(in);
    attr.ctime = wire_u64(in);
    return attr;
}

static inline struct attr post_op(struct wire_in *in)
{
    ck_assert(wire_bool(in));
    return attr_of(in);
}

/* wcc_data with both halves: the attributes after, checked to be later than those before. */
static inline struct attr wcc(struct wire_in *in, bool changed)
{
    ck_assert(wire_bool(in));
    uint64_t size = wire_u64(in);
    uint64_t mtime = wire_u64(in);
    uint64_t ctime = wire_u64(in);
    struct attr after = post_op(in);
    ck_assert_int_eq(after.ctime > ctime, changed);
    if (!changed) {
        ck_assert_uint_eq(after.size, size);
        ck_assert_uint_eq(after.mtime, mtime);
    }
    return after;
}

static inline void wcc_none(struct wire_in *in)
{
    ck_assert(!wire_bool(in));
    ck_assert(!wire_bool(in));
}

struct handle_bytes {
    unsigned char at[64];
    size_t length;
};

static inline struct handle_bytes handle_of(struct wire_in *in)
{
    struct handle_bytes handle;
    const unsigned char *bytes = wire_opaque(in, 64, &handle.length);
    ck_assert_uint_gt(handle.length, 0);
    ck_assert_uint_le(handle.length, 32);
    memcpy(handle.at, bytes, handle.length);
    return handle;
}

static inline void put_handle(struct bytes *call, struct handle_bytes handle)
{
    opaque(call, handle.at, handle.length);
}

static inline void put_root(const struct server *server, struct bytes *call)
{
    opaque(call, server->root, server->root_length);
}

static inline struct server server_new(void)
{
    struct server server = {.nfs = nfs_new(UINT64_C(1) << 30, 77), .reply = malloc(NFS_REPLY_MAX_BYTES)};
    struct bytes call = call_of(100005, 1);
    text(&call, "/");
    struct wire_in in = expect(&server, &call, 0);
    struct handle_bytes root = handle_of(&in);
    memcpy(server.root, root.at, root.length);
    server.root_length = root.length;
    ck_assert_uint_eq(wire_u32(&in), 2);
    ck_assert_uint_eq(wire_u32(&in), 1); /* AUTH_SYS */
    ck_assert_uint_eq(wire_u32(&in), 0); /* AUTH_NONE */
    expect_end(&in);
    return server;
}

static inline void server_free(struct server *server)
{
    nfs_free(server->nfs);
    free(server->reply);
}

static const uint32_t no_sattr[6] = {0, 0, 0, 0, 0, 0};

/* A new object's results: its handle; wcc of the root follows and ends the reply. */
static inline struct handle_bytes made(struct wire_in *in, struct attr *attr)
{
    ck_assert(wire_bool(in));
    struct handle_bytes handle = handle_of(in);
    *attr = post_op(in);
    wcc(in, true);
    expect_end(in);
    return handle;
}

static inline struct handle_bytes make_file(struct server *server, const char *name)
{
    struct bytes call = nfs_call(8);
    put_root(server, &call);
    text(&call, name);
    word(&call, 1);
    words(&call, 6, no_sattr);
    struct wire_in in = expect(server, &call, 0);
    struct attr attr;
    return made(&in, &attr);
}

/* Reply of exactly these words. */
static inline void expect_words(struct server *server, const struct bytes *call, size_t count, const uint32_t *values)
{
    ck_assert_uint_eq(answer(server, call), 4 * count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(wire_load_u32(server->reply + 4 * i), values[i]);
    }
}

#define EXPECT_WORDS(server, call, ...) \
    expect_words(server, call, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

#endif
