/*
 * loopback_fs_inside.h - what the files of the loopback file system share: nodes, directories, data, the memory count.
 */
#ifndef LOOPBACK_FS_INSIDE_H
#define LOOPBACK_FS_INSIDE_H

#include "loopback_fs.h"

/* A name in a directory, allocated with its bytes. */
struct dir_entry {
    struct fs_node *node;
    uint64_t cookie;
    uint64_t hash;
    size_t position; /* in dir_data.order */
    size_t length;
    char name[];
};

/* The cookie outlives the entry, so that the order can be searched while it has holes. */
struct dir_place {
    uint64_t cookie;
    struct dir_entry *entry; /* NULL: removed */
};

struct dir_data {
    struct fs_node *parent;   /* the root's is itself */
    struct dir_entry **table; /* open addressing by hash, at most 3/4 full; its size is a power of two or 0 */
    size_t table_size;
    struct dir_place *order; /* by cookie */
    size_t order_count;      /* holes included */
    size_t order_capacity;
    size_t count;
    uint64_t last_cookie;
};

/* Up to 2 MiB of a file: pointers to its blocks, NULL for holes. */
struct file_leaf {
    unsigned char **blocks;
    uint32_t capacity; /* a power of two or 0 */
    uint32_t count;    /* blocks that are not NULL */
};

struct file_data {
    struct file_leaf *leaves;
    size_t capacity; /* a power of two or 0 */
};

struct fs_node {
    struct fs_attr attr;
    size_t slot;
    bool exclusive;
    unsigned char verifier[NFS3_CREATEVERFSIZE]; /* of the exclusive create that made it */
    union {
        struct dir_data dir;
        struct file_data file;
        char *target;
    } u;
};

struct fs {
    uint64_t magic;
    uint64_t memory_bytes;
    uint64_t used_bytes;
    uint64_t last_fileid;
    int64_t last_ns;
    struct fs_node *root;
    struct fs_node **slots; /* a free one is NULL, and its number on `spare` */
    size_t *spare;
    size_t slot_count; /* ever used */
    size_t slot_capacity;
    size_t spare_count;
};

/* Count memory before it is taken: false when that would pass the limit. */
bool fs_charge(struct fs *fs, uint64_t bytes);
void fs_refund(struct fs *fs, uint64_t bytes);
/* The wall clock, but always later than the last time given. */
int64_t fs_now(struct fs *fs);

/* A node without a name yet, and its end with all it holds. */
struct fs_node *node_new(struct fs *fs, enum ftype3 type);
void node_free(struct fs *fs, struct fs_node *node);
/* The part of SETATTR that cannot fail once the size is set. */
void node_apply(struct fs_node *node, const struct fs_set *set, int64_t now_ns);

/* A name that may be made or removed: ACCES when empty or with '/' or a zero byte, NAMETOOLONG. */
enum nfsstat3 name_check(struct fs_name name);
bool name_is_dot(struct fs_name name);
bool name_is_dot_dot(struct fs_name name);

struct dir_entry *dir_find(const struct fs *fs, const struct fs_node *dir, struct fs_name name);
/* Add a name that is not there: NOSPC when memory ends. Times and link counts are the caller's. */
enum nfsstat3 dir_add(struct fs *fs, struct fs_node *dir, struct fs_name name, struct fs_node *node);
void dir_drop(struct fs *fs, struct fs_node *dir, struct dir_entry *entry);
void dir_free(struct fs *fs, struct fs_node *dir);

void file_read(const struct fs_node *node, uint64_t offset, size_t count, unsigned char *bytes);
/* How many of the bytes were written: fewer when memory ended. Sets used_bytes, not size_bytes. */
size_t file_write(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, const unsigned char *bytes);
/* Drop what lies at and behind `size_bytes`, so that it reads as zeros if the file grows again. */
void file_cut(struct fs *fs, struct fs_node *node, uint64_t size_bytes);

#endif
