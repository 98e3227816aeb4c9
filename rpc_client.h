/*
 * rpc_client.h - one call at a time, for set-up: MOUNT, the port mapper, and single NFS calls. Never in the load path.
 */
#ifndef RPC_CLIENT_H
#define RPC_CLIENT_H

#include "rpc_xprt.h"

/* Reads results where they lie; false: they do not decode. */
typedef bool rpc_reader(struct wire_in *results, void *context);

/*
 * Submits `call` (begun and encoded; NULL counts as out of memory) and waits for its end. True when it was accepted and
 * `reader` took its results; otherwise a line that says what happened, without naming the peer.
 */
bool rpc_ask(struct rpc_xprt *xprt, struct rpc_call *call, rpc_reader *reader, void *context, const struct watch *watch,
             struct problem *problem);

/* Why a call that ended without results did so, in words. */
void rpc_call_failure(const struct rpc_xprt *xprt, const struct rpc_call *call, char *text, size_t size);

/*
 * An NFS call to its result. False when there is none or the status is not OK, and then the line says so ("LOOKUP:
 * NFS3ERR_ACCES"); `result->status` tells the two apart (0 when there was no result).
 */
bool nfs_ask(struct rpc_xprt *xprt, unsigned op, xdrproc_t encode, void *arguments, struct nfs_result *result,
             const struct watch *watch, struct problem *problem);

/* The second half of nfs_ask: submits a call that the caller has begun and encoded (NULL: out of memory). */
bool nfs_finish(struct rpc_xprt *xprt, struct rpc_call *call, unsigned op, struct nfs_result *result,
                const struct watch *watch, struct problem *problem);

#endif
