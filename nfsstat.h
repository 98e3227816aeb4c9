/*
 * nfsstat.h - tables of NFS calls as servers and clients print them. Pure: the listing comes as text.
 *
 * Taken as they stand, alone or several in one text, with prompts, banners and other statistics around them:
 * - nfsstat of SunOS, Solaris and illumos, AIX, HP-UX, IRIX, Linux, the BSDs and macOS, server and client part, rows of
 *   any number of columns, with `count percent%` or counts alone. Percentages are not used: they are truncated.
 * - Linux's `nfsstat -l`, /proc/net/rpc/nfs and nfsd, /proc/self/mountstats.
 * Every table must be whole: it has all the ops that its version has in any such listing, or adds up to the total that
 * it states. A table that does not, or that holds something which is no count, is kept as a broken one, with the
 * reason.
 */
#ifndef NFSSTAT_H
#define NFSSTAT_H

#include "counters.h"
#include "text.h"
#include "units.h"

enum side { SIDE_UNKNOWN, SIDE_SERVER, SIDE_CLIENT };

enum table_kind {
    TABLE_CALLS,      /* a count is a call: NFSv2, NFSv3, and what a v4 client counts */
    TABLE_OPERATIONS, /* operations inside NFSv4's COMPOUND calls: what a v4 server counts */
    TABLE_COMPOUNDS,  /* NFSv4's two procedures, null and compound: says nothing about the mix */
    TABLE_ACL,        /* of the NFS_ACL program, which is not NFS */
};

struct nfsstat_table {
    enum side side;
    unsigned version; /* of NFS: 2, 3 or 4 */
    enum table_kind kind;
    char title[128];    /* "Server nfs v3": the same words for every kind of listing */
    struct slice mount; /* a table of mountstats: its mount point, a slice of the text; else empty */
    unsigned long line; /* where it begins */
    uint64_t age_s;     /* a table of mountstats: seconds since it was mounted */
    bool listed[COUNTER_COUNT];
    uint64_t count[COUNTER_COUNT];
    uint64_t total;   /* of all counts, unknown ops included */
    char unknown[64]; /* the names of ops that have calls and are not known here: as many as fit */
    unsigned long unknown_line;
    uint64_t unknown_calls;
    char wrapped[64]; /* of a table of differences (mix_between): names of counters that wrapped around, as many as fit
                       */
    bool broken;
    struct problem why; /* of a broken table: "file:line: ..." */
};

struct nfsstat {
    struct nfsstat_table *tables;
    size_t count;
    bool differences; /* what was counted between two listings (mix_between) */
};

/*
 * Reads all tables of `length` bytes of text, which may begin with a byte order mark; `file` names it in messages.
 * False with a line when the text cannot be a listing at all (zero bytes, too many tables) or there is no memory. A
 * text without any table gives none and is true. The tables' slices point into the text. To be freed with nfsstat_free,
 * also after a failure.
 */
bool nfsstat_parse(const char *text, size_t length, const char *file, struct nfsstat *stat, struct problem *problem);

void nfsstat_free(struct nfsstat *stat);

#endif
