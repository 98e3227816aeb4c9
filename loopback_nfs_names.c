/* The NFSv3 procedures on names in directories (RFC 1813 section 3.3). */
#include "loopback_nfs_inside.h"

/* diropargs3. */
struct where {
    struct handle dir;
    struct fs_name name;
};

static struct where get_where(struct call *call)
{
    struct where where = {.dir = get_handle(call)};
    where.name = get_name(call);
    return where;
}

void nfs_lookup(struct call *call)
{
    struct where where = get_where(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    if (dir != NULL) {
        status = fs_lookup(call->fs, dir, where.name, &node);
    }
    put_status(call, status);
    if (status == NFS3_OK) {
        put_handle(call, node);
        put_post_op_attr(call, node);
    }
    put_post_op_attr(call, dir);
}

/* The results CREATE, MKDIR, SYMLINK and MKNOD share. */
static void put_made(struct call *call, enum nfsstat3 status, const struct fs_node *node, const struct wcc *before)
{
    put_status(call, status);
    if (status == NFS3_OK) {
        wire_put_u32(&call->out, true);
        put_handle(call, node);
        put_post_op_attr(call, node);
    }
    put_wcc(call, before);
}

void nfs_create(struct call *call)
{
    struct where where = get_where(call);
    enum createmode3 how = get_choice(call, EXCLUSIVE);
    struct fs_set set = {.mode_set = false};
    const unsigned char *verifier = NULL;
    if (how == EXCLUSIVE) {
        verifier = wire_fixed(&call->in, NFS3_CREATEVERFSIZE);
    } else {
        set = get_sattr(call);
    }
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (dir != NULL) {
        status = fs_create(call->fs, dir, where.name, how, &set, verifier, call->owner, &node);
    }
    put_made(call, status, node, &before);
}

void nfs_mkdir(struct call *call)
{
    struct where where = get_where(call);
    struct fs_set set = get_sattr(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (dir != NULL) {
        status = fs_mkdir(call->fs, dir, where.name, &set, call->owner, &node);
    }
    put_made(call, status, node, &before);
}

void nfs_symlink(struct call *call)
{
    struct where where = get_where(call);
    struct fs_set set = get_sattr(call);
    struct fs_name target = get_name(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (dir != NULL) {
        status = fs_symlink(call->fs, dir, where.name, &set, target, call->owner, &node);
    }
    put_made(call, status, node, &before);
}

void nfs_mknod(struct call *call)
{
    struct where where = get_where(call);
    enum ftype3 type = get_choice(call, NF3FIFO);
    struct fs_set set = {.mode_set = false};
    uint32_t rdev[2] = {0, 0};
    if (type == NF3CHR || type == NF3BLK) {
        set = get_sattr(call);
        rdev[0] = wire_u32(&call->in);
        rdev[1] = wire_u32(&call->in);
    } else if (type == NF3SOCK || type == NF3FIFO) {
        set = get_sattr(call);
    }
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    struct fs_node *node = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (dir != NULL) {
        status = fs_mknod(call->fs, dir, where.name, type, &set, rdev, call->owner, &node);
    }
    put_made(call, status, node, &before);
}

typedef enum nfsstat3 remove_function(struct fs *fs, struct fs_node *dir, struct fs_name name);

static void remove_with(struct call *call, remove_function *function)
{
    struct where where = get_where(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *dir = NULL;
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (dir != NULL) {
        status = function(call->fs, dir, where.name);
    }
    put_status(call, status);
    put_wcc(call, &before);
}

void nfs_remove(struct call *call)
{
    remove_with(call, fs_remove);
}

void nfs_rmdir(struct call *call)
{
    remove_with(call, fs_rmdir);
}

void nfs_rename(struct call *call)
{
    struct where from = get_where(call);
    struct where to = get_where(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *from_dir = NULL;
    struct fs_node *to_dir = NULL;
    enum nfsstat3 from_status = find_node(call, from.dir, &from_dir);
    enum nfsstat3 status = find_node(call, to.dir, &to_dir);
    struct wcc from_before = wcc_before(from_dir);
    struct wcc to_before = wcc_before(to_dir);
    if (from_status != NFS3_OK) {
        status = from_status;
    } else if (status == NFS3_OK) {
        status = fs_rename(call->fs, from_dir, from.name, to_dir, to.name);
    }
    put_status(call, status);
    put_wcc(call, &from_before);
    put_wcc(call, &to_before);
}

void nfs_link(struct call *call)
{
    struct handle file = get_handle(call);
    struct where where = get_where(call);
    if (call->in.bad) {
        return;
    }
    struct fs_node *node = NULL;
    struct fs_node *dir = NULL;
    enum nfsstat3 node_status = find_node(call, file, &node);
    enum nfsstat3 status = find_node(call, where.dir, &dir);
    struct wcc before = wcc_before(dir);
    if (node_status != NFS3_OK) {
        status = node_status;
    } else if (status == NFS3_OK) {
        status = fs_link(call->fs, node, dir, where.name);
    }
    put_status(call, status);
    put_post_op_attr(call, node);
    put_wcc(call, &before);
}

/* What a listing is asked for. */
struct listing {
    struct handle dir;
    uint64_t cookie;
    const unsigned char *verifier;
    uint32_t names_bytes; /* bound of the names and ids: READDIRPLUS' dircount */
    uint32_t total_bytes; /* bound of the whole result after the status */
    bool plus;
};

/* XDR bytes of an entry without attributes and handle, its mark included. */
static size_t entry_bytes(const struct fs_entry *entry)
{
    return 4 + 8 + 4 + ((entry->name.length + 3) & ~(size_t)3) + 8;
}

static void put_entry(struct call *call, const struct fs_entry *entry, bool plus)
{
    wire_put_u32(&call->out, true);
    wire_put_u64(&call->out, fs_attr(entry->node)->fileid);
    wire_put_opaque(&call->out, entry->name.bytes, entry->name.length);
    wire_put_u64(&call->out, entry->cookie);
    if (plus) {
        put_post_op_attr(call, entry->node);
        wire_put_u32(&call->out, true);
        put_handle(call, entry->node);
    }
}

/* The entries that fit. False when not even one does, though there is one. */
static bool put_entries(struct call *call, const struct listing *listing, struct fs_cursor *cursor)
{
    static const size_t plus_bytes = POST_OP_ATTR_BYTES + 4 + 4 + FS_HANDLE_BYTES;
    size_t names_bytes = 0;
    size_t total_bytes = POST_OP_ATTR_BYTES + NFS3_COOKIEVERFSIZE + 4 + 4; /* what surrounds the entries */
    bool first = true;
    struct fs_entry entry;
    while (fs_list_next(cursor, &entry)) {
        size_t bytes = entry_bytes(&entry);
        names_bytes += bytes;
        total_bytes += bytes + (listing->plus ? plus_bytes : 0);
        /* dircount is a hint: one entry is given whatever it says, or a client could not go on. */
        if (total_bytes > listing->total_bytes || (names_bytes > listing->names_bytes && !first)) {
            wire_put_u32(&call->out, false);
            wire_put_u32(&call->out, false); /* not the end */
            return !first;
        }
        put_entry(call, &entry, listing->plus);
        first = false;
    }
    wire_put_u32(&call->out, false);
    wire_put_u32(&call->out, true);
    return total_bytes <= listing->total_bytes;
}

static void list(struct call *call, struct listing listing)
{
    if (call->in.bad) {
        return;
    }
    if (listing.total_bytes > call->data_bytes) {
        listing.total_bytes = call->data_bytes;
    }
    struct fs_node *dir = NULL;
    struct fs_cursor cursor;
    enum nfsstat3 status = find_node(call, listing.dir, &dir);
    if (dir != NULL) {
        status = fs_list(call->fs, dir, listing.cookie, &cursor);
    }
    if (status == NFS3_OK && listing.cookie != 0 &&
        memcmp(listing.verifier, call->nfs->verifier, sizeof call->nfs->verifier) != 0) {
        status = NFS3ERR_BAD_COOKIE;
    }
    unsigned char *start = call->out.at;
    put_status(call, status);
    put_post_op_attr(call, dir);
    if (status == NFS3_OK) {
        wire_put_fixed(&call->out, call->nfs->verifier, sizeof call->nfs->verifier);
        if (!put_entries(call, &listing, &cursor)) {
            call->out.at = start;
            put_status(call, NFS3ERR_TOOSMALL);
            put_post_op_attr(call, dir);
        }
    }
}

void nfs_readdir(struct call *call)
{
    struct listing listing = {.dir = get_handle(call), .names_bytes = UINT32_MAX};
    listing.cookie = wire_u64(&call->in);
    listing.verifier = wire_fixed(&call->in, NFS3_COOKIEVERFSIZE);
    listing.total_bytes = wire_u32(&call->in);
    list(call, listing);
}

void nfs_readdirplus(struct call *call)
{
    struct listing listing = {.dir = get_handle(call), .plus = true};
    listing.cookie = wire_u64(&call->in);
    listing.verifier = wire_fixed(&call->in, NFS3_COOKIEVERFSIZE);
    listing.names_bytes = wire_u32(&call->in);
    listing.total_bytes = wire_u32(&call->in);
    list(call, listing);
}
