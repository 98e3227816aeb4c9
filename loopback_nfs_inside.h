/*
 * loopback_nfs_inside.h - what the procedures of the loopback server share: a call being done, and the pieces of
 * arguments and results that several procedures have.
 *
 * A procedure reads all its arguments, gives up if `in.bad`, and only then acts: so garbled arguments change nothing.
 */
#ifndef LOOPBACK_NFS_INSIDE_H
#define LOOPBACK_NFS_INSIDE_H

#include "loopback_fs.h"
#include "loopback_nfs.h"
#include "wire.h"

enum { MOUNTS_MAX = 256, FATTR_BYTES = 84, POST_OP_ATTR_BYTES = 4 + FATTR_BYTES };

/* An entry of MOUNT's list (RFC 1813 section 5.2.2). */
struct mount_entry {
    size_t host_length, path_length;
    char bytes[]; /* host, then path */
};

struct nfs {
    struct fs *fs;
    unsigned char verifier[8]; /* of writes and listings: constant, nothing is ever lost or renumbered */
    uint64_t fsid;
    struct mount_entry *mounts[MOUNTS_MAX];
    size_t mount_count;
};

struct call {
    struct nfs *nfs;
    struct fs *fs;
    struct wire_in in;
    struct wire_out out;
    uint32_t data_bytes;
    struct fs_owner owner;
    struct fs_name host; /* the machine name of AUTH_SYS, or empty */
};

typedef void procedure(struct call *call);

/* A procedure, and how many zero words follow the status where it fails without any attributes. */
struct nfs_procedure {
    procedure *run;
    unsigned failure_words;
};

/* The NFS procedures by number; NULL for none such. */
const struct nfs_procedure *nfs_procedure(uint32_t number);
procedure *mount_procedure(uint32_t number);
void mounts_forget(struct nfs *nfs);

/* Arguments. */
struct handle {
    const unsigned char *bytes;
    size_t length;
};

/* What wcc_attr holds (RFC 1813 section 2.6). */
struct wcc {
    struct fs_node *node; /* NULL: nothing is known */
    uint64_t size_bytes;
    int64_t mtime_ns, ctime_ns;
};

struct handle get_handle(struct call *call);
struct fs_name get_name(struct call *call);
int64_t get_time(struct call *call);
struct fs_set get_sattr(struct call *call);
/* A value of an enumeration or a choice: bad above `most`. */
uint32_t get_choice(struct call *call, uint32_t most);

/* The node of a handle; on failure *node is NULL. */
enum nfsstat3 find_node(struct call *call, struct handle handle, struct fs_node **node);
/* The node as it is before the procedure changes it; `node` may be NULL. */
struct wcc wcc_before(struct fs_node *node);

/* Results. */
void put_status(struct call *call, enum nfsstat3 status);
void put_time(struct call *call, int64_t time_ns);
void put_attr(struct call *call, const struct fs_node *node);
void put_post_op_attr(struct call *call, const struct fs_node *node);
void put_wcc(struct call *call, const struct wcc *before);
void put_handle(struct call *call, const struct fs_node *node);

/* The procedures that are not in loopback_nfs.c. */
procedure nfs_lookup, nfs_create, nfs_mkdir, nfs_symlink, nfs_mknod, nfs_remove, nfs_rmdir, nfs_rename, nfs_link;
procedure nfs_readdir, nfs_readdirplus;

#endif
