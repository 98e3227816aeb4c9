/* The shared table of a file set: memory only. */
#include "rpc_fileset.h"

#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, PATTERN_TAIL = 1 << 20 };

static size_t take(size_t *used, size_t bytes)
{
    size_t at = *used;
    *used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static uint64_t blocks_of(const struct fileset *set, uint64_t index, uint32_t block_bytes)
{
    return (fileset_bytes(set, index) + block_bytes - 1) / block_bytes;
}

struct file_table *file_table_make(const struct fileset *set, uint32_t block_bytes, uint64_t seed)
{
    uint64_t blocks = 0;
    for (uint64_t i = 0; i < set->files; i++) {
        blocks += blocks_of(set, i, block_bytes);
    }
    size_t file_words = (size_t)set->files / 64 + 1;
    size_t block_words = (size_t)blocks / 64 + 1;
    size_t used = 0;
    take(&used, sizeof(struct file_table));
    size_t dirs = take(&used, (size_t)set->dirs * sizeof(struct handle));
    size_t files = take(&used, (size_t)set->files * sizeof(struct handle));
    size_t links = take(&used, (size_t)set->links * sizeof(struct handle));
    size_t first_block = take(&used, (size_t)set->files * sizeof(uint64_t));
    size_t bits = take(&used, (file_words + block_words) * sizeof(uint64_t));
    size_t pattern = take(&used, PATTERN_BYTES);
    unsigned char *base = mmap(NULL, used, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    struct file_table *table = (struct file_table *)(void *)base;
    *table = (struct file_table){
        .set = *set,
        .block_bytes = block_bytes,
        .dirs = (struct handle *)(void *)(base + dirs),
        .files = (struct handle *)(void *)(base + files),
        .links = (struct handle *)(void *)(base + links),
        .first_block = (uint64_t *)(void *)(base + first_block),
        .touched_files = (_Atomic uint64_t *)(void *)(base + bits),
        .touched_words = file_words + block_words,
        .pattern = base + pattern,
        .mapped_bytes = used,
    };
    table->touched_blocks = table->touched_files + file_words;
    blocks = 0;
    for (uint64_t i = 0; i < set->files; i++) {
        table->first_block[i] = blocks;
        blocks += blocks_of(set, i, block_bytes);
    }
    struct rng rng;
    rng_init(&rng, seed, UINT64_MAX);
    for (size_t i = 0; i < PATTERN_BYTES; i += sizeof(uint64_t)) {
        uint64_t value = rng_next(&rng);
        memcpy(table->pattern + i, &value, sizeof value);
    }
    return table;
}

void file_table_free(struct file_table *table)
{
    if (table != NULL) {
        munmap(table, table->mapped_bytes);
    }
}

void file_table_untouch(struct file_table *table)
{
    memset((void *)(uintptr_t)table->touched_files, 0, table->touched_words * sizeof(uint64_t));
}

const unsigned char *file_table_pattern(const struct file_table *table, uint64_t key, uint64_t offset)
{
    /* An odd number of eight bytes: no repetition falls on the same place of a block again, where it could be shared.
     */
    static const uint64_t span = (PATTERN_BYTES - PATTERN_TAIL) - 8;
    return table->pattern + (mix64(key) % (span / 8) * 8 + offset) % span;
}
