/*
 * fileset.h - the files that a run works on: their names and sizes, and which one a call uses. Pure.
 *
 * One set a target, shared by all children. Everything here follows from the plan and an index, never from the number
 * of children. Below the target:
 *
 *   nhfsstone.d/.nhfsstone            marker: this directory is ours
 *   nhfsstone.d/LAW/d000000/f00000000 the set: files, 100 in a directory, symbolic links l..., one for each 20 files
 *   nhfsstone.d/run-HOST-PID-N/       scratch of child N of one run: what its create, remove, ... calls work on
 *
 * LAW is "sfs" or "size-BYTES": sets of different sizes of file live side by side, and a larger set of the same law
 * contains the smaller one.
 */
#ifndef FILESET_H
#define FILESET_H

#include "random.h"

#include <stddef.h>
#include <stdint.h>

enum {
    FILESET_FILES_PER_DIR = 100,
    FILESET_LINKS_PER_DIR = 5,
    FILESET_NAME_SIZE = 32,
    FILESET_MAX_FILES = 10000000,
    FILESET_SFS_MEAN_BYTES = 27351, /* of the law below: 26.71 KiB */
};

#define FILESET_TOP    "nhfsstone.d"
#define FILESET_MARKER ".nhfsstone"

struct fileset {
    uint64_t files;
    uint64_t file_bytes; /* size of each; 0: the SFS law */
    uint64_t dirs;
    uint64_t links;
    uint64_t hot;    /* how many files are hot: at least 1 */
    uint64_t stride; /* spreads the hot files over the set: coprime to `files` */
};

/* A set of `files` (1 to FILESET_MAX_FILES) files of file_bytes each, 0 for the SFS law. */
struct fileset fileset_plan(uint64_t files, uint64_t file_bytes);

/*
 * Size of file `index` in bytes. The SFS law gives, in every run of 100 files, KiB: count
 * 1:33 2:21 4:13 8:10 16:8 32:5 64:4 128:3 256:2 1024:1 (the file sizes of SFS 3.0).
 */
uint64_t fileset_bytes(const struct fileset *set, uint64_t index);

/* Bytes of all files. */
uint64_t fileset_total_bytes(const struct fileset *set);

/* Names, without their directory, into name[FILESET_NAME_SIZE]. */
void fileset_law_name(const struct fileset *set, char *name);
void fileset_dir_name(uint64_t dir, char *name);
void fileset_file_name(uint64_t index, char *name);
void fileset_link_name(uint64_t index, char *name);

/* The directory that holds a file or a link. */
uint64_t fileset_dir_of_file(uint64_t index);
uint64_t fileset_dir_of_link(uint64_t index);

/*
 * The file that a call uses: FILESET_HOT_CALLS percent of the calls go to a hot FILESET_HOT_FILES percent of the files,
 * the rest to the rest; within both all files are equally likely, so no single file carries the load. The hot files are
 * spread over the set and have the same sizes as the others.
 */
enum { FILESET_HOT_FILES = 20, FILESET_HOT_CALLS = 80 };
uint64_t fileset_pick(const struct fileset *set, struct rng *rng);

#endif
