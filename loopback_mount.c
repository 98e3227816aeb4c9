/* The MOUNT version 3 procedures (RFC 1813 section 5): the export is "/", and every directory in it can be mounted. */
#include "loopback_nfs_inside.h"

#include <stdlib.h>

static bool same(struct fs_name left, const char *bytes, size_t length)
{
    return left.length == length && (length == 0 || memcmp(left.bytes, bytes, length) == 0);
}

static bool is_entry(const struct mount_entry *entry, struct fs_name host, struct fs_name path)
{
    return same(host, entry->bytes, entry->host_length) &&
           same(path, entry->bytes + entry->host_length, entry->path_length);
}

/* Remember a mount, once. The list is advisory (section 5.2.2): a full one leaves the newest out. */
static void mounts_add(struct nfs *nfs, struct fs_name host, struct fs_name path)
{
    for (size_t i = 0; i < nfs->mount_count; i++) {
        if (is_entry(nfs->mounts[i], host, path)) {
            return;
        }
    }
    if (nfs->mount_count == MOUNTS_MAX) {
        return;
    }
    struct mount_entry *entry = malloc(sizeof *entry + host.length + path.length);
    if (entry == NULL) {
        return;
    }
    entry->host_length = host.length;
    entry->path_length = path.length;
    if (host.length > 0) {
        memcpy(entry->bytes, host.bytes, host.length);
    }
    memcpy(entry->bytes + host.length, path.bytes, path.length);
    nfs->mounts[nfs->mount_count++] = entry;
}

/* Forget the mounts of `host`: that of `path`, or all where it is NULL. */
static void mounts_remove(struct nfs *nfs, struct fs_name host, const struct fs_name *path)
{
    size_t kept = 0;
    for (size_t i = 0; i < nfs->mount_count; i++) {
        struct mount_entry *entry = nfs->mounts[i];
        bool gone = path != NULL ? is_entry(entry, host, *path) : same(host, entry->bytes, entry->host_length);
        if (gone) {
            free(entry);
        } else {
            nfs->mounts[kept++] = entry;
        }
    }
    nfs->mount_count = kept;
}

void mounts_forget(struct nfs *nfs)
{
    for (size_t i = 0; i < nfs->mount_count; i++) {
        free(nfs->mounts[i]);
    }
    nfs->mount_count = 0;
}

static struct fs_name get_path(struct call *call)
{
    struct fs_name path;
    path.bytes = (const char *)wire_opaque(&call->in, MNTPATHLEN, &path.length);
    return path;
}

static enum mountstat3 mount_status(enum nfsstat3 status)
{
    switch (status) {
    case NFS3_OK:
        return MNT3_OK;
    case NFS3ERR_NOTDIR:
        return MNT3ERR_NOTDIR;
    case NFS3ERR_NAMETOOLONG:
        return MNT3ERR_NAMETOOLONG;
    default:
        return MNT3ERR_NOENT;
    }
}

/* The directory of an absolute path, name by name. */
static enum mountstat3 walk(struct fs *fs, struct fs_name path, struct fs_node **node)
{
    if (path.length == 0 || path.bytes[0] != '/') {
        return MNT3ERR_NOENT;
    }
    *node = fs_root(fs);
    while (path.length > 0) {
        const char *slash = memchr(path.bytes, '/', path.length);
        struct fs_name name = {.bytes = path.bytes,
                               .length = slash == NULL ? path.length : (size_t)(slash - path.bytes)};
        if (name.length > 0) {
            enum nfsstat3 status = fs_lookup(fs, *node, name, node);
            if (status != NFS3_OK) {
                return mount_status(status);
            }
        }
        size_t passed = name.length + (slash != NULL);
        path.bytes += passed;
        path.length -= passed;
    }
    return fs_attr(*node)->type == NF3DIR ? MNT3_OK : MNT3ERR_NOTDIR;
}

static void mount_null(struct call *call)
{
    (void)call;
}

static void mount_mnt(struct call *call)
{
    struct fs_name path = get_path(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    enum mountstat3 status = walk(call->fs, path, &node);
    wire_put_u32(&call->out, status);
    if (status == MNT3_OK) {
        put_handle(call, node);
        wire_put_u32(&call->out, 2);
        wire_put_u32(&call->out, AUTH_SYS);
        wire_put_u32(&call->out, AUTH_NONE);
        mounts_add(call->nfs, call->host, path);
    }
}

static void mount_dump(struct call *call)
{
    unsigned char *start = call->out.at;
    for (size_t i = 0; i < call->nfs->mount_count; i++) {
        const struct mount_entry *entry = call->nfs->mounts[i];
        size_t bytes = 4 + 4 + entry->host_length + 3 + 4 + entry->path_length + 3;
        if ((size_t)(call->out.at - start) + bytes + 4 > call->data_bytes) {
            break;
        }
        wire_put_u32(&call->out, true);
        wire_put_opaque(&call->out, entry->bytes, entry->host_length);
        wire_put_opaque(&call->out, entry->bytes + entry->host_length, entry->path_length);
    }
    wire_put_u32(&call->out, false);
}

static void mount_umnt(struct call *call)
{
    struct fs_name path = get_path(call);
    if (!call->in.bad) {
        mounts_remove(call->nfs, call->host, &path);
    }
}

static void mount_umntall(struct call *call)
{
    mounts_remove(call->nfs, call->host, NULL);
}

static void mount_export(struct call *call)
{
    wire_put_u32(&call->out, true);
    wire_put_opaque(&call->out, "/", 1);
    wire_put_u32(&call->out, false); /* no groups: everyone */
    wire_put_u32(&call->out, false);
}

procedure *mount_procedure(uint32_t number)
{
    static procedure *const procedures[] = {
        [MOUNTPROC3_NULL] = mount_null, [MOUNTPROC3_MNT] = mount_mnt,         [MOUNTPROC3_DUMP] = mount_dump,
        [MOUNTPROC3_UMNT] = mount_umnt, [MOUNTPROC3_UMNTALL] = mount_umntall, [MOUNTPROC3_EXPORT] = mount_export,
    };
    return number < sizeof procedures / sizeof *procedures ? procedures[number] : NULL;
}
