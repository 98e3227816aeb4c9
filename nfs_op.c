#include "nfs_op.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const names[OP_COUNT] = {
    "null",    "getattr",     "setattr", "lookup", "access",   "readlink", "read",   "write",
    "create",  "mkdir",       "symlink", "mknod",  "remove",   "rmdir",    "rename", "link",
    "readdir", "readdirplus", "fsstat",  "fsinfo", "pathconf", "commit",
};

static const struct {
    const char *name;
    enum nfs_op op;
} aliases[] = {
    {"statfs", OP_FSSTAT},
    {"readdir+", OP_READDIRPLUS},
    {"rddirplus", OP_READDIRPLUS},
    {"rdirplus", OP_READDIRPLUS},
};

const char *op_name(unsigned op)
{
    return op < OP_COUNT ? names[op] : "?";
}

static int same_name(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && strncasecmp(known, name, length) == 0;
}

int op_by_name(const char *name, size_t length)
{
    for (int op = 0; op < OP_COUNT; op++) {
        if (same_name(names[op], name, length)) {
            return op;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (same_name(aliases[i].name, name, length)) {
            return (int)aliases[i].op;
        }
    }
    return -1;
}

static const struct {
    uint32_t status;
    const char *name;
} statuses[] = {
    {0, "NFS3_OK"},
    {1, "NFS3ERR_PERM"},
    {2, "NFS3ERR_NOENT"},
    {5, "NFS3ERR_IO"},
    {6, "NFS3ERR_NXIO"},
    {13, "NFS3ERR_ACCES"},
    {17, "NFS3ERR_EXIST"},
    {18, "NFS3ERR_XDEV"},
    {19, "NFS3ERR_NODEV"},
    {20, "NFS3ERR_NOTDIR"},
    {21, "NFS3ERR_ISDIR"},
    {22, "NFS3ERR_INVAL"},
    {27, "NFS3ERR_FBIG"},
    {28, "NFS3ERR_NOSPC"},
    {30, "NFS3ERR_ROFS"},
    {31, "NFS3ERR_MLINK"},
    {63, "NFS3ERR_NAMETOOLONG"},
    {66, "NFS3ERR_NOTEMPTY"},
    {69, "NFS3ERR_DQUOT"},
    {70, "NFS3ERR_STALE"},
    {71, "NFS3ERR_REMOTE"},
    {10001, "NFS3ERR_BADHANDLE"},
    {10002, "NFS3ERR_NOT_SYNC"},
    {10003, "NFS3ERR_BAD_COOKIE"},
    {10004, "NFS3ERR_NOTSUPP"},
    {10005, "NFS3ERR_TOOSMALL"},
    {10006, "NFS3ERR_SERVERFAULT"},
    {10007, "NFS3ERR_BADTYPE"},
    {10008, "NFS3ERR_JUKEBOX"},
};

_Static_assert(sizeof statuses / sizeof statuses[0] == NFS_STATUSES, "the statuses of RFC 1813");

size_t nfs_status_index(uint32_t status)
{
    size_t index = 0;
    while (index < NFS_STATUSES && statuses[index].status != status) {
        index++;
    }
    return index;
}

const char *nfs_status_at(size_t index)
{
    return index < NFS_STATUSES ? statuses[index].name : "unknown status";
}

const char *nfs_status_name(uint32_t status, char *buffer, size_t size)
{
    size_t index = nfs_status_index(status);
    if (index < NFS_STATUSES) {
        return statuses[index].name;
    }
    snprintf(buffer, size, "status %u", (unsigned)status);
    return buffer;
}
