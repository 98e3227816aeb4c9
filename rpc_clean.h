/*
 * rpc_clean.h - removing what this program made, and only that.
 *
 * Inside our own marked directory, an object is ours when its name and its type are ones that we give. Anything else is
 * left alone, and so are the directories that hold it.
 */
#ifndef RPC_CLEAN_H
#define RPC_CLEAN_H

#include "rpc_client.h"

struct clean_report {
    uint64_t removed;
    uint64_t foreign;
    char first_foreign[80]; /* the name of one of them */
};

/* Removes all that is ours below `root`: nhfsstone.d and its contents. True also when there is nothing. */
bool clean_target(struct rpc_xprt *xprt, const struct handle *root, const struct watch *watch,
                  struct clean_report *report, struct problem *problem);

/* Removes one scratch directory `name` (run-...) of our directory `top` with its contents. */
bool clean_scratch(struct rpc_xprt *xprt, const struct handle *top, const char *name, const struct watch *watch,
                   struct clean_report *report, struct problem *problem);

#endif
