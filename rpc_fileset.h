/*
 * rpc_fileset.h - the file set on a server: made once, found again, never mixed up with what others made.
 */
#ifndef RPC_FILESET_H
#define RPC_FILESET_H

#include "fileset.h"
#include "rpc_client.h"

#include <stdatomic.h>

/* Bytes that WRITEs send: random, so that neither network nor server can compress them. */
enum { PATTERN_BYTES = 8 << 20 };

/* Where all of a target's files are: one shared mapping, written before the children are forked. */
struct file_table {
    struct fileset set;
    uint32_t block_bytes; /* of what counts as distinct data: the size of a READ or WRITE */
    struct handle top;    /* nhfsstone.d */
    struct handle *dirs;
    struct handle *files;
    struct handle *links;
    uint64_t *first_block;           /* of each file among all blocks of the set */
    _Atomic uint64_t *touched_files; /* bits: what the present point has used; set by all children */
    _Atomic uint64_t *touched_blocks;
    size_t touched_words;   /* of both together, which lie side by side */
    unsigned char *pattern; /* PATTERN_BYTES */
    size_t mapped_bytes;
};

/* Room for a plan's table, shared with the children to come. NULL when there is no memory for it. */
struct file_table *file_table_make(const struct fileset *set, uint32_t block_bytes, uint64_t seed);
void file_table_free(struct file_table *table);

/* Forgets what was touched; no child may be at work. */
void file_table_untouch(struct file_table *table);

/*
 * Up to 1 MiB of data for a write at `offset` of what `key` stands for: each key has its own run of random bytes, which
 * repeats after 7 MB at the earliest, and shares with others only at odd distances.
 */
const unsigned char *file_table_pattern(const struct file_table *table, uint64_t key, uint64_t offset);

/*
 * Sets a bit in touched_files or touched_blocks. True when it was not set before: just one child is told so.
 */
static inline bool touch(_Atomic uint64_t *bits, uint64_t index)
{
    uint64_t bit = UINT64_C(1) << (index & 63);
    /* Looked at first: once the set is warm, the line stays shared instead of moving from core to core. */
    if ((atomic_load_explicit(&bits[index >> 6], memory_order_relaxed) & bit) != 0) {
        return false;
    }
    return (atomic_fetch_or_explicit(&bits[index >> 6], bit, memory_order_relaxed) & bit) == 0;
}

struct fileset_work {
    struct rpc_xprt *xprt;
    const struct watch *watch;
    uint32_t write_bytes; /* at most, in one WRITE */
    void (*progress)(void *context, uint64_t done, uint64_t items);
    void *progress_context;
};

/*
 * Makes what is missing of the set below `root`, and fills in the table's handles. Refuses (false, a line) whatever it
 * did not make itself: a directory without our marker, an object of another type or a greater size, a symbolic link.
 */
bool fileset_make(const struct fileset_work *work, const struct handle *root, struct file_table *table,
                  struct problem *problem);

/* Makes our directory's marker; an empty one that is there already is filled in, any other is refused. */
bool fileset_make_marker(struct rpc_xprt *xprt, const struct handle *top, const struct watch *watch,
                         struct problem *problem);

/* Our directory below `root`, if it is there and carries our marker. *found tells; false and a line on trouble. */
bool fileset_find_top(struct rpc_xprt *xprt, const struct handle *root, const struct watch *watch, bool *found,
                      struct handle *top, struct problem *problem);

#endif
