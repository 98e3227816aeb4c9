/*
 * counters.h - the names under which servers and clients of NFS versions 2, 3 and 4 count what they do, by number and
 * by name, and which of them the kernel of Linux lists in which order.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "nfs_op.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The NFSv3 procedures keep their numbers (enum nfs_op), so a counter below OP_COUNT indexes a mix. A name that
 * versions share (read, getattr) is one counter. Canonical names are those of RFC 1094, RFC 1813, RFC 8881 section 18,
 * RFC 7862 and RFC 8276 in lower case; calls that only Linux's client counts keep the names of its
 * /proc/self/mountstats.
 */
enum counter {
    COUNTER_ROOT = OP_COUNT, /* NFSv2: obsolete */
    COUNTER_WRCACHE,         /* NFSv2: never used */
    COUNTER_COMPOUND,
    /* NFSv4 operations */
    COUNTER_CLOSE,
    COUNTER_DELEGPURGE,
    COUNTER_DELEGRETURN,
    COUNTER_GETFH,
    COUNTER_LOCK,
    COUNTER_LOCKT,
    COUNTER_LOCKU,
    COUNTER_LOOKUPP,
    COUNTER_NVERIFY,
    COUNTER_OPEN,
    COUNTER_OPENATTR,
    COUNTER_OPEN_CONFIRM,
    COUNTER_OPEN_DOWNGRADE,
    COUNTER_PUTFH,
    COUNTER_PUTPUBFH,
    COUNTER_PUTROOTFH,
    COUNTER_RENEW,
    COUNTER_RESTOREFH,
    COUNTER_SAVEFH,
    COUNTER_SECINFO,
    COUNTER_SETCLIENTID,
    COUNTER_SETCLIENTID_CONFIRM,
    COUNTER_VERIFY,
    COUNTER_RELEASE_LOCKOWNER,
    COUNTER_BACKCHANNEL_CTL,
    COUNTER_BIND_CONN_TO_SESSION,
    COUNTER_EXCHANGE_ID,
    COUNTER_CREATE_SESSION,
    COUNTER_DESTROY_SESSION,
    COUNTER_FREE_STATEID,
    COUNTER_GET_DIR_DELEGATION,
    COUNTER_GETDEVICEINFO,
    COUNTER_GETDEVICELIST,
    COUNTER_LAYOUTCOMMIT,
    COUNTER_LAYOUTGET,
    COUNTER_LAYOUTRETURN,
    COUNTER_SECINFO_NO_NAME,
    COUNTER_SEQUENCE,
    COUNTER_SET_SSV,
    COUNTER_TEST_STATEID,
    COUNTER_WANT_DELEGATION,
    COUNTER_DESTROY_CLIENTID,
    COUNTER_RECLAIM_COMPLETE,
    COUNTER_ALLOCATE,
    COUNTER_COPY,
    COUNTER_COPY_NOTIFY,
    COUNTER_DEALLOCATE,
    COUNTER_IO_ADVISE,
    COUNTER_LAYOUTERROR,
    COUNTER_LAYOUTSTATS,
    COUNTER_OFFLOAD_CANCEL,
    COUNTER_OFFLOAD_STATUS,
    COUNTER_READ_PLUS,
    COUNTER_SEEK,
    COUNTER_WRITE_SAME,
    COUNTER_CLONE,
    COUNTER_GETXATTR,
    COUNTER_SETXATTR,
    COUNTER_LISTXATTRS,
    COUNTER_REMOVEXATTR,
    COUNTER_ILLEGAL,
    COUNTER_RESERVED, /* operation numbers that stand for nothing: "reserved", "op0-unused" */
    /* Calls that Linux's and other clients count under names of their own */
    COUNTER_OPEN_NOATTR,
    COUNTER_LOOKUP_ROOT,
    COUNTER_SERVER_CAPS,
    COUNTER_GETACL,
    COUNTER_SETACL,
    COUNTER_GETXATTRDIR,
    COUNTER_FS_LOCATIONS,
    COUNTER_FSID_PRESENT,
    COUNTER_GET_LEASE_TIME,
    COUNTER_ZERO_RANGE,
    COUNTER_V4CREATE, /* of a listing that counts v3's create beside it */
    COUNTER_OPEN_LAYOUT,
    COUNTER_CREATE_LAYOUT,
    COUNTER_READ_DS, /* to pNFS data servers */
    COUNTER_WRITE_DS,
    COUNTER_COMMIT_DS,
    COUNTER_SEEK_DS,
    COUNTER_COUNT
};

/* The counter's canonical name: "open_confirm". */
const char *counter_name(unsigned counter);

/*
 * The counter of a name as it is printed somewhere (any case, with or without `_` and `-`; abbreviations like
 * open_conf, SetClId, RdirPlus, statfs), or -1.
 */
int counter_by_name(const char *name, size_t length);

/*
 * What BSD's extended listing prints among the ops though it counts no calls (how many opens there are now, and so on).
 */
bool counter_is_gauge(const char *name, size_t length);

/* NFSv2 procedures by number (RFC 1094 section 2.2): a counter, or -1 past the last. */
int counter_of_v2_procedure(size_t number);

/* NFSv4 operations by number (RFC 8881 section 16.2, RFC 7862 and RFC 8276 for the later ones), or -1 past the last. */
int counter_of_v4_operation(size_t number);

/*
 * The calls of Linux's NFSv4 client in the order of its counters in /proc/net/rpc/nfs, or -1 past the last. Kernels
 * since 3.13 have this order, but that zero_range was put in the middle later: a kernel that has it has at least
 * COUNTERS_WITH_ZERO_RANGE counters. Before 3.13 some of the calls about sessions and layouts stood elsewhere: all are
 * state, which no mix has.
 */
enum { COUNTERS_WITH_ZERO_RANGE = 71 };
int counter_of_v4_client_call(size_t number, size_t counters);

#endif
