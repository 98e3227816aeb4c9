/* mix_file.h - mix files: which table of a listing is taken, and the mix that it makes. Pure: files come as text. */
#ifndef MIX_FILE_H
#define MIX_FILE_H

#include "mix.h"
#include "mix_translate.h"

enum { MIX_MOUNT_BYTES = 1024, MIX_SELECTOR_BYTES = MIX_MOUNT_BYTES + 16, MIX_NOTE_BYTES = 2048 };

/* Which table of a listing is wanted: "server:v3" behind a file's name. */
struct mix_wanted {
    enum side side;              /* SIDE_UNKNOWN: any */
    unsigned version;            /* 0: any */
    char mount[MIX_MOUNT_BYTES]; /* the mount point of a table of mountstats; empty: any */
    unsigned preferred_version;  /* taken if there is one with calls, whatever else there is; 0: the largest */
    bool ignore_unknown;         /* ops that are not known are left out, instead of being an error */
};

/*
 * Reads "server" or "client" and "v2" to "v4" (or 2 to 4), in any order, and last a path, with colons between; each may
 * be missing. False when it is something else; *wanted is unchanged then.
 */
bool mix_wanted_parse(const char *text, struct mix_wanted *wanted);

/* Where a mix file's mix comes from. */
struct mix_origin {
    char file[MIX_MOUNT_BYTES]; /* empty: a built-in mix */
    enum side side;
    char table[128]; /* "Server nfs v3"; empty: lines of `op percent` */
    struct dialect dialect;
    uint64_t calls;              /* behind the percentages; 0 for lines of `op percent` */
    double share[COUNTER_COUNT]; /* what the file says, in percent of all its known ops */
    double known_percent;        /* 100, less what was left out as unknown */
    /* What the user should be told, a line each; empty when there is nothing to tell. */
    char choice[MIX_NOTE_BYTES];      /* which table was taken of several */
    char translation[MIX_NOTE_BYTES]; /* what became of NFSv2's or NFSv4's */
    char unknown[MIX_NOTE_BYTES];     /* which ops were left out */
    char wrapped[MIX_NOTE_BYTES];     /* which counters wrapped around (mix_between) */
};

/*
 * Reads a mix from `length` bytes of text, which need not end in a zero:
 * - `op percent` a line, `#` starts a comment; the sum must be 100 +- 0.5, and is then scaled to exactly 100. A line
 *   `server v4` or `client v4` before them says whose ops they are (`client v3 v4`: of a listing that counts both
 *   versions together; `client v4 operations`: of a client that counts operations, as servers do); otherwise names that
 *   only NFSv4 has make them a v4 client's calls.
 * - a listing as in nfsstat.h. Of several tables that are wanted the largest is taken: by the number of its requests,
 *   the carriers of NFSv4 left aside. Percentages come from the counts.
 * What is not NFSv3 is translated (mix_translate.h). `file` names it in messages. False and a line with file and line
 * number when it is neither, is cut off, or has no calls.
 */
bool mix_parse(const char *text, size_t length, const char *file, const struct mix_wanted *wanted, struct mix *mix,
               struct mix_origin *origin, struct problem *problem);

/*
 * The mix of what happened between two listings of the same server or client, from the differences of their counters. A
 * counter that shrank by more than half of 2^32 from below 2^32 has wrapped around, as those of Linux's client do,
 * unless another counter of its table is beyond 2^32; any other that shrank means a restart, which is an error. Tables
 * that only one of the two has are not taken.
 */
bool mix_between(const char *before, size_t before_length, const char *before_file, const char *after,
                 size_t after_length, const char *after_file, const struct mix_wanted *wanted, struct mix *mix,
                 struct mix_origin *origin, struct problem *problem);

/* The table that is wanted of a listing, as mix_parse and mix_between take it. */
bool mix_choose(const struct nfsstat *stat, const char *file, const struct mix_wanted *wanted, struct mix *mix,
                struct mix_origin *origin, struct problem *problem);

/* "Server nfs v2, Server nfs v3": the titles of all tables, as many as fit; "none". */
void mix_list_titles(const struct nfsstat *stat, char *list, size_t size);

/* From the shares of an origin to the mix, with the note on translation. */
bool mix_from_shares(const char *file, struct mix_origin *origin, struct mix *mix, struct problem *problem);

/* Whether the text is in the simple form, and reads it. */
bool mix_is_simple(const char *text, size_t length);
bool mix_parse_simple(const char *text, size_t length, const char *file, const struct mix_wanted *wanted,
                      struct mix *mix, struct mix_origin *origin, struct problem *problem);

#endif
