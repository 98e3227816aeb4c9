/* Contents of files of the loopback file system: sparse, in blocks, found through two tables that grow as needed. */
#include "loopback_fs_inside.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF_BLOCKS = 512, FIRST_BLOCKS = 4 };

static const uint64_t leaf_bytes = (uint64_t)LEAF_BLOCKS * FS_BLOCK_BYTES;

/* The smallest power of two that is at least `least` and `count`. */
static size_t table_size(size_t count, size_t least)
{
    size_t size = least;
    while (size < count) {
        size *= 2;
    }
    return size;
}

/* The block of `offset`, or NULL for a hole. */
static const unsigned char *block_at(const struct file_data *file, uint64_t offset)
{
    size_t leaf = (size_t)(offset / leaf_bytes);
    size_t block = (size_t)(offset % leaf_bytes) / FS_BLOCK_BYTES;
    if (leaf >= file->capacity || block >= file->leaves[leaf].capacity) {
        return NULL;
    }
    return file->leaves[leaf].blocks[block];
}

/* Make `*table` of `size` items of `item` bytes instead of `had`, counted, the new ones zeroed. */
static bool table_grow(struct fs *fs, void **table, size_t had, size_t size, size_t item)
{
    uint64_t more_bytes = (uint64_t)(size - had) * item;
    if (!fs_charge(fs, more_bytes)) {
        return false;
    }
    unsigned char *grown = realloc(*table, size * item);
    if (grown == NULL) {
        fs_refund(fs, more_bytes);
        return false;
    }
    memset(grown + had * item, 0, more_bytes);
    *table = grown;
    return true;
}

/* Where the pointer to the block of `offset` lies; NULL when memory ended. */
static unsigned char **block_place(struct fs *fs, struct file_data *file, uint64_t offset, struct file_leaf **its_leaf)
{
    size_t leaf_at = (size_t)(offset / leaf_bytes);
    if (leaf_at >= file->capacity) {
        size_t size = table_size(leaf_at + 1, 1);
        void *leaves = file->leaves;
        if (!table_grow(fs, &leaves, file->capacity, size, sizeof *file->leaves)) {
            return NULL;
        }
        file->leaves = leaves;
        file->capacity = size;
    }
    struct file_leaf *leaf = &file->leaves[leaf_at];
    size_t block = (size_t)(offset % leaf_bytes) / FS_BLOCK_BYTES;
    if (block >= leaf->capacity) {
        size_t size = table_size(block + 1, FIRST_BLOCKS);
        void *blocks = leaf->blocks;
        if (!table_grow(fs, &blocks, leaf->capacity, size, sizeof *leaf->blocks)) {
            return NULL;
        }
        leaf->blocks = blocks;
        leaf->capacity = (uint32_t)size;
    }
    *its_leaf = leaf;
    return &leaf->blocks[block];
}

/* The block of `offset`, made if need be, zeroed unless it is about to be overwritten `whole`. NULL: memory ended. */
static unsigned char *block_make(struct fs *fs, struct fs_node *node, uint64_t offset, bool whole)
{
    struct file_leaf *leaf = NULL;
    unsigned char **place = block_place(fs, &node->u.file, offset, &leaf);
    if (place == NULL) {
        return NULL;
    }
    if (*place == NULL) {
        if (!fs_charge(fs, FS_BLOCK_BYTES)) {
            return NULL;
        }
        unsigned char *block = whole ? malloc(FS_BLOCK_BYTES) : calloc(1, FS_BLOCK_BYTES);
        if (block == NULL) {
            fs_refund(fs, FS_BLOCK_BYTES);
            return NULL;
        }
        *place = block;
        leaf->count++;
        node->attr.used_bytes += FS_BLOCK_BYTES;
    }
    return *place;
}

static size_t span_in_block(uint64_t offset, size_t count)
{
    size_t left = FS_BLOCK_BYTES - (size_t)(offset % FS_BLOCK_BYTES);
    return count < left ? count : left;
}

void file_read(const struct fs_node *node, uint64_t offset, size_t count, unsigned char *bytes)
{
    while (count > 0) {
        size_t span = span_in_block(offset, count);
        const unsigned char *block = block_at(&node->u.file, offset);
        if (block != NULL) {
            memcpy(bytes, block + offset % FS_BLOCK_BYTES, span);
        } else {
            memset(bytes, 0, span);
        }
        bytes += span;
        offset += span;
        count -= span;
    }
}

size_t file_write(struct fs *fs, struct fs_node *node, uint64_t offset, size_t count, const unsigned char *bytes)
{
    size_t done = 0;
    while (done < count) {
        size_t span = span_in_block(offset, count - done);
        unsigned char *block = block_make(fs, node, offset, span == FS_BLOCK_BYTES);
        if (block == NULL) {
            break;
        }
        memcpy(block + offset % FS_BLOCK_BYTES, bytes + done, span);
        done += span;
        offset += span;
    }
    return done;
}

/* Free a leaf's blocks from number `first` on, and its table with the last of them. */
static void leaf_cut(struct fs *fs, struct fs_node *node, struct file_leaf *leaf, size_t first)
{
    uint32_t freed = 0;
    for (size_t i = first; i < leaf->capacity; i++) {
        if (leaf->blocks[i] != NULL) {
            free(leaf->blocks[i]);
            leaf->blocks[i] = NULL;
            freed++;
        }
    }
    leaf->count -= freed;
    node->attr.used_bytes -= (uint64_t)freed * FS_BLOCK_BYTES;
    fs_refund(fs, (uint64_t)freed * FS_BLOCK_BYTES);
    if (leaf->count == 0) {
        fs_refund(fs, leaf->capacity * sizeof *leaf->blocks);
        free(leaf->blocks);
        *leaf = (struct file_leaf){NULL, 0, 0};
    }
}

void file_cut(struct fs *fs, struct fs_node *node, uint64_t size_bytes)
{
    struct file_data *file = &node->u.file;
    size_t in_block = (size_t)(size_bytes % FS_BLOCK_BYTES);
    if (in_block > 0) {
        struct file_leaf *leaf = NULL;
        if (block_at(file, size_bytes) != NULL) {
            unsigned char *block = *block_place(fs, file, size_bytes, &leaf);
            memset(block + in_block, 0, FS_BLOCK_BYTES - in_block);
        }
    }
    uint64_t kept_blocks = size_bytes / FS_BLOCK_BYTES + (in_block > 0);
    size_t first_leaf = (size_t)(kept_blocks / LEAF_BLOCKS);
    size_t first_block = (size_t)(kept_blocks % LEAF_BLOCKS);
    for (size_t i = first_leaf; i < file->capacity; i++) {
        leaf_cut(fs, node, &file->leaves[i], i == first_leaf ? first_block : 0);
    }
    if (size_bytes == 0) {
        fs_refund(fs, file->capacity * sizeof *file->leaves);
        free(file->leaves);
        *file = (struct file_data){NULL, 0};
    }
}
