#include "counters.h"

#include <string.h>

/* Beyond the NFSv3 procedures, which nfs_op.c names. */
static const char *const names[COUNTER_COUNT] = {
    [COUNTER_ROOT] = "root",
    [COUNTER_WRCACHE] = "wrcache",
    [COUNTER_COMPOUND] = "compound",
    [COUNTER_CLOSE] = "close",
    [COUNTER_DELEGPURGE] = "delegpurge",
    [COUNTER_DELEGRETURN] = "delegreturn",
    [COUNTER_GETFH] = "getfh",
    [COUNTER_LOCK] = "lock",
    [COUNTER_LOCKT] = "lockt",
    [COUNTER_LOCKU] = "locku",
    [COUNTER_LOOKUPP] = "lookupp",
    [COUNTER_NVERIFY] = "nverify",
    [COUNTER_OPEN] = "open",
    [COUNTER_OPENATTR] = "openattr",
    [COUNTER_OPEN_CONFIRM] = "open_confirm",
    [COUNTER_OPEN_DOWNGRADE] = "open_downgrade",
    [COUNTER_PUTFH] = "putfh",
    [COUNTER_PUTPUBFH] = "putpubfh",
    [COUNTER_PUTROOTFH] = "putrootfh",
    [COUNTER_RENEW] = "renew",
    [COUNTER_RESTOREFH] = "restorefh",
    [COUNTER_SAVEFH] = "savefh",
    [COUNTER_SECINFO] = "secinfo",
    [COUNTER_SETCLIENTID] = "setclientid",
    [COUNTER_SETCLIENTID_CONFIRM] = "setclientid_confirm",
    [COUNTER_VERIFY] = "verify",
    [COUNTER_RELEASE_LOCKOWNER] = "release_lockowner",
    [COUNTER_BACKCHANNEL_CTL] = "backchannel_ctl",
    [COUNTER_BIND_CONN_TO_SESSION] = "bind_conn_to_session",
    [COUNTER_EXCHANGE_ID] = "exchange_id",
    [COUNTER_CREATE_SESSION] = "create_session",
    [COUNTER_DESTROY_SESSION] = "destroy_session",
    [COUNTER_FREE_STATEID] = "free_stateid",
    [COUNTER_GET_DIR_DELEGATION] = "get_dir_delegation",
    [COUNTER_GETDEVICEINFO] = "getdeviceinfo",
    [COUNTER_GETDEVICELIST] = "getdevicelist",
    [COUNTER_LAYOUTCOMMIT] = "layoutcommit",
    [COUNTER_LAYOUTGET] = "layoutget",
    [COUNTER_LAYOUTRETURN] = "layoutreturn",
    [COUNTER_SECINFO_NO_NAME] = "secinfo_no_name",
    [COUNTER_SEQUENCE] = "sequence",
    [COUNTER_SET_SSV] = "set_ssv",
    [COUNTER_TEST_STATEID] = "test_stateid",
    [COUNTER_WANT_DELEGATION] = "want_delegation",
    [COUNTER_DESTROY_CLIENTID] = "destroy_clientid",
    [COUNTER_RECLAIM_COMPLETE] = "reclaim_complete",
    [COUNTER_ALLOCATE] = "allocate",
    [COUNTER_COPY] = "copy",
    [COUNTER_COPY_NOTIFY] = "copy_notify",
    [COUNTER_DEALLOCATE] = "deallocate",
    [COUNTER_IO_ADVISE] = "io_advise",
    [COUNTER_LAYOUTERROR] = "layouterror",
    [COUNTER_LAYOUTSTATS] = "layoutstats",
    [COUNTER_OFFLOAD_CANCEL] = "offload_cancel",
    [COUNTER_OFFLOAD_STATUS] = "offload_status",
    [COUNTER_READ_PLUS] = "read_plus",
    [COUNTER_SEEK] = "seek",
    [COUNTER_WRITE_SAME] = "write_same",
    [COUNTER_CLONE] = "clone",
    [COUNTER_GETXATTR] = "getxattr",
    [COUNTER_SETXATTR] = "setxattr",
    [COUNTER_LISTXATTRS] = "listxattrs",
    [COUNTER_REMOVEXATTR] = "removexattr",
    [COUNTER_ILLEGAL] = "illegal",
    [COUNTER_RESERVED] = "reserved",
    [COUNTER_OPEN_NOATTR] = "open_noattr",
    [COUNTER_LOOKUP_ROOT] = "lookup_root",
    [COUNTER_SERVER_CAPS] = "server_caps",
    [COUNTER_GETACL] = "getacl",
    [COUNTER_SETACL] = "setacl",
    [COUNTER_GETXATTRDIR] = "getxattrdir",
    [COUNTER_FS_LOCATIONS] = "fs_locations",
    [COUNTER_FSID_PRESENT] = "fsid_present",
    [COUNTER_GET_LEASE_TIME] = "get_lease_time",
    [COUNTER_ZERO_RANGE] = "zero_range",
    [COUNTER_V4CREATE] = "v4create",
    [COUNTER_OPEN_LAYOUT] = "open_layout",
    [COUNTER_CREATE_LAYOUT] = "create_layout",
    [COUNTER_READ_DS] = "read_ds",
    [COUNTER_WRITE_DS] = "write_ds",
    [COUNTER_COMMIT_DS] = "commit_ds",
    [COUNTER_SEEK_DS] = "seek_ds",
};

static const struct {
    const char *name;
    enum counter counter;
} aliases[] = {
    {"op0-unused", COUNTER_RESERVED},
    {"op1-unused", COUNTER_RESERVED},
    {"op2-future", COUNTER_RESERVED},
    {"open_conf", COUNTER_OPEN_CONFIRM},
    {"opencfr", COUNTER_OPEN_CONFIRM},
    {"opencfrm", COUNTER_OPEN_CONFIRM},
    {"open_noat", COUNTER_OPEN_NOATTR},
    {"open_dgrd", COUNTER_OPEN_DOWNGRADE},
    {"opendowngr", COUNTER_OPEN_DOWNGRADE},
    {"opendwngr", COUNTER_OPEN_DOWNGRADE},
    {"setclid", COUNTER_SETCLIENTID},
    {"setcltid", COUNTER_SETCLIENTID},
    {"setclntid", COUNTER_SETCLIENTID},
    {"setclidcf", COUNTER_SETCLIENTID_CONFIRM},
    {"setcltidconf", COUNTER_SETCLIENTID_CONFIRM},
    {"confirm", COUNTER_SETCLIENTID_CONFIRM},
    {"rellockowner", COUNTER_RELEASE_LOCKOWNER},
    {"rel_lkowner", COUNTER_RELEASE_LOCKOWNER},
    {"rellckown", COUNTER_RELEASE_LOCKOWNER},
    {"rellockown", COUNTER_RELEASE_LOCKOWNER},
    {"delepurge", COUNTER_DELEGPURGE},
    {"delegret", COUNTER_DELEGRETURN},
    {"deleret", COUNTER_DELEGRETURN},
    {"delret", COUNTER_DELEGRETURN},
    {"set_clientid", COUNTER_SETCLIENTID},
    {"clientid_confirm", COUNTER_SETCLIENTID_CONFIRM},
    {"client_confirm", COUNTER_SETCLIENTID_CONFIRM},
    {"clid_cfm", COUNTER_SETCLIENTID_CONFIRM},
    {"release_lock", COUNTER_RELEASE_LOCKOWNER},
    {"release_lo", COUNTER_RELEASE_LOCKOWNER},
    {"del_purge", COUNTER_DELEGPURGE},
    {"del_ret", COUNTER_DELEGRETURN},
    {"downgrade", COUNTER_OPEN_DOWNGRADE},
    {"unlock", COUNTER_LOCKU},
    {"lock_test", COUNTER_LOCKT},
    {"bc_ctl", COUNTER_BACKCHANNEL_CTL},
    {"backchannelct", COUNTER_BACKCHANNEL_CTL},
    {"backchannelctrl", COUNTER_BACKCHANNEL_CTL},
    {"bind_conn", COUNTER_BIND_CONN_TO_SESSION},
    {"bind_conn_to_ses", COUNTER_BIND_CONN_TO_SESSION},
    {"bindconntosess", COUNTER_BIND_CONN_TO_SESSION},
    {"create_ses", COUNTER_CREATE_SESSION},
    {"createsess", COUNTER_CREATE_SESSION},
    {"destroy_ses", COUNTER_DESTROY_SESSION},
    {"destroysess", COUNTER_DESTROY_SESSION},
    {"getdirdeleg", COUNTER_GET_DIR_DELEGATION},
    {"getdevinfo", COUNTER_GETDEVICEINFO},
    {"getdevlist", COUNTER_GETDEVICELIST},
    {"secinfononam", COUNTER_SECINFO_NO_NAME},
    {"secinfo_no", COUNTER_SECINFO_NO_NAME},
    {"secinfnoname", COUNTER_SECINFO_NO_NAME},
    {"want_deleg", COUNTER_WANT_DELEGATION},
    {"destroy_clid", COUNTER_DESTROY_CLIENTID},
    {"reclaim_comp", COUNTER_RECLAIM_COMPLETE},
    {"reclaimcompl", COUNTER_RECLAIM_COMPLETE},
    {"offloadcncl", COUNTER_OFFLOAD_CANCEL},
    {"offloadstat", COUNTER_OFFLOAD_STATUS},
    {"getextattr", COUNTER_GETXATTR},
    {"setextattr", COUNTER_SETXATTR},
    {"listextattr", COUNTER_LISTXATTRS},
    {"rmextattr", COUNTER_REMOVEXATTR},
    {"readdatas", COUNTER_READ_DS},
    {"writedatas", COUNTER_WRITE_DS},
    {"commitdatas", COUNTER_COMMIT_DS},
    {"seekdatas", COUNTER_SEEK_DS},
};

static const char *const gauges[] = {"openowner", "opens",     "lockowner", "locks",     "delegs", "layouts",
                                     "localown",  "localopen", "locallown", "locallock", "clients"};

static const unsigned char v2_procedures[] = {
    OP_NULL,   OP_GETATTR, OP_SETATTR, COUNTER_ROOT, OP_LOOKUP,  OP_READLINK, OP_READ,  COUNTER_WRCACHE, OP_WRITE,
    OP_CREATE, OP_REMOVE,  OP_RENAME,  OP_LINK,      OP_SYMLINK, OP_MKDIR,    OP_RMDIR, OP_READDIR,      OP_FSSTAT,
};

static const unsigned char v4_operations[] = {
    COUNTER_RESERVED,
    COUNTER_RESERVED,
    COUNTER_RESERVED,
    OP_ACCESS,
    COUNTER_CLOSE,
    OP_COMMIT,
    OP_CREATE,
    COUNTER_DELEGPURGE,
    COUNTER_DELEGRETURN,
    OP_GETATTR,
    COUNTER_GETFH,
    OP_LINK,
    COUNTER_LOCK,
    COUNTER_LOCKT,
    COUNTER_LOCKU,
    OP_LOOKUP,
    COUNTER_LOOKUPP,
    COUNTER_NVERIFY,
    COUNTER_OPEN,
    COUNTER_OPENATTR,
    COUNTER_OPEN_CONFIRM,
    COUNTER_OPEN_DOWNGRADE,
    COUNTER_PUTFH,
    COUNTER_PUTPUBFH,
    COUNTER_PUTROOTFH,
    OP_READ,
    OP_READDIR,
    OP_READLINK,
    OP_REMOVE,
    OP_RENAME,
    COUNTER_RENEW,
    COUNTER_RESTOREFH,
    COUNTER_SAVEFH,
    COUNTER_SECINFO,
    OP_SETATTR,
    COUNTER_SETCLIENTID,
    COUNTER_SETCLIENTID_CONFIRM,
    COUNTER_VERIFY,
    OP_WRITE,
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
};

static const unsigned char v4_client_calls[] = {
    OP_NULL,
    OP_READ,
    OP_WRITE,
    OP_COMMIT,
    COUNTER_OPEN,
    COUNTER_OPEN_CONFIRM,
    COUNTER_OPEN_NOATTR,
    COUNTER_OPEN_DOWNGRADE,
    COUNTER_CLOSE,
    OP_SETATTR,
    OP_FSINFO,
    COUNTER_RENEW,
    COUNTER_SETCLIENTID,
    COUNTER_SETCLIENTID_CONFIRM,
    COUNTER_LOCK,
    COUNTER_LOCKT,
    COUNTER_LOCKU,
    OP_ACCESS,
    OP_GETATTR,
    OP_LOOKUP,
    COUNTER_LOOKUP_ROOT,
    OP_REMOVE,
    OP_RENAME,
    OP_LINK,
    OP_SYMLINK,
    OP_CREATE,
    OP_PATHCONF,
    OP_FSSTAT,
    OP_READLINK,
    OP_READDIR,
    COUNTER_SERVER_CAPS,
    COUNTER_DELEGRETURN,
    COUNTER_GETACL,
    COUNTER_SETACL,
    COUNTER_FS_LOCATIONS,
    COUNTER_RELEASE_LOCKOWNER,
    COUNTER_SECINFO,
    COUNTER_FSID_PRESENT,
    COUNTER_EXCHANGE_ID,
    COUNTER_CREATE_SESSION,
    COUNTER_DESTROY_SESSION,
    COUNTER_SEQUENCE,
    COUNTER_GET_LEASE_TIME,
    COUNTER_RECLAIM_COMPLETE,
    COUNTER_LAYOUTGET,
    COUNTER_GETDEVICEINFO,
    COUNTER_LAYOUTCOMMIT,
    COUNTER_LAYOUTRETURN,
    COUNTER_SECINFO_NO_NAME,
    COUNTER_TEST_STATEID,
    COUNTER_FREE_STATEID,
    COUNTER_GETDEVICELIST,
    COUNTER_BIND_CONN_TO_SESSION,
    COUNTER_DESTROY_CLIENTID,
    COUNTER_SEEK,
    COUNTER_ALLOCATE,
    COUNTER_DEALLOCATE,
    COUNTER_LAYOUTSTATS,
    COUNTER_CLONE,
    COUNTER_COPY,
    COUNTER_OFFLOAD_CANCEL,
    COUNTER_LOOKUPP,
    COUNTER_LAYOUTERROR,
    COUNTER_COPY_NOTIFY,
    COUNTER_GETXATTR,
    COUNTER_SETXATTR,
    COUNTER_LISTXATTRS,
    COUNTER_REMOVEXATTR,
    COUNTER_READ_PLUS,
    COUNTER_OFFLOAD_STATUS,
};

/* Where zero_range was put in. */
enum { ZERO_RANGE_PLACE = 57 };

const char *counter_name(unsigned counter)
{
    return counter < OP_COUNT ? op_name(counter) : counter < COUNTER_COUNT ? names[counter] : "?";
}

/* A name as it is compared: in lower case, without `_` and `-`. */
struct key {
    char text[24];
    size_t length; /* 0: longer than any name */
};

static struct key key_of(const char *name, size_t length)
{
    struct key key = {.length = 0};
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (c == '_' || c == '-') {
            continue;
        }
        if (key.length == sizeof key.text) {
            return (struct key){.length = 0};
        }
        key.text[key.length++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return key;
}

/* `known` is in lower case and begins with a letter. */
static bool same_name(const char *known, const struct key *key)
{
    size_t at = 0;
    if (key->length == 0 || known[0] != key->text[0]) {
        return false; /* most are, and listings of rubbish are long */
    }
    for (; *known != '\0'; known++) {
        if (*known == '_' || *known == '-') {
            continue;
        }
        if (at == key->length || *known != key->text[at]) {
            return false;
        }
        at++;
    }
    return at == key->length;
}

int counter_by_name(const char *name, size_t length)
{
    const struct key key = key_of(name, length);
    int op = op_by_name(name, length);
    if (op >= 0) {
        return op;
    }
    for (int counter = OP_COUNT; counter < COUNTER_COUNT; counter++) {
        if (same_name(names[counter], &key)) {
            return counter;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (same_name(aliases[i].name, &key)) {
            return (int)aliases[i].counter;
        }
    }
    return -1;
}

bool counter_is_gauge(const char *name, size_t length)
{
    const struct key key = key_of(name, length);
    for (size_t i = 0; i < sizeof gauges / sizeof gauges[0]; i++) {
        if (same_name(gauges[i], &key)) {
            return true;
        }
    }
    return false;
}

static int at(const unsigned char *order, size_t count, size_t number)
{
    return number < count ? order[number] : -1;
}

int counter_of_v2_procedure(size_t number)
{
    return at(v2_procedures, sizeof v2_procedures, number);
}

int counter_of_v4_operation(size_t number)
{
    return at(v4_operations, sizeof v4_operations, number);
}

int counter_of_v4_client_call(size_t number, size_t counters)
{
    if (counters >= COUNTERS_WITH_ZERO_RANGE && number >= ZERO_RANGE_PLACE) {
        if (number == ZERO_RANGE_PLACE) {
            return COUNTER_ZERO_RANGE;
        }
        number--;
    }
    return at(v4_client_calls, sizeof v4_client_calls, number);
}
