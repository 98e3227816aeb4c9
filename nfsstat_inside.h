/* nfsstat_inside.h - what the files of the nfsstat reader share. Not for others. */
#ifndef NFSSTAT_INSIDE_H
#define NFSSTAT_INSIDE_H

#include "nfsstat.h"

enum { NFSSTAT_MAX_COLUMNS = 64, NFSSTAT_WORD_SHOWN = 40 };

/* How a table is written, which decides how it shows that it is whole. */
enum form { FORM_ROWS, FORM_LIST, FORM_PROC, FORM_MOUNTSTATS };

/* Where in the text the reader is. */
enum place {
    PLACE_START,      /* no title yet: only rows that cannot be anything else are a table */
    PLACE_OPS,        /* under a title of NFS calls */
    PLACE_OTHER,      /* under another title, or behind a table's end */
    PLACE_MOUNT,      /* in a mount's part of mountstats, before its ops */
    PLACE_MOUNT_OPS,  /* among its ops */
    PLACE_MOUNT_SKIP, /* in the part of a mount that is not NFS */
};

struct parser {
    struct text_reader reader;
    const char *file;
    struct nfsstat *stat;
    struct problem *problem;
    size_t room; /* tables allocated */
    enum place place;

    /* What the titles above have said. */
    enum side side;
    unsigned version; /* 0: not said */
    bool operations;
    bool acl;

    /* The table being read. */
    bool filling;
    enum form form;
    size_t columns;      /* numbers in each line of a mount's ops */
    bool percents;       /* its counts have percentages behind them */
    bool has_stated;     /* a total is stated in the text ... */
    uint64_t stated;     /* ... this one */
    enum side proc_side; /* of /proc/net/rpc/nfs or nfsd, by its rpc line */
    struct nfsstat_table table;
};

/* Begins a table at the line read last, of what the titles said; one that was being read must have been finished. */
void nfsstat_begin(struct parser *parser, enum form form);

/* Finishes the table being read, if any: whole or broken, it is kept. False: no memory, or too many tables. */
bool nfsstat_finish(struct parser *parser);

/* Whether the table being read has all the ops that its version has in any listing. */
bool nfsstat_is_whole(const struct parser *parser);

/*
 * The table being read ends without another title behind it. Where v3 and v4 are listed together, how many ops there
 * are depends on the system's version and options, but other counters always follow: then it is cut off.
 */
void nfsstat_end_without_title(struct parser *parser);

/* Marks the table being read as broken, for the first reason that is found; the message gets file and line in front. */
void nfsstat_break(struct parser *parser, unsigned long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line of a mail or of a table on a web page without the marks before it (`>`, `|`). */
struct slice nfsstat_unquoted(struct slice line);

/* Adds a count to the table being read, of a counter or, with -1, of an op by a name that is not known. */
void nfsstat_add(struct parser *parser, int counter, struct slice name, uint64_t count);

/* Reads a count; when it is none the table is broken, and the message says what was expected. */
bool nfsstat_count(struct parser *parser, struct slice word, struct slice name, uint64_t *count);

/* Rows of op names and, below each, of counts: from the row of names just read on. False as nfsstat_finish. */
bool nfsstat_rows(struct parser *parser, const struct slice *words, size_t count);

/*
 * Under a title of other statistics, or behind a table: a row of many ops with counts below is a table that has lost
 * its title, which is kept as a broken one. False as nfsstat_finish.
 */
bool nfsstat_lost_rows(struct parser *parser, const struct slice *words, size_t count);

/* "nfs v3 client  getattr:  463364" (nfsstat -l). Whether the line was one. */
bool nfsstat_list_line(struct parser *parser, const struct slice *words, size_t count, bool *good);

/* "proc3 22 0 1061909262 ..." and "rpc ..." (/proc/net/rpc). Whether the line was one. */
bool nfsstat_proc_line(struct parser *parser, struct slice line, bool *good);

/* "device ... mounted on ... with fstype nfs4 statvers=1.1" begins a mount. Whether the line was one. */
bool nfsstat_device_line(struct parser *parser, struct slice line, bool *good);

/* A line in a mount's part of mountstats. False as nfsstat_finish. */
bool nfsstat_mount_line(struct parser *parser, struct slice line);

#endif
