/*
 * mix_translate.h - what the counts of an NFSv2 or NFSv4 listing mean in NFSv3 calls. Pure.
 *
 * NFSv2 procedures have NFSv3 ones of the same name, but for root and wrcache, which nobody calls. NFSv4 has none of
 * NFSv3's procedures but COMPOUND, so each of its operations is taken for the NFSv3 calls that do the same for a client
 * (RFC 1813 section 3, RFC 8881 section 18):
 *
 * - getattr setattr lookup access readlink read write rename link commit, and null, symlink, fsstat (statfs), fsinfo
 * and pathconf, which only clients list: the call of the same name;
 * - lookupp, lookup_root: lookup;
 * - open: as many as names are removed, less those that are made otherwise, make a file: create; each of the others
 * looks a name up and checks access: lookup and access; at a server, where the access stands beside it, lookup alone;
 * - open_noattr (an open by file handle): getattr, since a v3 client checks the attributes at an open;
 * - close: getattr for a client's call, which fetches the attributes; at a server the getattr stands beside it, and
 * close itself is state;
 * - create: mkdir (v4's makes directories, links and devices, never files: RFC 8881 section 18.4);
 * - remove: rmdir for as many as directories are made, remove for the others;
 * - readdir: readdirplus (v4's brings the attributes along: RFC 8881 section 18.23);
 * - verify, nverify: getattr;
 * - open_layout, create_layout: as an open that makes no file, and as create;
 * - read_plus, write_same: read, write;
 * - server_caps: fsinfo.
 *
 * Calls to pNFS data servers, which are other servers, are none to this one.
 *
 * The rules for open and remove assume a steady state: as many names go as come. A listing that counts v3's procedures
 * and v4's operations together (BSD's) has create, remove and readdir under v3's names: they stay, v4create is mkdir.
 */
#ifndef MIX_TRANSLATE_H
#define MIX_TRANSLATE_H

#include "nfsstat.h"

enum fate {
    FATE_CALL,    /* stands for NFSv3 calls */
    FATE_CARRIER, /* moves file handles about inside a COMPOUND: putfh, getfh, savefh, sequence ...; no request */
    FATE_STATE,   /* sessions, leases, locks, delegations, layouts: NFSv3 has no state */
    FATE_NO_V3,   /* a request that NFSv3 has no call for: ACLs, extended attributes, copies ... */
};

/* Whose counts they are. */
struct dialect {
    unsigned version; /* 2, 3 or 4 */
    bool operations;  /* counts of operations inside COMPOUND calls */
    bool v3_names;    /* of a listing that counts v3 procedures and v4 operations together, as BSD's */
};

enum fate translation_fate(struct dialect dialect, unsigned counter);

/*
 * What `counter` of a listing becomes: adds its points to `percent`. `share` are the points of the whole listing.
 * Points in are not points out: an open gives a lookup and an access.
 */
void translate_counter(struct dialect dialect, const double share[COUNTER_COUNT], unsigned counter,
                       double percent[OP_COUNT]);

/* The mix of a whole listing, scaled to 100 %. False: nothing of it is an NFSv3 call. */
bool translate(struct dialect dialect, const double share[COUNTER_COUNT], double percent[OP_COUNT]);

#endif
