/*
 * rpc_batch.h - set-up work on many items with many calls outstanding: each item goes through its own small sequence of
 * NFS calls, and a window of items is under way at once.
 */
#ifndef RPC_BATCH_H
#define RPC_BATCH_H

#include "nfs_prot.h"
#include "rpc_client.h"

enum { BATCH_WINDOW = 64, BATCH_JUKEBOX_TRIES = 10 };

struct batch;

/* What a step is told of the call that ended. */
struct batch_end {
    uint64_t item;
    int op; /* -1: none yet, the item starts */
    uint64_t detail;
    const struct nfs_result *result; /* status is set; NULL at the start */
};

/* The next step of an item: at most one batch_call(). An item without one is done. */
typedef void batch_step(void *context, struct batch *batch, const struct batch_end *end);

struct batch_call_state {
    uint64_t item;
    uint64_t detail;
    unsigned op;
    unsigned tries;
};

struct batch {
    struct rpc_xprt *xprt;
    const struct watch *watch;
    batch_step *step;
    void *context;
    void (*progress)(void *context, uint64_t done, uint64_t items); /* may be NULL */
    void *progress_context;
    uint64_t items;
    uint64_t started;
    bool failed;
    struct problem problem;
    struct batch_call_state calls[XPRT_MAX_WINDOW];
};

/*
 * Runs items 0 to items - 1 through `step`. False and a line when a step failed, a call got no result, or the watch
 * stopped it. NFS3ERR_JUKEBOX (RFC 1813: try again later) is tried again with growing pauses before a step sees it.
 */
bool batch_run(struct batch *batch, uint64_t items, unsigned window, struct problem *problem);

/* In a step: the item's next call. */
void batch_call(struct batch *batch, const struct batch_end *of, unsigned op, xdrproc_t encode, void *arguments,
                uint64_t detail, const void *payload, size_t payload_bytes);

/* In a step: ends the whole batch. */
void batch_fail(struct batch *batch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A handle as the encoders want it. The handle must outlive its use. */
static inline struct nfs_fh3 handle_argument(const struct handle *handle)
{
    return (struct nfs_fh3){.data = {handle->length, (char *)(uintptr_t)handle->bytes}};
}

static inline struct diropargs3 name_argument(const struct handle *dir, const char *name)
{
    return (struct diropargs3){.dir = handle_argument(dir), .name = (char *)(uintptr_t)name};
}

/* Attributes of something new: its mode; the rest is the server's choice. */
struct sattr3 mode_argument(unsigned mode);

#endif
