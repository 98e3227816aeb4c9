/*
 * loopback_fs.h - the loopback server's file system, in memory, with the semantics of RFC 1813; no network here.
 *
 * Functions return an nfsstat3, NFS3_OK on success; on failure nothing has changed. Permissions are not enforced.
 * A `struct fs_node *` stays valid until the call that removes its last name; nothing but handles may be kept longer.
 * Times are wall-clock ns since 1970. All memory, tables and names too, is counted against one limit.
 */
#ifndef LOOPBACK_FS_H
#define LOOPBACK_FS_H

#include "nfs_prot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FS_HANDLE_BYTES = 24,
    FS_BLOCK_BYTES = 4096,
    FS_LINK_MAX = 1000000000, /* names of one file; directories are not bound by it */
    FS_PATH_MAX = 1024,       /* bytes of a symbolic link */
};

#define FS_FILE_MAX_BYTES (UINT64_C(64) << 30)

struct fs;
struct fs_node;

/* fattr3 (RFC 1813 section 2.6) less the fsid. A file's id is never used again. */
struct fs_attr {
    enum ftype3 type;
    uint32_t mode; /* permission bits, 07777 */
    uint32_t nlink;
    uint32_t uid, gid;
    uint32_t rdev[2]; /* of devices: major, minor */
    uint64_t size_bytes;
    uint64_t used_bytes;
    uint64_t fileid;
    int64_t atime_ns, mtime_ns, ctime_ns; /* ctime: never twice the same in one file system */
};

/* sattr3: what to set. */
struct fs_set {
    bool mode_set, uid_set, gid_set, size_set;
    uint32_t mode, uid, gid;
    uint64_t size_bytes;
    enum time_how atime_how, mtime_how;
    int64_t atime_ns, mtime_ns;
};

/* A file name: not terminated, may hold any bytes. */
struct fs_name {
    const char *bytes;
    size_t length;
};

struct fs_owner {
    uint32_t uid, gid;
};

/* An entry of a directory; `name` is valid until the file system changes. */
struct fs_entry {
    uint64_t cookie;
    struct fs_name name;
    const struct fs_node *node;
};

/* Where a listing stands. */
struct fs_cursor {
    const struct fs_node *dir;
    uint64_t cookie; /* of the last entry given */
    size_t position;
};

struct fs_space {
    uint64_t total_bytes, free_bytes;
    uint64_t total_files, free_files;
};

/* An empty file system whose handles carry `magic`; NULL when memory is out. */
struct fs *fs_new(uint64_t memory_bytes, uint64_t magic);
void fs_free(struct fs *fs);

struct fs_node *fs_root(struct fs *fs);
const struct fs_attr *fs_attr(const struct fs_node *node);
void fs_space(const struct fs *fs, struct fs_space *space);

/* The handle of a node, and back: BADHANDLE for one this file system never gave, STALE for one of a removed node. */
void fs_handle(const struct fs *fs, const struct fs_node *node, unsigned char handle[FS_HANDLE_BYTES]);
enum nfsstat3 fs_find(struct fs *fs, const unsigned char *handle, size_t length, struct fs_node **node);

/* Section 3.3.2; `guard_ctime_ns` may be NULL, else NOT_SYNC unless it is the node's ctime. */
enum nfsstat3 fs_setattr(struct fs *fs, struct fs_node *node, const struct fs_set *set, const int64_t *guard_ctime_ns);

/* Section 3.3.3; "." and ".." too. */
enum nfsstat3 fs_lookup(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node **node);

/* Section 3.3.5; the target is valid until the node is removed. */
enum nfsstat3 fs_readlink(struct fs *fs, struct fs_node *node, struct fs_name *target);

/* Section 3.3.6: up to `count` bytes into `bytes`; *done of them; *end when the file ends there. */
enum nfsstat3 fs_read(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, unsigned char *bytes,
                      size_t *done, bool *end);

/* Section 3.3.7: may write less than `count` when memory ends: *done. */
enum nfsstat3 fs_write(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, const unsigned char *bytes,
                       size_t *done);

/* Section 3.3.8; `set` for UNCHECKED and GUARDED, `verifier` for EXCLUSIVE. *node: made or found. */
enum nfsstat3 fs_create(struct fs *fs, struct fs_node *dir, struct fs_name name, enum createmode3 how,
                        const struct fs_set *set, const unsigned char *verifier, struct fs_owner owner,
                        struct fs_node **node);

/* Sections 3.3.9 to 3.3.11; mknod makes NF3CHR, NF3BLK, NF3SOCK, NF3FIFO, else BADTYPE. */
enum nfsstat3 fs_mkdir(struct fs *fs, struct fs_node *dir, struct fs_name name, const struct fs_set *set,
                       struct fs_owner owner, struct fs_node **node);
enum nfsstat3 fs_symlink(struct fs *fs, struct fs_node *dir, struct fs_name name, const struct fs_set *set,
                         struct fs_name target, struct fs_owner owner, struct fs_node **node);
enum nfsstat3 fs_mknod(struct fs *fs, struct fs_node *dir, struct fs_name name, enum ftype3 type,
                       const struct fs_set *set, const uint32_t rdev[2], struct fs_owner owner, struct fs_node **node);

/* Sections 3.3.12 to 3.3.15. */
enum nfsstat3 fs_remove(struct fs *fs, struct fs_node *dir, struct fs_name name);
enum nfsstat3 fs_rmdir(struct fs *fs, struct fs_node *dir, struct fs_name name);
enum nfsstat3 fs_rename(struct fs *fs, struct fs_node *from, struct fs_name from_name, struct fs_node *to,
                        struct fs_name to_name);
enum nfsstat3 fs_link(struct fs *fs, struct fs_node *node, struct fs_node *dir, struct fs_name name);

/*
 * Section 3.3.16: list from the entry after `cookie` (0: from the start) in O(log n). Cookies only grow, and an entry
 * keeps its own, so what stays in the directory is listed exactly once. BAD_COOKIE for one never given.
 */
enum nfsstat3 fs_list(struct fs *fs, struct fs_node *dir, uint64_t cookie, struct fs_cursor *cursor);
/* The next entry; false at the end. */
bool fs_list_next(struct fs_cursor *cursor, struct fs_entry *entry);

#endif
