/*
 * rpc_reply.h - reading replies in place: the RPC reply header (RFC 5531 section 9), NFSv3 results (RFC 1813 section
 * 3), MOUNT results (RFC 1813 appendix I). Pure; bounded by the bytes given; nothing is allocated; lists are read by
 * loops.
 */
#ifndef RPC_REPLY_H
#define RPC_REPLY_H

#include "nfs_op.h"
#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

enum { HANDLE_MAX_BYTES = 64, REPLY_MAX_FLAVORS = 64, VERIFIER_MAX_BYTES = 400 };

enum reply_verdict {
    REPLY_ACCEPTED, /* results follow */
    REPLY_REJECTED, /* by the RPC layer: see reply_reject_text() */
    REPLY_GARBAGE,  /* not a reply */
};

struct reply_header {
    uint32_t xid;
    enum reply_verdict verdict;
    uint32_t reply_stat; /* RFC 5531: 0 MSG_ACCEPTED, 1 MSG_DENIED */
    uint32_t detail;     /* accept_stat, or reject_stat when denied */
    uint32_t auth_stat;  /* when denied for AUTH_ERROR */
    uint32_t low, high;  /* versions that a mismatch reports */
};

/* Reads the header and leaves `in` at the results. The verifier is skipped whatever its flavour. */
struct reply_header reply_header_read(struct wire_in *in);

/* "program version not available (it has 3 to 4)" etc. into text. */
void reply_reject_text(const struct reply_header *header, char *text, size_t size);

struct handle {
    uint32_t length;
    unsigned char bytes[HANDLE_MAX_BYTES];
};

/* What a caller may want of a result; fields that an op does not have stay 0. */
struct nfs_result {
    uint32_t status;
    bool has_attributes; /* type and size of the object itself: of the ops that make use of them here */
    uint32_t type;       /* ftype3 */
    uint64_t size;
    bool has_handle; /* LOOKUP, CREATE, MKDIR, SYMLINK, MKNOD */
    struct handle handle;
    const unsigned char *data; /* READ's data, READLINK's path: in the reply itself */
    size_t data_bytes;
    bool eof;                      /* READ, READDIR, READDIRPLUS */
    uint32_t count;                /* WRITE: bytes written; READDIR(PLUS): entries */
    uint32_t committed;            /* WRITE: stable_how */
    uint32_t rtmax, wtmax, dtpref; /* FSINFO */
    unsigned char cookieverf[8];   /* READDIR(PLUS) */
    struct wire_in entries;        /* READDIR(PLUS): at the first entry */
};

/* Reads the whole of an op's results. False: they do not decode (short, out of bounds, or bytes left over). */
bool nfs_result_read(unsigned op, struct wire_in *in, struct nfs_result *result);

struct dir_entry {
    uint64_t fileid;
    uint64_t cookie;
    const unsigned char *name;
    size_t name_bytes;
    bool has_type;
    uint32_t type; /* READDIRPLUS only */
};

/* The next entry of `entries`; false at the end of the list (or where it does not decode: entries->bad). */
bool dir_entry_next(struct wire_in *entries, bool plus, struct dir_entry *entry);

struct mount_result {
    uint32_t status;
    struct handle handle;
    uint32_t flavors[REPLY_MAX_FLAVORS];
    size_t flavor_count;
};

bool mount_result_read(struct wire_in *in, struct mount_result *result);

/* The next path of an EXPORT list; false at its end. */
bool export_next(struct wire_in *in, const unsigned char **path, size_t *path_bytes);

#endif
