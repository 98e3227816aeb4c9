#include "rpc_clean.h"

#include "fileset.h"
#include "rpc_batch.h"
#include "rpc_fileset.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_NAMES = 2048, MAX_PAGES = 10000, MAX_PASSES = 5, NAME_BYTES = 128, READDIR_BYTES = 32768 };

/* Which directory of ours we are in: it decides what may be in it. */
enum place { IN_TOP, IN_LAW, IN_SET_DIR, IN_SCRATCH, IN_SCRATCH_DIR };

struct names {
    size_t count;
    char name[PAGE_NAMES][NAME_BYTES];
    bool is_dir[PAGE_NAMES];
};

struct cleaning {
    struct rpc_xprt *xprt;
    const struct watch *watch;
    struct clean_report *report;
    /* the directory at hand */
    enum place place;
    const struct handle *dir;
    struct names *names;
    uint64_t removed_here;
};

static bool digits(const char *text, const char *allowed)
{
    return text[0] != '\0' && strspn(text, allowed) == strlen(text);
}

/* The place that a directory of this name would be, -1 if it is none of ours. */
static int place_of_dir(enum place place, const char *name)
{
    static const char decimal[] = "0123456789";
    static const char hexadecimal[] = "0123456789abcdef";
    switch (place) {
    case IN_TOP:
        if (strncmp(name, "run-", 4) == 0) {
            return IN_SCRATCH;
        }
        return strcmp(name, "sfs") == 0 || (strncmp(name, "size-", 5) == 0 && digits(name + 5, decimal)) ? IN_LAW : -1;
    case IN_LAW:
        return name[0] == 'd' && digits(name + 1, decimal) ? IN_SET_DIR : -1;
    case IN_SCRATCH:
        return name[0] == 'd' && digits(name + 1, hexadecimal) ? IN_SCRATCH_DIR : -1;
    case IN_SET_DIR:
    case IN_SCRATCH_DIR:
        break;
    }
    return -1;
}

static bool is_our_file(enum place place, const char *name, uint32_t type)
{
    switch (place) {
    case IN_TOP:
        return false; /* the marker goes last */
    case IN_SET_DIR:
        return ((name[0] == 'f' && type == NF3REG) || (name[0] == 'l' && type == NF3LNK)) &&
               digits(name + 1, "0123456789");
    case IN_SCRATCH:
        return (name[0] == 'f' || name[0] == 'a') && type != NF3DIR && digits(name + 1, "0123456789abcdef");
    case IN_LAW:
    case IN_SCRATCH_DIR:
        break;
    }
    return false;
}

static void note_foreign(struct cleaning *cleaning, const char *name)
{
    if (cleaning->report->foreign++ == 0) {
        snprintf(cleaning->report->first_foreign, sizeof cleaning->report->first_foreign, "%.79s", name);
    }
}

/* Looks at each name's type, then removes it, or notes it as a directory to go into, or as not ours. */
static void step(void *context, struct batch *batch, const struct batch_end *end)
{
    struct cleaning *cleaning = context;
    char *name = cleaning->names->name[end->item];
    struct diropargs3 where = name_argument(cleaning->dir, name);
    if (end->op < 0) {
        batch_call(batch, end, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, 0, NULL, 0);
        return;
    }
    if (end->result->status == NFS3ERR_NOENT) {
        return; /* gone already */
    }
    if (end->result->status != 0) {
        char text[32];
        batch_fail(batch, "%s of %s: %s", op_name((unsigned)end->op), name,
                   nfs_status_name(end->result->status, text, sizeof text));
    } else if (end->op == OP_REMOVE) {
        cleaning->report->removed++;
        cleaning->removed_here++;
    } else if (end->result->has_attributes && end->result->type == NF3DIR && place_of_dir(cleaning->place, name) >= 0) {
        cleaning->names->is_dir[end->item] = true;
    } else if (end->result->has_attributes && is_our_file(cleaning->place, name, end->result->type)) {
        batch_call(batch, end, OP_REMOVE, (xdrproc_t)xdr_diropargs3, &where, 0, NULL, 0);
    } else {
        note_foreign(cleaning, name);
    }
}

/* Reads up to PAGE_NAMES names, going on at *cookie. */
static bool read_names(struct cleaning *cleaning, uint64_t *cookie, unsigned char verifier[8], bool *eof,
                       struct problem *problem)
{
    struct names *names = cleaning->names;
    names->count = 0;
    *eof = false;
    for (unsigned page = 0; page < MAX_PAGES && !*eof; page++) {
        struct READDIR3args arguments = {
            .dir = handle_argument(cleaning->dir), .cookie = *cookie, .count = READDIR_BYTES};
        struct nfs_result result;
        struct dir_entry entry;
        memcpy(arguments.cookieverf, verifier, 8);
        if (!nfs_ask(cleaning->xprt, OP_READDIR, (xdrproc_t)xdr_READDIR3args, &arguments, &result, cleaning->watch,
                     problem)) {
            return false;
        }
        memcpy(verifier, result.cookieverf, 8);
        while (names->count < PAGE_NAMES && dir_entry_next(&result.entries, false, &entry)) {
            bool dot = entry.name_bytes <= 2 && memcmp(entry.name, "..", entry.name_bytes) == 0;
            *cookie = entry.cookie;
            if (dot) {
                continue;
            }
            char *name = names->name[names->count];
            snprintf(name, NAME_BYTES, "%.*s", (int)entry.name_bytes, entry.name);
            if (entry.name_bytes >= NAME_BYTES || memchr(entry.name, '\0', entry.name_bytes) != NULL) {
                note_foreign(cleaning, name);
                continue;
            }
            if (cleaning->place == IN_TOP && strcmp(name, FILESET_MARKER) == 0) {
                continue;
            }
            names->is_dir[names->count] = false;
            names->count++;
        }
        if (names->count == PAGE_NAMES) {
            return true;
        }
        *eof = result.eof;
        if (result.count == 0 && !result.eof) {
            return problem_set(problem, "READDIR: the server sends empty pages");
        }
    }
    if (!*eof) {
        return problem_set(problem, "READDIR: the server's directory never ends");
    }
    return true;
}

static bool clean_contents(struct cleaning *outer, enum place place, const struct handle *dir, struct problem *problem);

enum removal { REMOVAL_DONE, REMOVAL_NOT_EMPTY, REMOVAL_FAILED };

static enum removal remove_dir(struct cleaning *cleaning, const struct handle *dir, const char *name,
                               struct problem *problem)
{
    struct diropargs3 where = name_argument(dir, name);
    struct nfs_result result;
    struct problem detail;
    if (nfs_ask(cleaning->xprt, OP_RMDIR, (xdrproc_t)xdr_diropargs3, &where, &result, cleaning->watch, &detail)) {
        cleaning->report->removed++;
        cleaning->removed_here++;
        return REMOVAL_DONE;
    }
    if (result.status == NFS3ERR_NOENT) {
        return REMOVAL_DONE;
    }
    problem_set(problem, "%s: %s", name, detail.text);
    return result.status == NFS3ERR_NOTEMPTY || result.status == NFS3ERR_EXIST ? REMOVAL_NOT_EMPTY : REMOVAL_FAILED;
}

static bool clean_dir(struct cleaning *cleaning, enum place place, const struct handle *parent, const char *name,
                      struct problem *problem)
{
    struct diropargs3 where = name_argument(parent, name);
    struct nfs_result result;
    if (!nfs_ask(cleaning->xprt, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, &result, cleaning->watch, problem)) {
        return result.status == NFS3ERR_NOENT;
    }
    if (!result.has_attributes || result.type != NF3DIR) {
        note_foreign(cleaning, name);
        return true;
    }
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        uint64_t foreign_before = cleaning->report->foreign;
        if (!clean_contents(cleaning, place, &result.handle, problem)) {
            return false;
        }
        if (cleaning->report->foreign > foreign_before) {
            return true; /* what is not ours stays, and so does this */
        }
        switch (remove_dir(cleaning, parent, name, problem)) {
        case REMOVAL_DONE:
            return true;
        case REMOVAL_FAILED:
            return false;
        case REMOVAL_NOT_EMPTY:
            break; /* someone adds to it */
        }
    }
    return problem_set(problem, "%s fills up again while it is emptied: is another run at work there?", name);
}

/* The names at hand: first all but directories at once, then one directory after the other (at most four deep). */
static bool clean_names(struct cleaning *cleaning, struct batch *batch, struct problem *problem)
{
    if (!batch_run(batch, cleaning->names->count, BATCH_WINDOW, problem)) {
        return false;
    }
    for (size_t i = 0; i < cleaning->names->count; i++) {
        const char *name = cleaning->names->name[i];
        if (cleaning->names->is_dir[i] &&
            !clean_dir(cleaning, (enum place)place_of_dir(cleaning->place, name), cleaning->dir, name, problem)) {
            return false;
        }
    }
    return true;
}

/* Passes over the directory until one removes nothing more: a server's cookies need not survive removals. */
static bool clean_contents(struct cleaning *outer, enum place place, const struct handle *dir, struct problem *problem)
{
    struct cleaning cleaning = *outer;
    struct names *names = malloc(sizeof *names);
    struct batch *batch = calloc(1, sizeof *batch);
    bool good = names != NULL && batch != NULL;
    if (!good) {
        problem_set(problem, "out of memory");
    } else {
        *batch = (struct batch){.xprt = outer->xprt, .watch = outer->watch, .step = step, .context = &cleaning};
    }
    cleaning.place = place;
    cleaning.dir = dir;
    cleaning.names = names;
    do {
        uint64_t cookie = 0;
        unsigned char verifier[8] = {0};
        bool eof = false;
        uint64_t foreign_before = cleaning.report->foreign;
        cleaning.removed_here = 0;
        while (good && !eof && cleaning.removed_here == 0) {
            good = read_names(&cleaning, &cookie, verifier, &eof, problem) && clean_names(&cleaning, batch, problem);
        }
        if (cleaning.removed_here > 0) {
            cleaning.report->foreign = foreign_before; /* they will be met again */
        }
    } while (good && cleaning.removed_here > 0);
    free(names);
    free(batch);
    return good;
}

bool clean_scratch(struct rpc_xprt *xprt, const struct handle *top, const char *name, const struct watch *watch,
                   struct clean_report *report, struct problem *problem)
{
    struct cleaning cleaning = {.xprt = xprt, .watch = watch, .report = report, .place = IN_TOP, .dir = top};
    return clean_dir(&cleaning, IN_SCRATCH, top, name, problem);
}

static bool remove_marker(struct cleaning *cleaning, const struct handle *top, struct problem *problem)
{
    struct diropargs3 where = name_argument(top, FILESET_MARKER);
    struct nfs_result result;
    if (!nfs_ask(cleaning->xprt, OP_REMOVE, (xdrproc_t)xdr_diropargs3, &where, &result, cleaning->watch, problem)) {
        return false;
    }
    cleaning->report->removed++;
    return true;
}

bool clean_target(struct rpc_xprt *xprt, const struct handle *root, const struct watch *watch,
                  struct clean_report *report, struct problem *problem)
{
    struct cleaning cleaning = {.xprt = xprt, .watch = watch, .report = report};
    struct handle top;
    bool found = false;
    if (!fileset_find_top(xprt, root, watch, &found, &top, problem)) {
        return false;
    }
    if (!found) {
        return true;
    }
    if (!clean_contents(&cleaning, IN_TOP, &top, problem)) {
        return false;
    }
    /* With foreign things inside, the marker stays, so that the rest is still known as ours. */
    if (report->foreign > 0) {
        return true;
    }
    if (!remove_marker(&cleaning, &top, problem)) {
        return false;
    }
    if (remove_dir(&cleaning, root, FILESET_TOP, problem) == REMOVAL_DONE) {
        return true;
    }
    struct problem ignored;
    fileset_make_marker(xprt, &top, watch, &ignored); /* it is still ours */
    return problem_set(problem, FILESET_TOP " fills up again while it is emptied: is another run at work there?");
}
