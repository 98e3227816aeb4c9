/*
 * rpc_scratch.h - a child's own corner on the server: the names that its create, remove, rename, ... calls work on.
 *
 * Kept as two stocks of names that exist: removable objects (files, links, nodes) and directories. A call that makes a
 * name puts it into a stock when it has succeeded; one that removes takes a name out when it is submitted, so calls
 * outstanding at once never meet on one name.
 */
#ifndef RPC_SCRATCH_H
#define RPC_SCRATCH_H

#include "engine.h"
#include "rpc_client.h"

enum { SCRATCH_NAME_BYTES = 24, SCRATCH_LINKS_PER_ANCHOR = 1000, SCRATCH_MAX_ANCHORS = 1024 };

/* First in, first out; grows as needed. */
struct stock {
    uint64_t *names;
    size_t room; /* a power of two, or 0 */
    size_t first;
    size_t count;
};

struct scratch {
    bool made;
    const char *name;
    struct handle dir;
    uint64_t next_name;
    struct stock files;
    struct stock dirs;
    size_t anchors; /* files whose handles LINK uses: several, as file systems limit the links to one */
    struct handle *anchor;
    uint64_t next_anchor;
};

/* The name of number `number`, with prefix 'f' (removable object), 'd' (directory) or 'a' (anchor). */
void scratch_name(char prefix, uint64_t number, char *name);

/* False when there is no memory for it. */
bool stock_put(struct stock *stock, uint64_t number);
uint64_t stock_take(struct stock *stock); /* it must not be empty */

/*
 * How many names a stretch of load needs at its start: what it removes beyond what it makes, and a reserve for calls
 * outstanding and for the order in which ops happen to come.
 */
uint64_t stock_needed(double removed, double made, unsigned outstanding);

/* Makes the directory on first use, then fills or trims both stocks to what the load needs. */
bool scratch_prepare(struct scratch *scratch, struct rpc_xprt *xprt, const struct handle *top,
                     const struct engine_need *need, const struct watch *watch, struct problem *problem);

void scratch_free(struct scratch *scratch);

#endif
