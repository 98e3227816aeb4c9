/*
 * nfs_op.h - the NFS version 3 procedures (RFC 1813 section 3) by number and by name.
 *
 * The numbers are the protocol's, so an op indexes counters and goes on the wire as it is.
 */
#ifndef NFS_OP_H
#define NFS_OP_H

#include <stddef.h>
#include <stdint.h>

enum nfs_op {
    OP_NULL,
    OP_GETATTR,
    OP_SETATTR,
    OP_LOOKUP,
    OP_ACCESS,
    OP_READLINK,
    OP_READ,
    OP_WRITE,
    OP_CREATE,
    OP_MKDIR,
    OP_SYMLINK,
    OP_MKNOD,
    OP_REMOVE,
    OP_RMDIR,
    OP_RENAME,
    OP_LINK,
    OP_READDIR,
    OP_READDIRPLUS,
    OP_FSSTAT,
    OP_FSINFO,
    OP_PATHCONF,
    OP_COMMIT,
    OP_COUNT
};

/* The procedure's name in lower case: "getattr". */
const char *op_name(unsigned op);

/* The op with this name (any case; also `statfs`, `readdir+`, `rddirplus`, `rdirplus`: what nfsstat prints), or -1. */
int op_by_name(const char *name, size_t length);

/* The statuses of RFC 1813 section 2.6 in order: a status's index, NFS_STATUSES for one that the RFC does not name. */
enum { NFS_STATUSES = 29 };
size_t nfs_status_index(uint32_t status);

/* The name at an index: "NFS3ERR_STALE", or "unknown status" from NFS_STATUSES on. */
const char *nfs_status_at(size_t index);

/* "NFS3ERR_STALE" for 70 (RFC 1813 section 2.6); "status N" for a number that the RFC does not name, in `buffer`. */
const char *nfs_status_name(uint32_t status, char *buffer, size_t size);

#endif
