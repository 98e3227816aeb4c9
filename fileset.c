#include "fileset.h"

#include <stdio.h>

static const struct {
    unsigned count; /* of 100 files */
    uint64_t kib;
} sfs_law[] = {{33, 1}, {21, 2}, {13, 4}, {10, 8}, {8, 16}, {5, 32}, {4, 64}, {3, 128}, {2, 256}, {1, 1024}};

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct fileset fileset_plan(uint64_t files, uint64_t file_bytes)
{
    struct fileset set = {.files = files, .file_bytes = file_bytes};
    set.dirs = (files + FILESET_FILES_PER_DIR - 1) / FILESET_FILES_PER_DIR;
    set.links = set.dirs * FILESET_LINKS_PER_DIR;
    set.hot = files * FILESET_HOT_FILES / 100 > 0 ? files * FILESET_HOT_FILES / 100 : 1;
    set.stride = (uint64_t)((double)files * 0.6180339887) | 1;
    while (greatest_common_divisor(set.stride, files) != 1) {
        set.stride++;
    }
    return set;
}

uint64_t fileset_bytes(const struct fileset *set, uint64_t index)
{
    if (set->file_bytes != 0) {
        return set->file_bytes;
    }
    /* 37 is coprime to 100: each hundred files gets every percentile once, the large ones not side by side. */
    unsigned percentile = (unsigned)(index * 37 % 100);
    size_t i = 0;
    while (percentile >= sfs_law[i].count) {
        percentile -= sfs_law[i].count;
        i++;
    }
    return sfs_law[i].kib * 1024;
}

uint64_t fileset_total_bytes(const struct fileset *set)
{
    uint64_t hundreds = 0;
    uint64_t rest = 0;
    for (uint64_t i = 0; i < 100; i++) {
        hundreds += fileset_bytes(set, i);
        rest += i < set->files % 100 ? fileset_bytes(set, i) : 0;
    }
    return set->files / 100 * hundreds + rest;
}

void fileset_law_name(const struct fileset *set, char *name)
{
    if (set->file_bytes == 0) {
        snprintf(name, FILESET_NAME_SIZE, "sfs");
    } else {
        snprintf(name, FILESET_NAME_SIZE, "size-%llu", (unsigned long long)set->file_bytes);
    }
}

void fileset_dir_name(uint64_t dir, char *name)
{
    snprintf(name, FILESET_NAME_SIZE, "d%06llu", (unsigned long long)dir);
}

void fileset_file_name(uint64_t index, char *name)
{
    snprintf(name, FILESET_NAME_SIZE, "f%08llu", (unsigned long long)index);
}

void fileset_link_name(uint64_t index, char *name)
{
    snprintf(name, FILESET_NAME_SIZE, "l%08llu", (unsigned long long)index);
}

uint64_t fileset_dir_of_file(uint64_t index)
{
    return index / FILESET_FILES_PER_DIR;
}

uint64_t fileset_dir_of_link(uint64_t index)
{
    return index / FILESET_LINKS_PER_DIR;
}

uint64_t fileset_pick(const struct fileset *set, struct rng *rng)
{
    uint64_t rank = 0;
    if (set->hot == set->files || rng_below(rng, 100) < FILESET_HOT_CALLS) {
        rank = rng_below(rng, set->hot);
    } else {
        rank = set->hot + rng_below(rng, set->files - set->hot);
    }
    return rank * set->stride % set->files;
}
