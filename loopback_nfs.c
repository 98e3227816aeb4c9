/* The pieces of NFSv3 calls, and the procedures on one object (RFC 1813 section 3.3). */
#include "loopback_nfs_inside.h"

#include "units.h"

enum { PREFERRED_BYTES = 65536 };

struct handle get_handle(struct call *call)
{
    struct handle handle;
    handle.bytes = wire_opaque(&call->in, NFS3_FHSIZE, &handle.length);
    return handle;
}

/* The bound is what the call holds: a long name is for the file system to refuse, with a status. */
struct fs_name get_name(struct call *call)
{
    struct fs_name name;
    name.bytes = (const char *)wire_opaque(&call->in, wire_left(&call->in), &name.length);
    return name;
}

int64_t get_time(struct call *call)
{
    int64_t seconds = wire_u32(&call->in);
    return seconds * NS_PER_SEC + wire_u32(&call->in);
}

uint32_t get_choice(struct call *call, uint32_t most)
{
    uint32_t value = wire_u32(&call->in);
    if (value > most) {
        call->in.bad = true;
    }
    return value;
}

struct fs_set get_sattr(struct call *call)
{
    struct fs_set set = {.mode_set = wire_bool(&call->in)};
    set.mode = set.mode_set ? wire_u32(&call->in) : 0;
    set.uid_set = wire_bool(&call->in);
    set.uid = set.uid_set ? wire_u32(&call->in) : 0;
    set.gid_set = wire_bool(&call->in);
    set.gid = set.gid_set ? wire_u32(&call->in) : 0;
    set.size_set = wire_bool(&call->in);
    set.size_bytes = set.size_set ? wire_u64(&call->in) : 0;
    set.atime_how = get_choice(call, SET_TO_CLIENT_TIME);
    set.atime_ns = set.atime_how == SET_TO_CLIENT_TIME ? get_time(call) : 0;
    set.mtime_how = get_choice(call, SET_TO_CLIENT_TIME);
    set.mtime_ns = set.mtime_how == SET_TO_CLIENT_TIME ? get_time(call) : 0;
    return set;
}

enum nfsstat3 find_node(struct call *call, struct handle handle, struct fs_node **node)
{
    *node = NULL;
    return fs_find(call->fs, handle.bytes, handle.length, node);
}

struct wcc wcc_before(struct fs_node *node)
{
    struct wcc before = {.node = node};
    if (node != NULL) {
        const struct fs_attr *attr = fs_attr(node);
        before.size_bytes = attr->size_bytes;
        before.mtime_ns = attr->mtime_ns;
        before.ctime_ns = attr->ctime_ns;
    }
    return before;
}

void put_status(struct call *call, enum nfsstat3 status)
{
    wire_put_u32(&call->out, status);
}

void put_time(struct call *call, int64_t time_ns)
{
    wire_put_u32(&call->out, (uint32_t)(time_ns / NS_PER_SEC));
    wire_put_u32(&call->out, (uint32_t)(time_ns % NS_PER_SEC));
}

void put_attr(struct call *call, const struct fs_node *node)
{
    const struct fs_attr *attr = fs_attr(node);
    struct wire_out *out = &call->out;
    wire_put_u32(out, attr->type);
    wire_put_u32(out, attr->mode);
    wire_put_u32(out, attr->nlink);
    wire_put_u32(out, attr->uid);
    wire_put_u32(out, attr->gid);
    wire_put_u64(out, attr->size_bytes);
    wire_put_u64(out, attr->used_bytes);
    wire_put_u32(out, attr->rdev[0]);
    wire_put_u32(out, attr->rdev[1]);
    wire_put_u64(out, call->nfs->fsid);
    wire_put_u64(out, attr->fileid);
    put_time(call, attr->atime_ns);
    put_time(call, attr->mtime_ns);
    put_time(call, attr->ctime_ns);
}

void put_post_op_attr(struct call *call, const struct fs_node *node)
{
    wire_put_u32(&call->out, node != NULL);
    if (node != NULL) {
        put_attr(call, node);
    }
}

void put_wcc(struct call *call, const struct wcc *before)
{
    wire_put_u32(&call->out, before->node != NULL);
    if (before->node != NULL) {
        wire_put_u64(&call->out, before->size_bytes);
        put_time(call, before->mtime_ns);
        put_time(call, before->ctime_ns);
    }
    put_post_op_attr(call, before->node);
}

void put_handle(struct call *call, const struct fs_node *node)
{
    unsigned char handle[FS_HANDLE_BYTES];
    fs_handle(call->fs, node, handle);
    wire_put_opaque(&call->out, handle, sizeof handle);
}

static void nfs_null(struct call *call)
{
    (void)call;
}

static void nfs_getattr(struct call *call)
{
    struct handle handle = get_handle(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    put_status(call, find_node(call, handle, &node));
    if (node != NULL) {
        put_attr(call, node);
    }
}

static void nfs_setattr(struct call *call)
{
    struct handle handle = get_handle(call);
    struct fs_set set = get_sattr(call);
    bool guarded = wire_bool(&call->in);
    int64_t guard_ns = guarded ? get_time(call) : 0;
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, handle, &node);
    struct wcc before = wcc_before(node);
    if (node != NULL) {
        status = fs_setattr(call->fs, node, &set, guarded ? &guard_ns : NULL);
    }
    put_status(call, status);
    put_wcc(call, &before);
}

/* Nothing is enforced, so what the type allows is granted, but for executing what nobody may execute. */
static uint32_t access_granted(const struct fs_attr *attr)
{
    uint32_t granted = ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND;
    if (attr->type == NF3DIR) {
        granted |= ACCESS3_LOOKUP | ACCESS3_DELETE | ACCESS3_EXECUTE;
    } else if ((attr->mode & 0111) != 0) {
        granted |= ACCESS3_EXECUTE;
    }
    return granted;
}

static void nfs_access(struct call *call)
{
    struct handle handle = get_handle(call);
    uint32_t wanted = wire_u32(&call->in);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    put_status(call, find_node(call, handle, &node));
    put_post_op_attr(call, node);
    if (node != NULL) {
        wire_put_u32(&call->out, wanted & access_granted(fs_attr(node)));
    }
}

static void nfs_readlink(struct call *call)
{
    struct handle handle = get_handle(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    struct fs_name target = {NULL, 0};
    enum nfsstat3 status = find_node(call, handle, &node);
    if (node != NULL) {
        status = fs_readlink(call->fs, node, &target);
    }
    put_status(call, status);
    put_post_op_attr(call, node);
    if (status == NFS3_OK) {
        wire_put_opaque(&call->out, target.bytes, target.length);
    }
}

static void nfs_read(struct call *call)
{
    struct handle handle = get_handle(call);
    uint64_t offset = wire_u64(&call->in);
    uint32_t count = wire_u32(&call->in);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, handle, &node);
    size_t done = 0;
    bool end = false;
    if (node != NULL) {
        /* The data go straight to their place, behind status, attributes, count, end of file and their length. */
        unsigned char *data = call->out.at + 4 + POST_OP_ATTR_BYTES + 12;
        status =
            fs_read(call->fs, node, offset, count < call->data_bytes ? count : call->data_bytes, data, &done, &end);
    }
    put_status(call, status);
    put_post_op_attr(call, node);
    if (status == NFS3_OK) {
        wire_put_u32(&call->out, (uint32_t)done);
        wire_put_u32(&call->out, end);
        wire_put_u32(&call->out, (uint32_t)done);
        wire_put_room(&call->out, done);
    }
}

static void nfs_write(struct call *call)
{
    struct handle handle = get_handle(call);
    uint64_t offset = wire_u64(&call->in);
    uint32_t count = wire_u32(&call->in);
    uint32_t stable = get_choice(call, FILE_SYNC);
    size_t length = 0;
    const unsigned char *data = wire_opaque(&call->in, NFS_DATA_TCP_BYTES, &length);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, handle, &node);
    struct wcc before = wcc_before(node);
    size_t done = 0;
    if (node != NULL) {
        status = length == count ? fs_write(call->fs, node, offset, length, data, &done) : NFS3ERR_INVAL;
    }
    put_status(call, status);
    put_wcc(call, &before);
    if (status == NFS3_OK) {
        wire_put_u32(&call->out, (uint32_t)done);
        wire_put_u32(&call->out, stable);
        wire_put_fixed(&call->out, call->nfs->verifier, sizeof call->nfs->verifier);
    }
}

static void nfs_fsstat(struct call *call)
{
    struct handle handle = get_handle(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    put_status(call, find_node(call, handle, &node));
    put_post_op_attr(call, node);
    if (node == NULL) {
        return;
    }
    struct fs_space space;
    fs_space(call->fs, &space);
    wire_put_u64(&call->out, space.total_bytes);
    wire_put_u64(&call->out, space.free_bytes);
    wire_put_u64(&call->out, space.free_bytes);
    wire_put_u64(&call->out, space.total_files);
    wire_put_u64(&call->out, space.free_files);
    wire_put_u64(&call->out, space.free_files);
    wire_put_u32(&call->out, 0); /* invarsec: may change at once */
}

static void nfs_fsinfo(struct call *call)
{
    struct handle handle = get_handle(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    put_status(call, find_node(call, handle, &node));
    put_post_op_attr(call, node);
    if (node == NULL) {
        return;
    }
    uint32_t preferred = call->data_bytes < PREFERRED_BYTES ? call->data_bytes : PREFERRED_BYTES;
    for (int i = 0; i < 2; i++) { /* of READ, then of WRITE */
        wire_put_u32(&call->out, call->data_bytes);
        wire_put_u32(&call->out, preferred);
        wire_put_u32(&call->out, FS_BLOCK_BYTES);
    }
    wire_put_u32(&call->out, preferred); /* dtpref */
    wire_put_u64(&call->out, FS_FILE_MAX_BYTES);
    put_time(call, 1); /* time_delta */
    wire_put_u32(&call->out, FSF3_LINK | FSF3_SYMLINK | FSF3_HOMOGENEOUS | FSF3_CANSETTIME);
}

static void nfs_pathconf(struct call *call)
{
    struct handle handle = get_handle(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    put_status(call, find_node(call, handle, &node));
    put_post_op_attr(call, node);
    if (node == NULL) {
        return;
    }
    wire_put_u32(&call->out, FS_LINK_MAX);
    wire_put_u32(&call->out, NFS3_MAXNAME);
    wire_put_u32(&call->out, true);  /* no_trunc */
    wire_put_u32(&call->out, false); /* chown_restricted */
    wire_put_u32(&call->out, false); /* case_insensitive */
    wire_put_u32(&call->out, true);  /* case_preserving */
}

static void nfs_commit(struct call *call)
{
    struct handle handle = get_handle(call);
    wire_u64(&call->in); /* offset and count: everything is where it will ever be */
    wire_u32(&call->in);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, handle, &node);
    struct wcc before = wcc_before(node);
    if (node != NULL && fs_attr(node)->type != NF3REG) {
        status = NFS3ERR_INVAL;
    }
    put_status(call, status);
    put_wcc(call, &before);
    if (status == NFS3_OK) {
        wire_put_fixed(&call->out, call->nfs->verifier, sizeof call->nfs->verifier);
    }
}

const struct nfs_procedure *nfs_procedure(uint32_t number)
{
    static const struct nfs_procedure procedures[] = {
        [NFSPROC3_NULL] = {nfs_null, 0},         [NFSPROC3_GETATTR] = {nfs_getattr, 0},
        [NFSPROC3_SETATTR] = {nfs_setattr, 2},   [NFSPROC3_LOOKUP] = {nfs_lookup, 1},
        [NFSPROC3_ACCESS] = {nfs_access, 1},     [NFSPROC3_READLINK] = {nfs_readlink, 1},
        [NFSPROC3_READ] = {nfs_read, 1},         [NFSPROC3_WRITE] = {nfs_write, 2},
        [NFSPROC3_CREATE] = {nfs_create, 2},     [NFSPROC3_MKDIR] = {nfs_mkdir, 2},
        [NFSPROC3_SYMLINK] = {nfs_symlink, 2},   [NFSPROC3_MKNOD] = {nfs_mknod, 2},
        [NFSPROC3_REMOVE] = {nfs_remove, 2},     [NFSPROC3_RMDIR] = {nfs_rmdir, 2},
        [NFSPROC3_RENAME] = {nfs_rename, 4},     [NFSPROC3_LINK] = {nfs_link, 3},
        [NFSPROC3_READDIR] = {nfs_readdir, 1},   [NFSPROC3_READDIRPLUS] = {nfs_readdirplus, 1},
        [NFSPROC3_FSSTAT] = {nfs_fsstat, 1},     [NFSPROC3_FSINFO] = {nfs_fsinfo, 1},
        [NFSPROC3_PATHCONF] = {nfs_pathconf, 1}, [NFSPROC3_COMMIT] = {nfs_commit, 2},
    };
    return number < sizeof procedures / sizeof *procedures ? &procedures[number] : NULL;
}
