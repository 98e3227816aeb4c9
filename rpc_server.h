/*
 * rpc_server.h - finding an NFS server: address, ports (port mapper), export (MOUNT), root file handle, its limits.
 */
#ifndef RPC_SERVER_H
#define RPC_SERVER_H

#include "rpc_client.h"
#include "target.h"

/* How calls are made: the user's choices. */
struct call_options {
    bool tcp;
    uint16_t port;       /* of NFS; 0: ask the port mapper, else 2049 */
    uint16_t mount_port; /* 0: ask the port mapper */
    bool auth_sys;       /* else AUTH_NONE */
    bool reserved_port;
    int64_t timeout_ns;
    unsigned retrans;
    uint32_t io_bytes; /* what READ and WRITE ask for */
};

struct nfs_server {
    struct sockaddr_storage address; /* with the NFS port */
    socklen_t address_bytes;
    uint16_t port;
    uint16_t mount_port;
    struct rpc_auth auth;
    char export[TARGET_PATH_BYTES]; /* what was mounted: the target's path, or the part of it that is an export */
    struct handle root;             /* of the target directory */
    uint32_t rtmax, wtmax;
};

/* What the process's credentials look like to the server; *groups as rpc_auth_sys gives them, 0 for AUTH_NONE. */
bool server_auth(const struct call_options *options, struct rpc_auth *auth, size_t *groups, struct problem *problem);

/*
 * Finds the target and checks that it is a directory that can be worked on. Waits no longer than the calls' own limits
 * and stops when the watch says so. On failure the line names the host and says what to do.
 */
bool server_find(const struct target *target, const struct call_options *options, const struct watch *watch,
                 struct nfs_server *server, struct problem *problem);

/* Tells the server's mount daemon that we are gone (UMNT): a courtesy, failure does not matter. At most 1 s. */
void server_leave(const struct target *target, const struct call_options *options, const struct nfs_server *server);

/* The transport settings for NFS calls to a server that was found. */
struct rpc_config server_rpc_config(const struct nfs_server *server, const struct call_options *options);

#endif
