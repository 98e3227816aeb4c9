/* rpc_nfs.h - the engine that sends NFSv3 calls straight to a server: no mount, no client cache, no privilege. */
#ifndef RPC_NFS_H
#define RPC_NFS_H

#include "engine.h"
#include "rpc_fileset.h"
#include "rpc_server.h"

/* Does this mix need the file set? Does it change names, so that it needs a scratch directory? */
bool rpc_nfs_needs_files(const struct mix *mix);
bool rpc_nfs_needs_scratch(const struct mix *mix);

/* RFC 1813 section 3.3.7: stable_how. */
enum stable { STABLE_UNSTABLE, STABLE_DATA, STABLE_FILE };

struct rpc_nfs_setup {
    const struct nfs_server *server;
    const struct call_options *options;
    const struct file_table *table; /* NULL: the mix needs no files */
    enum stable stable;
    const char *scratch_name; /* of this child's directory; used if the mix needs one */
    uint64_t seed;
    uint64_t proc; /* the child's number: its random stream */
    const struct watch *watch;
    struct counters *counters; /* files_touched and bytes_touched are counted here as calls are submitted */
};

/* The longest that an op can take before it has failed: every try of it answered NFS3ERR_JUKEBOX at the last moment. */
int64_t rpc_nfs_longest_op_ns(const struct rpc_config *config);

/* Connects. NULL and a line when that fails. The setup's pointers must outlive the engine. */
struct engine *rpc_nfs_open(const struct rpc_nfs_setup *setup, struct problem *problem);

#endif
