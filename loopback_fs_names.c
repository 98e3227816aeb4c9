/* What changes names in the loopback file system: making, removing, renaming and linking nodes. */
#include "loopback_fs_inside.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t set_group_id = 02000;

static void dir_changed(struct fs_node *dir, int64_t now_ns)
{
    dir->attr.mtime_ns = dir->attr.ctime_ns = now_ns;
}

enum nfsstat3 fs_lookup(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node **node)
{
    if (dir->attr.type != NF3DIR) {
        return NFS3ERR_NOTDIR;
    }
    enum nfsstat3 status = name_check(name);
    if (status != NFS3_OK) {
        return status;
    }
    if (name_is_dot(name)) {
        *node = dir;
        return NFS3_OK;
    }
    if (name_is_dot_dot(name)) {
        *node = dir->u.dir.parent;
        return NFS3_OK;
    }
    const struct dir_entry *entry = dir_find(fs, dir, name);
    if (entry == NULL) {
        return NFS3ERR_NOENT;
    }
    *node = entry->node;
    return NFS3_OK;
}

/* Whether a name may be made in `dir`: "." and ".." are there already. *found: the node that has the name. */
static enum nfsstat3 name_free(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node **found)
{
    *found = NULL;
    enum nfsstat3 status = fs_lookup(fs, dir, name, found);
    if (status == NFS3ERR_NOENT) {
        return NFS3_OK;
    }
    return status == NFS3_OK ? NFS3ERR_EXIST : status;
}

/* Give a new node its attributes and its name; on failure it is freed. */
static enum nfsstat3 node_enter(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node *node,
                                const struct fs_set *set, struct fs_owner owner)
{
    int64_t now_ns = fs_now(fs);
    bool inherits = (dir->attr.mode & set_group_id) != 0;
    node->attr.uid = owner.uid;
    node->attr.gid = inherits ? dir->attr.gid : owner.gid;
    node->attr.atime_ns = node->attr.mtime_ns = now_ns;
    node_apply(node, set, now_ns);
    enum nfsstat3 status = dir_add(fs, dir, name, node);
    if (status != NFS3_OK) {
        node_free(fs, node);
        return status;
    }
    if (node->attr.type == NF3DIR) {
        node->u.dir.parent = dir;
        dir->attr.nlink++;
        node->attr.mode |= inherits ? set_group_id : 0;
    }
    dir_changed(dir, now_ns);
    return NFS3_OK;
}

/* CREATE of a name that exists (RFC 1813 section 3.3.8). */
static enum nfsstat3 create_found(struct fs *fs, struct fs_node *node, enum createmode3 how, const struct fs_set *set,
                                  const unsigned char *verifier)
{
    if (node->attr.type != NF3REG || how == GUARDED) {
        return NFS3ERR_EXIST;
    }
    if (how == EXCLUSIVE) {
        bool again = node->exclusive && memcmp(node->verifier, verifier, sizeof node->verifier) == 0;
        return again ? NFS3_OK : NFS3ERR_EXIST;
    }
    /* An existing file keeps its owner and mode, as open() with O_CREAT and O_TRUNC has it. */
    struct fs_set size_only = {.size_set = set->size_set, .size_bytes = set->size_bytes};
    return set->size_set ? fs_setattr(fs, node, &size_only, NULL) : NFS3_OK;
}

enum nfsstat3 fs_create(struct fs *fs, struct fs_node *dir, struct fs_name name, enum createmode3 how,
                        const struct fs_set *set, const unsigned char *verifier, struct fs_owner owner,
                        struct fs_node **node)
{
    static const struct fs_set nothing = {.mode_set = false};
    struct fs_node *found = NULL;
    enum nfsstat3 status = name_free(fs, dir, name, &found);
    if (found != NULL) {
        *node = found;
        return create_found(fs, found, how, set, verifier);
    }
    if (status != NFS3_OK) {
        return status;
    }
    if (how != EXCLUSIVE && set->size_set && set->size_bytes > FS_FILE_MAX_BYTES) {
        return NFS3ERR_FBIG;
    }
    struct fs_node *made = node_new(fs, NF3REG);
    if (made == NULL) {
        return NFS3ERR_NOSPC;
    }
    made->attr.mode = 0644;
    if (how == EXCLUSIVE) {
        made->exclusive = true;
        memcpy(made->verifier, verifier, sizeof made->verifier);
        set = &nothing;
    } else if (set->size_set) {
        made->attr.size_bytes = set->size_bytes;
    }
    status = node_enter(fs, dir, name, made, set, owner);
    if (status == NFS3_OK) {
        *node = made;
    }
    return status;
}

/* A node of a type other than a regular file. */
static enum nfsstat3 make(struct fs *fs, struct fs_node *dir, struct fs_name name, enum ftype3 type,
                          struct fs_node **made)
{
    struct fs_node *found = NULL;
    enum nfsstat3 status = name_free(fs, dir, name, &found);
    if (status != NFS3_OK) {
        return status;
    }
    *made = node_new(fs, type);
    return *made == NULL ? NFS3ERR_NOSPC : NFS3_OK;
}

enum nfsstat3 fs_mkdir(struct fs *fs, struct fs_node *dir, struct fs_name name, const struct fs_set *set,
                       struct fs_owner owner, struct fs_node **node)
{
    struct fs_node *made = NULL;
    enum nfsstat3 status = make(fs, dir, name, NF3DIR, &made);
    if (status == NFS3_OK) {
        made->attr.mode = 0755;
        status = node_enter(fs, dir, name, made, set, owner);
    }
    if (status == NFS3_OK) {
        *node = made;
    }
    return status;
}

enum nfsstat3 fs_symlink(struct fs *fs, struct fs_node *dir, struct fs_name name, const struct fs_set *set,
                         struct fs_name target, struct fs_owner owner, struct fs_node **node)
{
    if (target.length > FS_PATH_MAX) {
        return NFS3ERR_NAMETOOLONG;
    }
    struct fs_node *made = NULL;
    enum nfsstat3 status = make(fs, dir, name, NF3LNK, &made);
    if (status != NFS3_OK) {
        return status;
    }
    char *copy = NULL;
    if (fs_charge(fs, target.length + 1)) {
        copy = malloc(target.length + 1);
        if (copy == NULL) {
            fs_refund(fs, target.length + 1);
        }
    }
    if (copy == NULL) {
        node_free(fs, made);
        return NFS3ERR_NOSPC;
    }
    memcpy(copy, target.bytes, target.length);
    copy[target.length] = '\0';
    made->u.target = copy;
    made->attr.size_bytes = target.length;
    made->attr.mode = 0777;
    status = node_enter(fs, dir, name, made, set, owner);
    if (status == NFS3_OK) {
        *node = made;
    }
    return status;
}

enum nfsstat3 fs_mknod(struct fs *fs, struct fs_node *dir, struct fs_name name, enum ftype3 type,
                       const struct fs_set *set, const uint32_t rdev[2], struct fs_owner owner, struct fs_node **node)
{
    bool device = type == NF3CHR || type == NF3BLK;
    if (!device && type != NF3SOCK && type != NF3FIFO) {
        return NFS3ERR_BADTYPE;
    }
    struct fs_node *made = NULL;
    enum nfsstat3 status = make(fs, dir, name, type, &made);
    if (status != NFS3_OK) {
        return status;
    }
    made->attr.mode = 0644;
    if (device) {
        made->attr.rdev[0] = rdev[0];
        made->attr.rdev[1] = rdev[1];
    }
    status = node_enter(fs, dir, name, made, set, owner);
    if (status == NFS3_OK) {
        *node = made;
    }
    return status;
}

/* One name less for a node that is no directory. */
static void unlink_node(struct fs *fs, struct fs_node *node, int64_t now_ns)
{
    node->attr.nlink--;
    node->attr.ctime_ns = now_ns;
    if (node->attr.nlink == 0) {
        node_free(fs, node);
    }
}

/* RFC 1813 section 3.3.13: what to say of "." and ".."; kept for REMOVE and RENAME as well. */
static enum nfsstat3 removable(const struct fs_node *dir, struct fs_name name)
{
    if (dir->attr.type != NF3DIR) {
        return NFS3ERR_NOTDIR;
    }
    if (name_is_dot(name)) {
        return NFS3ERR_INVAL;
    }
    return name_is_dot_dot(name) ? NFS3ERR_EXIST : name_check(name);
}

enum nfsstat3 fs_remove(struct fs *fs, struct fs_node *dir, struct fs_name name)
{
    enum nfsstat3 status = removable(dir, name);
    if (status != NFS3_OK) {
        return status;
    }
    struct dir_entry *entry = dir_find(fs, dir, name);
    if (entry == NULL) {
        return NFS3ERR_NOENT;
    }
    struct fs_node *node = entry->node;
    if (node->attr.type == NF3DIR) {
        return NFS3ERR_ISDIR;
    }
    int64_t now_ns = fs_now(fs);
    dir_drop(fs, dir, entry);
    dir_changed(dir, now_ns);
    unlink_node(fs, node, now_ns);
    return NFS3_OK;
}

enum nfsstat3 fs_rmdir(struct fs *fs, struct fs_node *dir, struct fs_name name)
{
    enum nfsstat3 status = removable(dir, name);
    if (status != NFS3_OK) {
        return status;
    }
    struct dir_entry *entry = dir_find(fs, dir, name);
    if (entry == NULL) {
        return NFS3ERR_NOENT;
    }
    struct fs_node *node = entry->node;
    if (node->attr.type != NF3DIR) {
        return NFS3ERR_NOTDIR;
    }
    if (node->u.dir.count > 0) {
        return NFS3ERR_NOTEMPTY;
    }
    dir_drop(fs, dir, entry);
    dir->attr.nlink--;
    dir_changed(dir, fs_now(fs));
    node_free(fs, node);
    return NFS3_OK;
}

/* Whether directory `node` is `dir` or lies above it. */
static bool is_above(const struct fs_node *node, const struct fs_node *dir)
{
    while (dir != node && dir->u.dir.parent != dir) {
        dir = dir->u.dir.parent;
    }
    return dir == node;
}

/* What forbids `node` to take the name that `replaced` (or nothing: NULL) has in `to`. */
static enum nfsstat3 rename_check(const struct fs_node *node, const struct fs_node *to, const struct fs_node *replaced)
{
    bool is_dir = node->attr.type == NF3DIR;
    if (is_dir && is_above(node, to)) {
        return NFS3ERR_INVAL;
    }
    if (replaced != NULL) {
        /* RFC 1813 section 3.3.14 wants EXIST for a target that is not empty, too. */
        bool both = is_dir && replaced->attr.type == NF3DIR && replaced->u.dir.count == 0;
        bool neither = !is_dir && replaced->attr.type != NF3DIR;
        return both || neither ? NFS3_OK : NFS3ERR_EXIST;
    }
    return NFS3_OK;
}

enum nfsstat3 fs_rename(struct fs *fs, struct fs_node *from, struct fs_name from_name, struct fs_node *to,
                        struct fs_name to_name)
{
    enum nfsstat3 status = removable(from, from_name);
    if (status == NFS3_OK) {
        status = removable(to, to_name);
    }
    if (status != NFS3_OK) {
        return status;
    }
    struct dir_entry *source = dir_find(fs, from, from_name);
    if (source == NULL) {
        return NFS3ERR_NOENT;
    }
    struct fs_node *node = source->node;
    struct dir_entry *target = dir_find(fs, to, to_name);
    struct fs_node *replaced = target == NULL ? NULL : target->node;
    if (replaced == node) {
        return NFS3_OK; /* two names of one file: nothing to do */
    }
    status = rename_check(node, to, replaced);
    if (status == NFS3_OK) {
        if (target == NULL) {
            status = dir_add(fs, to, to_name, node);
        } else {
            target->node = node;
        }
    }
    if (status != NFS3_OK) {
        return status;
    }
    int64_t now_ns = fs_now(fs);
    dir_drop(fs, from, source);
    if (node->attr.type == NF3DIR) {
        node->u.dir.parent = to;
        from->attr.nlink--;
        to->attr.nlink++;
    }
    if (replaced != NULL && replaced->attr.type == NF3DIR) {
        to->attr.nlink--;
        node_free(fs, replaced);
    } else if (replaced != NULL) {
        unlink_node(fs, replaced, now_ns);
    }
    node->attr.ctime_ns = now_ns;
    dir_changed(from, now_ns);
    dir_changed(to, now_ns);
    return NFS3_OK;
}

enum nfsstat3 fs_link(struct fs *fs, struct fs_node *node, struct fs_node *dir, struct fs_name name)
{
    struct fs_node *found = NULL;
    enum nfsstat3 status = name_free(fs, dir, name, &found);
    if (status != NFS3_OK) {
        return status;
    }
    if (node->attr.type == NF3DIR) {
        return NFS3ERR_ISDIR;
    }
    if (node->attr.nlink >= FS_LINK_MAX) {
        return NFS3ERR_MLINK;
    }
    status = dir_add(fs, dir, name, node);
    if (status == NFS3_OK) {
        int64_t now_ns = fs_now(fs);
        node->attr.nlink++;
        node->attr.ctime_ns = now_ns;
        dir_changed(dir, now_ns);
    }
    return status;
}
