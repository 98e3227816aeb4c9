/* The loopback server's file system: names, contents, attributes, handles and its memory limit (RFC 1813). */
#include "loopback_fs.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct fs_set nothing = {.mode_set = false};
static const struct fs_owner owner = {.uid = 10, .gid = 20};

/* Every test has its own. */
struct world {
    struct fs *fs;
    struct fs_node *root;
};

static struct world world_new(void)
{
    struct world world = {.fs = fs_new(UINT64_C(1) << 30, 0x1234)};
    ck_assert_ptr_nonnull(world.fs);
    world.root = fs_root(world.fs);
    return world;
}

static struct fs_name named(const char *text)
{
    return (struct fs_name){.bytes = text, .length = strlen(text)};
}

static struct fs_node *file(struct world world, struct fs_node *dir, const char *name)
{
    struct fs_node *node = NULL;
    ck_assert_int_eq(fs_create(world.fs, dir, named(name), GUARDED, &nothing, NULL, owner, &node), NFS3_OK);
    return node;
}

static struct fs_node *directory(struct world world, struct fs_node *dir, const char *name)
{
    struct fs_node *node = NULL;
    ck_assert_int_eq(fs_mkdir(world.fs, dir, named(name), &nothing, owner, &node), NFS3_OK);
    return node;
}

static enum nfsstat3 lookup(struct world world, struct fs_node *dir, const char *name)
{
    struct fs_node *node = NULL;
    return fs_lookup(world.fs, dir, named(name), &node);
}

static void put(struct world world, struct fs_node *node, uint64_t offset, const void *bytes, size_t length)
{
    size_t done = 0;
    ck_assert_int_eq(fs_write(world.fs, node, offset, length, bytes, &done), NFS3_OK);
    ck_assert_uint_eq(done, length);
}

static enum nfsstat3 resize(struct world world, struct fs_node *node, uint64_t size_bytes)
{
    struct fs_set set = {.size_set = true, .size_bytes = size_bytes};
    return fs_setattr(world.fs, node, &set, NULL);
}

/* Whether `length` bytes at `offset` are all `value`, and there. */
static bool filled(struct world world, struct fs_node *node, uint64_t offset, size_t length, unsigned char value)
{
    unsigned char bytes[16384];
    size_t done = 0;
    bool end = false;
    ck_assert_uint_le(length, sizeof bytes);
    memset(bytes, (unsigned char)~value, sizeof bytes);
    ck_assert_int_eq(fs_read(world.fs, node, offset, length, bytes, &done, &end), NFS3_OK);
    for (size_t i = 0; i < done; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return done == length;
}

static uint64_t free_bytes(struct world world)
{
    struct fs_space space;
    fs_space(world.fs, &space);
    return space.free_bytes;
}

START_TEST(root_is_an_empty_directory)
{
    struct world world = world_new();
    const struct fs_attr *attr = fs_attr(world.root);
    ck_assert_int_eq(attr->type, NF3DIR);
    ck_assert_uint_eq(attr->nlink, 2);
    struct fs_node *node = NULL;
    ck_assert_int_eq(fs_lookup(world.fs, world.root, named("."), &node), NFS3_OK);
    ck_assert_ptr_eq(node, world.root);
    ck_assert_int_eq(fs_lookup(world.fs, world.root, named(".."), &node), NFS3_OK);
    ck_assert_ptr_eq(node, world.root);
    ck_assert_int_eq(lookup(world, world.root, "none"), NFS3ERR_NOENT);
    fs_free(world.fs);
}
END_TEST

START_TEST(create_gives_owner_mode_and_times)
{
    struct world world = world_new();
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t before_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    struct fs_set set = {.mode_set = true, .mode = 0100640, .size_set = true, .size_bytes = 5000};
    struct fs_node *node = NULL;
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), UNCHECKED, &set, NULL, owner, &node), NFS3_OK);
    const struct fs_attr *attr = fs_attr(node);
    ck_assert_int_eq(attr->type, NF3REG);
    ck_assert_uint_eq(attr->mode, 0640);
    ck_assert_uint_eq(attr->nlink, 1);
    ck_assert_uint_eq(attr->uid, 10);
    ck_assert_uint_eq(attr->gid, 20);
    ck_assert_uint_eq(attr->size_bytes, 5000);
    ck_assert_uint_eq(attr->used_bytes, 0);
    ck_assert_int_ge(attr->ctime_ns, before_ns);
    ck_assert_int_eq(attr->mtime_ns, attr->ctime_ns);
    ck_assert_int_eq(fs_attr(world.root)->mtime_ns, attr->ctime_ns); /* the directory changed with it */
    ck_assert_int_eq(fs_attr(world.root)->ctime_ns, attr->ctime_ns);
    ck_assert(filled(world, node, 0, 5000, 0));
    fs_free(world.fs);
}
END_TEST

START_TEST(create_of_what_exists)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "a");
    struct fs_node *again = NULL;
    put(world, node, 0, "abc", 3);
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), GUARDED, &nothing, NULL, owner, &again),
                     NFS3ERR_EXIST);
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), UNCHECKED, &nothing, NULL, owner, &again), NFS3_OK);
    ck_assert_ptr_eq(again, node);
    ck_assert_uint_eq(fs_attr(node)->size_bytes, 3);
    struct fs_set cut = {.size_set = true, .mode_set = true, .mode = 0};
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), UNCHECKED, &cut, NULL, owner, &again), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->size_bytes, 0);
    ck_assert_uint_eq(fs_attr(node)->mode, 0644); /* only the size is taken over */
    directory(world, world.root, "d");
    ck_assert_int_eq(fs_create(world.fs, world.root, named("d"), UNCHECKED, &nothing, NULL, owner, &again),
                     NFS3ERR_EXIST);
    fs_free(world.fs);
}
END_TEST

START_TEST(exclusive_create_knows_its_verifier)
{
    struct world world = world_new();
    static const unsigned char one[8] = "1234567";
    static const unsigned char two[8] = "7654321";
    struct fs_node *node = NULL;
    struct fs_node *again = NULL;
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), EXCLUSIVE, &nothing, one, owner, &node), NFS3_OK);
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), EXCLUSIVE, &nothing, one, owner, &again), NFS3_OK);
    ck_assert_ptr_eq(node, again);
    ck_assert_int_eq(fs_create(world.fs, world.root, named("a"), EXCLUSIVE, &nothing, two, owner, &again),
                     NFS3ERR_EXIST);
    file(world, world.root, "b");
    static const unsigned char zero[8] = {0};
    ck_assert_int_eq(fs_create(world.fs, world.root, named("b"), EXCLUSIVE, &nothing, zero, owner, &again),
                     NFS3ERR_EXIST);
    fs_free(world.fs);
}
END_TEST

START_TEST(bad_names_and_wrong_types)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    struct fs_node *made = NULL;
    char longest[256];
    memset(longest, 'n', sizeof longest);
    struct fs_name fits = {.bytes = longest, .length = 255};
    struct fs_name too_long = {.bytes = longest, .length = 256};
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, fits, &nothing, owner, &made), NFS3_OK);
    ck_assert_int_eq(fs_lookup(world.fs, world.root, fits, &made), NFS3_OK);
    ck_assert_int_eq(fs_lookup(world.fs, world.root, too_long, &made), NFS3ERR_NAMETOOLONG);
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, too_long, &nothing, owner, &made), NFS3ERR_NAMETOOLONG);
    ck_assert_int_eq(fs_remove(world.fs, world.root, too_long), NFS3ERR_NAMETOOLONG);
    ck_assert_int_eq(lookup(world, world.root, ""), NFS3ERR_ACCES);
    ck_assert_int_eq(lookup(world, world.root, "a/b"), NFS3ERR_ACCES);
    struct fs_name zero = {.bytes = "a\0b", .length = 3};
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, zero, &nothing, owner, &made), NFS3ERR_ACCES);
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, named("."), &nothing, owner, &made), NFS3ERR_EXIST);
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, named(".."), &nothing, owner, &made), NFS3ERR_EXIST);
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, named("f"), &nothing, owner, &made), NFS3ERR_EXIST);
    ck_assert_int_eq(lookup(world, node, "x"), NFS3ERR_NOTDIR);
    ck_assert_int_eq(fs_mkdir(world.fs, node, named("x"), &nothing, owner, &made), NFS3ERR_NOTDIR);
    ck_assert_int_eq(fs_remove(world.fs, node, named("x")), NFS3ERR_NOTDIR);
    ck_assert_int_eq(resize(world, world.root, 0), NFS3ERR_INVAL);
    size_t done = 0;
    bool end = false;
    unsigned char byte = 0;
    struct fs_name target;
    ck_assert_int_eq(fs_read(world.fs, world.root, 0, 1, &byte, &done, &end), NFS3ERR_INVAL);
    ck_assert_int_eq(fs_write(world.fs, world.root, 0, 1, &byte, &done), NFS3ERR_INVAL);
    ck_assert_int_eq(fs_readlink(world.fs, node, &target), NFS3ERR_INVAL);
    fs_free(world.fs);
}
END_TEST

START_TEST(symlinks_and_special_files)
{
    struct world world = world_new();
    struct fs_node *node = NULL;
    struct fs_name target;
    ck_assert_int_eq(fs_symlink(world.fs, world.root, named("l"), &nothing, named("../there"), owner, &node), NFS3_OK);
    ck_assert_int_eq(fs_readlink(world.fs, node, &target), NFS3_OK);
    ck_assert_uint_eq(target.length, 8);
    ck_assert_int_eq(memcmp(target.bytes, "../there", 8), 0);
    ck_assert_uint_eq(fs_attr(node)->size_bytes, 8);
    char path[1025];
    memset(path, 'p', sizeof path);
    struct fs_name most = {.bytes = path, .length = 1024};
    struct fs_name over = {.bytes = path, .length = 1025};
    ck_assert_int_eq(fs_symlink(world.fs, world.root, named("m"), &nothing, most, owner, &node), NFS3_OK);
    ck_assert_int_eq(fs_symlink(world.fs, world.root, named("o"), &nothing, over, owner, &node), NFS3ERR_NAMETOOLONG);
    ck_assert_int_eq(lookup(world, world.root, "o"), NFS3ERR_NOENT);
    static const uint32_t rdev[2] = {8, 17};
    ck_assert_int_eq(fs_mknod(world.fs, world.root, named("b"), NF3BLK, &nothing, rdev, owner, &node), NFS3_OK);
    ck_assert_int_eq(fs_attr(node)->type, NF3BLK);
    ck_assert_uint_eq(fs_attr(node)->rdev[0], 8);
    ck_assert_uint_eq(fs_attr(node)->rdev[1], 17);
    ck_assert_int_eq(fs_mknod(world.fs, world.root, named("p"), NF3FIFO, &nothing, rdev, owner, &node), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->rdev[0], 0);
    ck_assert_int_eq(fs_mknod(world.fs, world.root, named("s"), NF3SOCK, &nothing, rdev, owner, &node), NFS3_OK);
    ck_assert_int_eq(fs_mknod(world.fs, world.root, named("r"), NF3REG, &nothing, rdev, owner, &node), NFS3ERR_BADTYPE);
    ck_assert_int_eq(fs_mknod(world.fs, world.root, named("r"), NF3DIR, &nothing, rdev, owner, &node), NFS3ERR_BADTYPE);
    fs_free(world.fs);
}
END_TEST

START_TEST(contents_are_sparse)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    size_t done = 9;
    bool end = false;
    unsigned char bytes[8192];
    ck_assert_int_eq(fs_read(world.fs, node, 0, 10, bytes, &done, &end), NFS3_OK);
    ck_assert_uint_eq(done, 0);
    ck_assert(end);
    memset(bytes, 7, sizeof bytes);
    put(world, node, 4000, bytes, 8192); /* over three blocks: 0, 1, 2 */
    ck_assert_uint_eq(fs_attr(node)->size_bytes, 12192);
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 3 * 4096);
    ck_assert(filled(world, node, 0, 4000, 0));
    ck_assert(filled(world, node, 4000, 8192, 7));
    ck_assert_int_eq(fs_read(world.fs, node, 12000, 192, bytes, &done, &end), NFS3_OK);
    ck_assert_uint_eq(done, 192);
    ck_assert(end);
    ck_assert_int_eq(fs_read(world.fs, node, 12000, 191, bytes, &done, &end), NFS3_OK);
    ck_assert(!end);
    ck_assert_int_eq(fs_read(world.fs, node, UINT64_MAX, 10, bytes, &done, &end), NFS3_OK);
    ck_assert_uint_eq(done, 0);
    ck_assert(end);
    uint64_t last = (UINT64_C(64) << 30) - 1;
    put(world, node, last, "z", 1);
    ck_assert_uint_eq(fs_attr(node)->size_bytes, UINT64_C(64) << 30);
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 4 * 4096);
    ck_assert(filled(world, node, last, 1, 'z'));
    ck_assert(filled(world, node, last - 100, 100, 0));
    ck_assert(filled(world, node, UINT64_C(1) << 33, 4096, 0));
    ck_assert_int_eq(fs_write(world.fs, node, last, 2, bytes, &done), NFS3ERR_FBIG);
    ck_assert_int_eq(fs_write(world.fs, node, UINT64_MAX, 1, bytes, &done), NFS3ERR_FBIG);
    ck_assert_int_eq(resize(world, node, (UINT64_C(64) << 30) + 1), NFS3ERR_FBIG);
    fs_free(world.fs);
}
END_TEST

START_TEST(cut_frees_and_grown_again_reads_zeros)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    uint64_t free_before = free_bytes(world);
    unsigned char bytes[16384];
    memset(bytes, 9, sizeof bytes);
    put(world, node, 0, bytes, 16384);
    put(world, node, UINT64_C(5) << 20, bytes, 4096); /* another leaf */
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 5 * 4096);
    ck_assert_int_eq(resize(world, node, 5000), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 2 * 4096);
    ck_assert_int_eq(resize(world, node, UINT64_C(6) << 20), NFS3_OK);
    ck_assert(filled(world, node, 0, 5000, 9));
    ck_assert(filled(world, node, 5000, 11384, 0));
    ck_assert(filled(world, node, UINT64_C(5) << 20, 4096, 0));
    ck_assert_int_eq(resize(world, node, 8192), NFS3_OK); /* on a block's edge */
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 2 * 4096);
    ck_assert_int_eq(resize(world, node, 4096), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 4096);
    ck_assert_int_eq(resize(world, node, 0), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->used_bytes, 0);
    ck_assert_uint_eq(free_bytes(world), free_before);
    fs_free(world.fs);
}
END_TEST

START_TEST(setattr_and_its_guard)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    struct fs_attr was = *fs_attr(node);
    struct fs_set set = {
        .mode_set = true,
        .mode = 04755,
        .uid_set = true,
        .uid = 1,
        .gid_set = true,
        .gid = 2,
        .atime_how = SET_TO_CLIENT_TIME,
        .atime_ns = 111,
        .mtime_how = SET_TO_CLIENT_TIME,
        .mtime_ns = INT64_C(4294967295999999999),
    };
    int64_t guard_ns = was.ctime_ns - 1;
    ck_assert_int_eq(fs_setattr(world.fs, node, &set, &guard_ns), NFS3ERR_NOT_SYNC);
    ck_assert_uint_eq(fs_attr(node)->mode, was.mode);
    guard_ns = was.ctime_ns;
    ck_assert_int_eq(fs_setattr(world.fs, node, &set, &guard_ns), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->mode, 04755);
    ck_assert_uint_eq(fs_attr(node)->uid, 1);
    ck_assert_uint_eq(fs_attr(node)->gid, 2);
    ck_assert_int_eq(fs_attr(node)->atime_ns, 111);
    ck_assert_int_eq(fs_attr(node)->mtime_ns, INT64_C(4294967295999999999));
    ck_assert_int_gt(fs_attr(node)->ctime_ns, was.ctime_ns);
    struct fs_set server = {.mtime_how = SET_TO_SERVER_TIME};
    ck_assert_int_eq(fs_setattr(world.fs, node, &server, NULL), NFS3_OK);
    ck_assert_int_eq(fs_attr(node)->mtime_ns, fs_attr(node)->ctime_ns);
    ck_assert_int_eq(fs_attr(node)->atime_ns, 111);
    fs_free(world.fs);
}
END_TEST

START_TEST(every_change_has_its_own_ctime)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    int64_t last_ns = fs_attr(node)->ctime_ns;
    for (int i = 0; i < 10000; i++) {
        put(world, node, 0, "x", 1);
        ck_assert_int_gt(fs_attr(node)->ctime_ns, last_ns);
        ck_assert_int_eq(fs_attr(node)->ctime_ns, fs_attr(node)->mtime_ns);
        last_ns = fs_attr(node)->ctime_ns;
    }
    fs_free(world.fs);
}
END_TEST

START_TEST(handles_live_as_long_as_their_node)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "f");
    uint64_t fileid = fs_attr(node)->fileid;
    unsigned char handle[FS_HANDLE_BYTES];
    struct fs_node *found = NULL;
    fs_handle(world.fs, node, handle);
    ck_assert_int_eq(fs_find(world.fs, handle, sizeof handle, &found), NFS3_OK);
    ck_assert_ptr_eq(found, node);
    ck_assert_int_eq(fs_find(world.fs, handle, sizeof handle - 1, &found), NFS3ERR_BADHANDLE);
    ck_assert_int_eq(fs_find(world.fs, handle, 0, &found), NFS3ERR_BADHANDLE);
    struct fs *other = fs_new(1 << 20, 0x1235);
    ck_assert_int_eq(fs_find(other, handle, sizeof handle, &found), NFS3ERR_BADHANDLE);
    fs_free(other);
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("f")), NFS3_OK);
    ck_assert_int_eq(fs_find(world.fs, handle, sizeof handle, &found), NFS3ERR_STALE);
    struct fs_node *next = file(world, world.root, "g"); /* takes the slot, not the identity */
    ck_assert_uint_ne(fs_attr(next)->fileid, fileid);
    ck_assert_int_eq(fs_find(world.fs, handle, sizeof handle, &found), NFS3ERR_STALE);
    fs_handle(world.fs, next, handle);
    for (size_t i = 0; i < sizeof handle; i++) {
        handle[i] ^= 0x40;
        enum nfsstat3 status = fs_find(world.fs, handle, sizeof handle, &found);
        ck_assert(status == NFS3ERR_BADHANDLE || status == NFS3ERR_STALE);
        handle[i] ^= 0x40;
    }
    fs_free(world.fs);
}
END_TEST

START_TEST(links_count)
{
    struct world world = world_new();
    struct fs_node *node = file(world, world.root, "a");
    struct fs_node *dir = directory(world, world.root, "d");
    put(world, node, 0, "data", 4);
    ck_assert_int_eq(fs_link(world.fs, node, dir, named("b")), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->nlink, 2);
    ck_assert_int_eq(fs_link(world.fs, node, dir, named("b")), NFS3ERR_EXIST);
    ck_assert_int_eq(fs_link(world.fs, node, node, named("c")), NFS3ERR_NOTDIR);
    ck_assert_int_eq(fs_link(world.fs, dir, world.root, named("c")), NFS3ERR_ISDIR);
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("a")), NFS3_OK);
    ck_assert_uint_eq(fs_attr(node)->nlink, 1);
    ck_assert(filled(world, node, 0, 1, 'd'));
    ck_assert_int_eq(fs_remove(world.fs, dir, named("b")), NFS3_OK);
    fs_free(world.fs);
}
END_TEST

START_TEST(removal)
{
    struct world world = world_new();
    uint64_t free_before = free_bytes(world);
    struct fs_node *dir = directory(world, world.root, "d");
    ck_assert_uint_eq(fs_attr(world.root)->nlink, 3);
    ck_assert_uint_eq(fs_attr(dir)->nlink, 2);
    directory(world, dir, "e");
    ck_assert_uint_eq(fs_attr(dir)->nlink, 3);
    file(world, world.root, "f");
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named("d")), NFS3ERR_NOTEMPTY);
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named("f")), NFS3ERR_NOTDIR);
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named(".")), NFS3ERR_INVAL);
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named("..")), NFS3ERR_EXIST);
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named("x")), NFS3ERR_NOENT);
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("d")), NFS3ERR_ISDIR);
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("x")), NFS3ERR_NOENT);
    ck_assert_int_eq(fs_rmdir(world.fs, dir, named("e")), NFS3_OK);
    ck_assert_uint_eq(fs_attr(dir)->nlink, 2);
    ck_assert_int_eq(fs_rmdir(world.fs, world.root, named("d")), NFS3_OK);
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("f")), NFS3_OK);
    ck_assert_uint_eq(fs_attr(world.root)->nlink, 2);
    /* What is left of it: the root's own tables, 16 pointers and 16 places. */
    ck_assert_uint_eq(free_before - free_bytes(world), 16 * 8 + 16 * 16);
    fs_free(world.fs);
}
END_TEST

static enum nfsstat3 rename_in(struct world world, struct fs_node *from, const char *from_name, struct fs_node *to,
                               const char *to_name)
{
    return fs_rename(world.fs, from, named(from_name), to, named(to_name));
}

START_TEST(rename_moves_and_replaces)
{
    struct world world = world_new();
    struct fs_node *one = directory(world, world.root, "one");
    struct fs_node *two = directory(world, world.root, "two");
    struct fs_node *node = file(world, one, "a");
    struct fs_node *found = NULL;
    ck_assert_int_eq(rename_in(world, one, "a", two, "b"), NFS3_OK);
    ck_assert_int_eq(lookup(world, one, "a"), NFS3ERR_NOENT);
    ck_assert_int_eq(fs_lookup(world.fs, two, named("b"), &found), NFS3_OK);
    ck_assert_ptr_eq(found, node);
    ck_assert_int_eq(fs_attr(one)->ctime_ns, fs_attr(two)->ctime_ns);
    ck_assert_int_eq(fs_attr(node)->ctime_ns, fs_attr(two)->mtime_ns);
    struct fs_node *replaced = file(world, one, "c");
    unsigned char handle[FS_HANDLE_BYTES];
    fs_handle(world.fs, replaced, handle);
    ck_assert_int_eq(rename_in(world, two, "b", one, "c"), NFS3_OK);
    ck_assert_int_eq(fs_find(world.fs, handle, sizeof handle, &found), NFS3ERR_STALE);
    ck_assert_int_eq(fs_lookup(world.fs, one, named("c"), &found), NFS3_OK);
    ck_assert_ptr_eq(found, node);
    ck_assert_int_eq(rename_in(world, one, "c", one, "c"), NFS3_OK);
    ck_assert_int_eq(fs_link(world.fs, node, one, named("hard")), NFS3_OK);
    ck_assert_int_eq(rename_in(world, one, "c", one, "hard"), NFS3_OK); /* one file: both names stay */
    ck_assert_uint_eq(fs_attr(node)->nlink, 2);
    ck_assert_int_eq(lookup(world, one, "c"), NFS3_OK);
    ck_assert_int_eq(rename_in(world, one, "none", one, "x"), NFS3ERR_NOENT);
    ck_assert_int_eq(rename_in(world, one, ".", one, "x"), NFS3ERR_INVAL);
    ck_assert_int_eq(rename_in(world, node, "c", one, "x"), NFS3ERR_NOTDIR);
    ck_assert_int_eq(rename_in(world, one, "c", node, "x"), NFS3ERR_NOTDIR);
    fs_free(world.fs);
}
END_TEST

START_TEST(rename_of_directories)
{
    struct world world = world_new();
    struct fs_node *one = directory(world, world.root, "one");
    struct fs_node *two = directory(world, world.root, "two");
    struct fs_node *deep = directory(world, one, "deep");
    struct fs_node *deeper = directory(world, deep, "deeper");
    struct fs_node *found = NULL;
    ck_assert_int_eq(rename_in(world, world.root, "one", one, "x"), NFS3ERR_INVAL);
    ck_assert_int_eq(rename_in(world, world.root, "one", deeper, "x"), NFS3ERR_INVAL);
    ck_assert_int_eq(rename_in(world, one, "deep", world.root, "one"), NFS3ERR_EXIST); /* not empty */
    file(world, world.root, "f");
    ck_assert_int_eq(rename_in(world, world.root, "two", world.root, "f"), NFS3ERR_EXIST);
    ck_assert_int_eq(rename_in(world, world.root, "f", world.root, "two"), NFS3ERR_EXIST);
    ck_assert_int_eq(rename_in(world, one, "deep", two, "moved"), NFS3_OK);
    ck_assert_uint_eq(fs_attr(one)->nlink, 2);
    ck_assert_uint_eq(fs_attr(two)->nlink, 3);
    ck_assert_int_eq(fs_lookup(world.fs, deep, named(".."), &found), NFS3_OK);
    ck_assert_ptr_eq(found, two);
    ck_assert_int_eq(rename_in(world, two, "moved", world.root, "one"), NFS3_OK); /* over the empty one */
    ck_assert_uint_eq(fs_attr(world.root)->nlink, 4);
    ck_assert_uint_eq(fs_attr(two)->nlink, 2);
    ck_assert_int_eq(fs_lookup(world.fs, world.root, named("one"), &found), NFS3_OK);
    ck_assert_ptr_eq(found, deep);
    ck_assert_int_eq(rename_in(world, world.root, "one", world.root, "uno"), NFS3_OK);
    ck_assert_uint_eq(fs_attr(world.root)->nlink, 4);
    fs_free(world.fs);
}
END_TEST

START_TEST(memory_ends_with_nospc)
{
    struct world world = {.fs = fs_new(65536, 1)};
    ck_assert_ptr_nonnull(world.fs);
    world.root = fs_root(world.fs);
    struct fs_node *node = file(world, world.root, "f");
    unsigned char bytes[4096];
    memset(bytes, 5, sizeof bytes);
    enum nfsstat3 status = NFS3_OK;
    size_t done = 0;
    uint64_t written = 0;
    while ((status = fs_write(world.fs, node, written, sizeof bytes, bytes, &done)) == NFS3_OK) {
        written += done;
    }
    ck_assert_int_eq(status, NFS3ERR_NOSPC);
    ck_assert_uint_eq(written, 15 * 4096); /* of 16 blocks, one goes for the rest */
    ck_assert_uint_eq(fs_attr(node)->size_bytes, written);
    ck_assert_uint_lt(free_bytes(world), 4096);
    put(world, node, 0, bytes, sizeof bytes); /* over what is there it goes on */
    int files = 0;
    char name[8] = "0000000";
    for (;; files++) {
        name[0] = (char)('0' + files / 10);
        name[1] = (char)('0' + files % 10);
        struct fs_node *made = NULL;
        status = fs_create(world.fs, world.root, named(name), GUARDED, &nothing, NULL, owner, &made);
        if (status != NFS3_OK) {
            break;
        }
        ck_assert_int_lt(files, 50);
    }
    ck_assert_int_eq(status, NFS3ERR_NOSPC);
    ck_assert_int_gt(files, 1);
    ck_assert_int_eq(lookup(world, world.root, name), NFS3ERR_NOENT); /* nothing half made */
    ck_assert_int_eq(fs_remove(world.fs, world.root, named("f")), NFS3_OK);
    node = file(world, world.root, "g");
    put(world, node, 0, bytes, sizeof bytes);
    fs_free(world.fs);
    ck_assert_ptr_null(fs_new(10, 1));
}
END_TEST

START_TEST(short_write_before_nospc)
{
    struct world world = {.fs = fs_new(20000, 1)};
    world.root = fs_root(world.fs);
    struct fs_node *node = file(world, world.root, "f");
    static const unsigned char bytes[65536] = {1};
    size_t done = 0;
    ck_assert_int_eq(fs_write(world.fs, node, 100, sizeof bytes, bytes, &done), NFS3_OK);
    ck_assert_uint_eq(done, 4 * 4096 - 100);
    ck_assert_uint_eq(fs_attr(node)->size_bytes, 4 * 4096);
    fs_free(world.fs);
}
END_TEST

START_TEST(setgid_directory_gives_its_group)
{
    struct world world = world_new();
    struct fs_set set = {.mode_set = true, .mode = 02775, .gid_set = true, .gid = 99};
    struct fs_node *dir = NULL;
    ck_assert_int_eq(fs_mkdir(world.fs, world.root, named("d"), &set, owner, &dir), NFS3_OK);
    ck_assert_uint_eq(fs_attr(file(world, dir, "f"))->gid, 99);
    ck_assert_uint_eq(fs_attr(directory(world, dir, "e"))->mode, 02755);
    fs_free(world.fs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_fs");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, root_is_an_empty_directory);
    tcase_add_test(tests, create_gives_owner_mode_and_times);
    tcase_add_test(tests, create_of_what_exists);
    tcase_add_test(tests, exclusive_create_knows_its_verifier);
    tcase_add_test(tests, bad_names_and_wrong_types);
    tcase_add_test(tests, symlinks_and_special_files);
    tcase_add_test(tests, contents_are_sparse);
    tcase_add_test(tests, cut_frees_and_grown_again_reads_zeros);
    tcase_add_test(tests, setattr_and_its_guard);
    tcase_add_test(tests, every_change_has_its_own_ctime);
    tcase_add_test(tests, handles_live_as_long_as_their_node);
    tcase_add_test(tests, links_count);
    tcase_add_test(tests, removal);
    tcase_add_test(tests, rename_moves_and_replaces);
    tcase_add_test(tests, rename_of_directories);
    tcase_add_test(tests, memory_ends_with_nospc);
    tcase_add_test(tests, short_write_before_nospc);
    tcase_add_test(tests, setgid_directory_gives_its_group);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
