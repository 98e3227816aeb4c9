/*
 * loopback_nfs.h - what the loopback server answers: the bytes of an RPC call in, the bytes of its reply out.
 *
 * RPC version 2 (RFC 5531), NFSv3 and MOUNTv3 (RFC 1813). No network and no clock of service here. Calls are decoded
 * and replies encoded with wire.h only, apart from the client's encoders, so that neither hides a fault of the other.
 */
#ifndef LOOPBACK_NFS_H
#define LOOPBACK_NFS_H

#include "nfs_prot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NFS_DATA_TCP_BYTES = 1048576,                    /* most data in one READ, WRITE or listing */
    NFS_DATA_UDP_BYTES = 32768,                      /* the same where the reply must fit a datagram */
    NFS_REPLY_MAX_BYTES = NFS_DATA_TCP_BYTES + 4096, /* no reply is longer */
};

struct nfs;

/* A server with an empty file system; `instance` marks its handles and verifiers. NULL when memory is out. */
struct nfs *nfs_new(uint64_t memory_bytes, uint64_t instance);
void nfs_free(struct nfs *nfs);

/* Whether the bytes are a call of the NFS program, as far as their first words say. */
bool nfs_is_nfs_call(const unsigned char *call, size_t length);

/*
 * Do the call and write its reply into `reply`, of NFS_REPLY_MAX_BYTES. Returns the reply's length; 0 when the bytes
 * are no call and nobody could be answered. `data_bytes` is one of the two above. With `refuse` other than NFS3_OK
 * an NFS procedure that has a status is not done, and answered that status.
 */
size_t nfs_answer(struct nfs *nfs, const unsigned char *call, size_t length, uint32_t data_bytes, enum nfsstat3 refuse,
                  unsigned char *reply);

#endif
