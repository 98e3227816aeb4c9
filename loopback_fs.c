/* Nodes of the loopback file system: making, finding by handle, attributes, the memory count. */
#include "loopback_fs_inside.h"

#include "units.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_SLOTS = 64 };

/* What a node costs besides what it holds: itself, its place in `slots` and in `spare`. */
static const uint64_t node_bytes = sizeof(struct fs_node) + sizeof(struct fs_node *) + sizeof(size_t);

bool fs_charge(struct fs *fs, uint64_t bytes)
{
    if (bytes > fs->memory_bytes - fs->used_bytes) {
        return false;
    }
    fs->used_bytes += bytes;
    return true;
}

void fs_refund(struct fs *fs, uint64_t bytes)
{
    fs->used_bytes -= bytes;
}

int64_t fs_now(struct fs *fs)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t now_ns = (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
    /* Clients take an equal ctime for "nothing changed". */
    fs->last_ns = now_ns > fs->last_ns ? now_ns : fs->last_ns + 1;
    return fs->last_ns;
}

static bool slots_grow(struct fs *fs)
{
    size_t capacity = fs->slot_capacity == 0 ? FIRST_SLOTS : 2 * fs->slot_capacity;
    struct fs_node **slots = realloc(fs->slots, capacity * sizeof(struct fs_node *));
    if (slots == NULL) {
        return false;
    }
    fs->slots = slots;
    size_t *spare = realloc(fs->spare, capacity * sizeof *spare);
    if (spare == NULL) {
        return false;
    }
    fs->spare = spare;
    fs->slot_capacity = capacity;
    return true;
}

struct fs_node *node_new(struct fs *fs, enum ftype3 type)
{
    if (fs->spare_count == 0 && fs->slot_count == fs->slot_capacity && !slots_grow(fs)) {
        return NULL;
    }
    if (!fs_charge(fs, node_bytes)) {
        return NULL;
    }
    struct fs_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        fs_refund(fs, node_bytes);
        return NULL;
    }
    node->slot = fs->spare_count > 0 ? fs->spare[--fs->spare_count] : fs->slot_count++;
    fs->slots[node->slot] = node;
    node->attr.type = type;
    node->attr.fileid = ++fs->last_fileid;
    node->attr.nlink = 1;
    if (type == NF3DIR) {
        node->attr.nlink = 2;
        node->attr.size_bytes = node->attr.used_bytes = FS_BLOCK_BYTES;
        node->u.dir.last_cookie = 2; /* "." and ".." */
    }
    return node;
}

void node_free(struct fs *fs, struct fs_node *node)
{
    if (node->attr.type == NF3DIR) {
        dir_free(fs, node);
    } else if (node->attr.type == NF3REG) {
        file_cut(fs, node, 0);
    } else if (node->attr.type == NF3LNK && node->u.target != NULL) {
        fs_refund(fs, node->attr.size_bytes + 1);
        free(node->u.target);
    }
    fs->slots[node->slot] = NULL;
    fs->spare[fs->spare_count++] = node->slot;
    free(node);
    fs_refund(fs, node_bytes);
}

struct fs *fs_new(uint64_t memory_bytes, uint64_t magic)
{
    struct fs *fs = calloc(1, sizeof *fs);
    if (fs == NULL) {
        return NULL;
    }
    fs->magic = magic;
    fs->memory_bytes = memory_bytes;
    if (memory_bytes >= node_bytes) {
        fs->root = node_new(fs, NF3DIR);
    }
    if (fs->root == NULL) {
        fs_free(fs);
        return NULL;
    }
    fs->root->attr.mode = 0777;
    fs->root->u.dir.parent = fs->root;
    fs->root->attr.atime_ns = fs->root->attr.mtime_ns = fs->root->attr.ctime_ns = fs_now(fs);
    return fs;
}

void fs_free(struct fs *fs)
{
    if (fs == NULL) {
        return;
    }
    for (size_t i = 0; i < fs->slot_count; i++) {
        if (fs->slots[i] != NULL) {
            node_free(fs, fs->slots[i]);
        }
    }
    free(fs->slots);
    free(fs->spare);
    free(fs);
}

struct fs_node *fs_root(struct fs *fs)
{
    return fs->root;
}

const struct fs_attr *fs_attr(const struct fs_node *node)
{
    return &node->attr;
}

void fs_space(const struct fs *fs, struct fs_space *space)
{
    /* A file takes at least its node and an entry with a short name. */
    uint64_t file_bytes = node_bytes + sizeof(struct dir_entry) + sizeof(struct dir_place) + 32;
    space->total_bytes = fs->memory_bytes;
    space->free_bytes = fs->memory_bytes - fs->used_bytes;
    space->free_files = space->free_bytes / file_bytes;
    space->total_files = space->free_files + (fs->slot_count - fs->spare_count);
}

/* A handle: magic, file id, slot, each 8 bytes in memory order; the file id also serves as the slot's generation. */
void fs_handle(const struct fs *fs, const struct fs_node *node, unsigned char handle[FS_HANDLE_BYTES])
{
    uint64_t slot = node->slot;
    memcpy(handle, &fs->magic, 8);
    memcpy(handle + 8, &node->attr.fileid, 8);
    memcpy(handle + 16, &slot, 8);
}

enum nfsstat3 fs_find(struct fs *fs, const unsigned char *handle, size_t length, struct fs_node **node)
{
    uint64_t magic = 0;
    uint64_t fileid = 0;
    uint64_t slot = 0;
    if (length != FS_HANDLE_BYTES) {
        return NFS3ERR_BADHANDLE;
    }
    memcpy(&magic, handle, 8);
    memcpy(&fileid, handle + 8, 8);
    memcpy(&slot, handle + 16, 8);
    if (magic != fs->magic || fileid == 0 || fileid > fs->last_fileid || slot >= fs->slot_count) {
        return NFS3ERR_BADHANDLE;
    }
    struct fs_node *found = fs->slots[slot];
    if (found == NULL || found->attr.fileid != fileid) {
        return NFS3ERR_STALE;
    }
    *node = found;
    return NFS3_OK;
}

void node_apply(struct fs_node *node, const struct fs_set *set, int64_t now_ns)
{
    struct fs_attr *attr = &node->attr;
    if (set->mode_set) {
        attr->mode = set->mode & 07777;
    }
    if (set->uid_set) {
        attr->uid = set->uid;
    }
    if (set->gid_set) {
        attr->gid = set->gid;
    }
    if (set->atime_how != DONT_CHANGE) {
        attr->atime_ns = set->atime_how == SET_TO_CLIENT_TIME ? set->atime_ns : now_ns;
    }
    if (set->mtime_how != DONT_CHANGE) {
        attr->mtime_ns = set->mtime_how == SET_TO_CLIENT_TIME ? set->mtime_ns : now_ns;
    }
    attr->ctime_ns = now_ns;
}

enum nfsstat3 fs_setattr(struct fs *fs, struct fs_node *node, const struct fs_set *set, const int64_t *guard_ctime_ns)
{
    if (guard_ctime_ns != NULL && *guard_ctime_ns != node->attr.ctime_ns) {
        return NFS3ERR_NOT_SYNC;
    }
    if (set->size_set && node->attr.type != NF3REG) {
        return NFS3ERR_INVAL;
    }
    if (set->size_set && set->size_bytes > FS_FILE_MAX_BYTES) {
        return NFS3ERR_FBIG;
    }
    int64_t now_ns = fs_now(fs);
    if (set->size_set) {
        if (set->size_bytes < node->attr.size_bytes) {
            file_cut(fs, node, set->size_bytes);
        }
        node->attr.size_bytes = set->size_bytes;
        node->attr.mtime_ns = now_ns;
    }
    node_apply(node, set, now_ns);
    return NFS3_OK;
}

enum nfsstat3 fs_readlink(struct fs *fs, struct fs_node *node, struct fs_name *target)
{
    if (node->attr.type != NF3LNK) {
        return NFS3ERR_INVAL;
    }
    node->attr.atime_ns = fs_now(fs);
    *target = (struct fs_name){.bytes = node->u.target, .length = node->attr.size_bytes};
    return NFS3_OK;
}

enum nfsstat3 fs_read(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, unsigned char *bytes,
                      size_t *done, bool *end)
{
    if (node->attr.type != NF3REG) {
        return NFS3ERR_INVAL;
    }
    uint64_t size_bytes = node->attr.size_bytes;
    *done = 0;
    if (offset < size_bytes) {
        *done = count < size_bytes - offset ? count : (size_t)(size_bytes - offset);
        file_read(node, offset, *done, bytes);
    }
    *end = offset >= size_bytes || *done == size_bytes - offset;
    node->attr.atime_ns = fs_now(fs);
    return NFS3_OK;
}

enum nfsstat3 fs_write(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, const unsigned char *bytes,
                       size_t *done)
{
    if (node->attr.type != NF3REG) {
        return NFS3ERR_INVAL;
    }
    if (offset > FS_FILE_MAX_BYTES || count > FS_FILE_MAX_BYTES - offset) {
        return NFS3ERR_FBIG;
    }
    *done = file_write(fs, node, offset, count, bytes);
    if (*done == 0 && count > 0) {
        return NFS3ERR_NOSPC;
    }
    if (*done > 0) {
        if (offset + *done > node->attr.size_bytes) {
            node->attr.size_bytes = offset + *done;
        }
        node->attr.mtime_ns = node->attr.ctime_ns = fs_now(fs);
    }
    return NFS3_OK;
}
