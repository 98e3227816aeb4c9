/* The counters' names, and the tables of numbers against the RFCs' own. */
#include "check_common.h"
#include "counters.h"

#include <ctype.h>
#include <stdio.h>

static int by_name(const char *name)
{
    return counter_by_name(name, strlen(name));
}

/* The counter of a name that must be one, and the name's own. */
static int canonical(const char *name)
{
    int counter = by_name(name);
    ck_assert_msg(counter >= 0 && counter < COUNTER_COUNT, "%s is not known", name);
    ck_assert_str_eq(counter_name((unsigned)counter), name);
    return counter;
}

START_TEST(names_map_back)
{
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        const char *name = counter_name(counter);
        char changed[2][80] = {"", ""};
        size_t length = strlen(name);
        size_t used = 0;
        ck_assert_uint_gt(length, 0);
        ck_assert_uint_lt(length, sizeof changed[0]);
        ck_assert_int_eq(by_name(name), (int)counter);
        for (size_t i = 0; i < length; i++) {
            ck_assert_msg(islower((unsigned char)name[i]) || isdigit((unsigned char)name[i]) || name[i] == '_', "%s",
                          name);
            changed[0][i] = name[i] == '_' && counter >= OP_COUNT ? '-' : (char)toupper((unsigned char)name[i]);
            if (name[i] != '_') {
                changed[1][used++] = (char)(i % 2 == 0 ? toupper((unsigned char)name[i]) : name[i]);
            }
        }
        ck_assert_msg(by_name(changed[0]) == (int)counter, "%s", changed[0]);
        ck_assert_msg(by_name(changed[1]) == (int)counter, "%s", changed[1]);
        for (unsigned other = 0; other < counter; other++) {
            ck_assert_str_ne(name, counter_name(other));
        }
        ck_assert_msg(!counter_is_gauge(name, length), "%s is a call", name);
    }
    for (unsigned op = 0; op < OP_COUNT; op++) {
        ck_assert_str_eq(counter_name(op), op_name(op));
    }
}
END_TEST

/* As they stand in the listings of Linux, macOS and the BSDs (the sources of their nfsstat). */
START_TEST(printed_names)
{
    static const struct {
        const char *counter;
        const char *spellings; /* between blanks */
    } known[] = {
        {"fsstat", "statfs STATFS Fsstat FsStat"},
        {"readdirplus", "RdirPlus rdirplus readdir+ READDIRPLUS readdirplus rddirplus"},
        {"pathconf", "PathConf pathConf"},
        {"fsinfo", "FSinfo"},
        {"open_confirm", "open_conf OPEN_CONFIRM OpenCfr OpenCfrm Open_conf openconfirm open-confirm"},
        {"open_noattr", "open_noat OPEN_NOATTR"},
        {"open_downgrade", "open_dgrd OpenDownGr OpenDwnGr Open_dgrd OPEN_DOWNGRADE"},
        {"setclientid", "setclntid setcltid SetClId SETCLIENTID Setclientid"},
        {"setclientid_confirm", "confirm setcltidconf SetClIdCf Confirm SETCLIENTID_CONFIRM"},
        {"release_lockowner", "rel_lkowner rellockowner RelLckOwn RelLockOwn RELEASE_LOCKOWNER"},
        {"backchannel_ctl", "bc_ctl BackChannelCt"},
        {"bind_conn_to_session", "bind_conn bind_conn_to_ses BindConnToSes"},
        {"exchange_id", "exchange_id ExchangeId ExchangeID"},
        {"create_session", "create_ses CreateSess create_session"},
        {"destroy_session", "destroy_ses DestroySess destroy_session"},
        {"destroy_clientid", "destroy_clid DestroyClId destroy_clientid"},
        {"free_stateid", "free_stateid FreeStateID"},
        {"test_stateid", "test_stateid TestStateID"},
        {"get_dir_delegation", "getdirdeleg GetDirDeleg"},
        {"getdeviceinfo", "getdevinfo GetDevInfo GETDEVICEINFO"},
        {"getdevicelist", "getdevlist GetDevList getdevicelist"},
        {"layoutcommit", "layoutcommit LayoutCommit layoutCommit"},
        {"layoutreturn", "LayoutReturn"},
        {"secinfo_no_name", "secinfononam secinfo_no SecInfNoName SECINFO_NO_NAME"},
        {"set_ssv", "set_ssv SetSSV"},
        {"want_delegation", "want_deleg WantDeleg"},
        {"reclaim_complete", "reclaim_comp ReclaimCompl RECLAIM_COMPLETE"},
        {"delegpurge", "delegpurge DelePurge Delegpurge"},
        {"delegreturn", "delegreturn DeleRet DelRet DelegRet Delegreturn"},
        {"putrootfh", "PutRootFH"},
        {"lookupp", "LookupP Lookupp"},
        {"nverify", "NVerify"},
        {"getacl", "GetAcl getacl"},
        {"setacl", "SetAcl setacl"},
        {"getxattrdir", "getxattrdir"},
        {"copy_notify", "copy_notify CopyNotify"},
        {"io_advise", "ioadvise IOAdvise"},
        {"offload_cancel", "offloadcancel OffloadCncl OFFLOAD_CANCEL"},
        {"offload_status", "offloadstatus OffloadStat"},
        {"read_plus", "readplus ReadPlus READ_PLUS"},
        {"write_same", "write_same WriteSame"},
        {"getxattr", "getxattr GetExtattr"},
        {"setxattr", "setxattr SetExtattr"},
        {"listxattrs", "listxattrs ListExtattr LISTXATTRS"},
        {"removexattr", "removexattr RmExtattr"},
        {"reserved", "reserved op0-unused op1-unused op2-future"},
        {"illegal", "illegal"},
        {"null", "Null NULL"},
        {"compound", "Compound COMPOUND"},
        {"wrcache", "WRCACHE wrcache"},
    };
    char missing[1000] = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char spellings[200];
        char *rest = spellings;
        char *name = NULL;
        int counter = canonical(known[i].counter);
        snprintf(spellings, sizeof spellings, "%s", known[i].spellings);
        while ((name = strsep(&rest, " ")) != NULL) {
            if (by_name(name) != counter) {
                size_t used = strlen(missing);
                snprintf(missing + used, sizeof missing - used, " %s", name);
            }
        }
    }
    ck_assert_msg(missing[0] == '\0', "not known, or another counter's:%s", missing);
}
END_TEST

START_TEST(no_names)
{
    static const char *const none[] = {"",         "_",          "-",        "calls",      "badcalls",  "getatt",
                                       "getattrs", "get attr",   "getattr:", "frobnicate", "readdir++", "+",
                                       "0",        "cb_getattr", "calls:",   "total",      "retrans",   "authrefrsh"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(by_name(none[i]) == -1, "'%s' is %s", none[i], counter_name((unsigned)by_name(none[i])));
    }
    ck_assert_int_eq(counter_by_name("getattr", 6), -1);
    ck_assert_int_eq(counter_by_name("getattrx", 7), OP_GETATTR);
    char *name = malloc(8); /* of exactly its size */
    ck_assert_ptr_nonnull(name);
    memcpy(name, "LOOKUP_R", 8);
    ck_assert_int_eq(counter_by_name(name, 8), -1);
    ck_assert_int_eq(counter_by_name(name, 6), OP_LOOKUP);
    ck_assert_int_eq(counter_by_name(name, 0), -1);
    free(name);
    ck_assert_ptr_nonnull(counter_name(COUNTER_COUNT)); /* no op, and no crash */
    ck_assert_ptr_nonnull(counter_name(UINT32_MAX));
}
END_TEST

START_TEST(zero_bytes_in_names)
{
    ck_assert_int_eq(counter_by_name("\0", 1), -1);
    ck_assert_int_eq(counter_by_name("\0open", 5), -1);
    ck_assert_int_eq(counter_by_name("open\0x", 6), -1);
    ck_assert_int_eq(counter_by_name("read\0", 5), -1);
    ck_assert_int_eq(counter_by_name("open\0", 5), -1);
}
END_TEST

START_TEST(gauges)
{
    static const char *const gauge[] = {"OpenOwner", "Opens", "LockOwner", "Locks", "Delegs", "opens", "LOCKOWNER"};
    static const char *const calls[] = {"Open", "Lock", "LockT", "LockU", "OpenAttr", "Close", "DelegRet", ""};
    for (size_t i = 0; i < sizeof gauge / sizeof gauge[0]; i++) {
        ck_assert_msg(counter_is_gauge(gauge[i], strlen(gauge[i])), "%s", gauge[i]);
        ck_assert_msg(by_name(gauge[i]) == -1, "%s", gauge[i]);
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        ck_assert_msg(!counter_is_gauge(calls[i], strlen(calls[i])), "%s", calls[i]);
    }
}
END_TEST

/* ---- numbers ---- */

/* RFC 1094 section 2.2 */
START_TEST(v2_procedures)
{
    static const char *const names[] = {"null", "getattr", "setattr", "root",   "lookup",  "readlink",
                                        "read", "wrcache", "write",   "create", "remove",  "rename",
                                        "link", "symlink", "mkdir",   "rmdir",  "readdir", "fsstat"};
    size_t count = sizeof names / sizeof names[0];
    ck_assert_uint_eq(count, 18);
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(counter_of_v2_procedure(i) == canonical(names[i]), "%zu", i);
    }
    ck_assert_int_eq(counter_of_v2_procedure(18), -1);
    ck_assert_int_eq(counter_of_v2_procedure(SIZE_MAX), -1);
}
END_TEST

/* RFC 1813: an NFSv3 procedure is its counter. */
START_TEST(v3_procedures)
{
    static const char *const names[] = {"null",   "getattr", "setattr",  "lookup", "access",  "readlink",
                                        "read",   "write",   "create",   "mkdir",  "symlink", "mknod",
                                        "remove", "rmdir",   "rename",   "link",   "readdir", "readdirplus",
                                        "fsstat", "fsinfo",  "pathconf", "commit"};
    ck_assert_uint_eq(sizeof names / sizeof names[0], 22);
    for (int i = 0; i < 22; i++) {
        ck_assert_int_eq(canonical(names[i]), i);
    }
}
END_TEST

/* enum nfs_opnum4 of RFC 8881 (3 to 58), RFC 7862 (59 to 71) and RFC 8276 (72 to 75) */
START_TEST(v4_operations)
{
    static const struct {
        size_t number;
        const char *name;
    } operations[] = {
        {3, "access"},
        {4, "close"},
        {5, "commit"},
        {6, "create"},
        {7, "delegpurge"},
        {8, "delegreturn"},
        {9, "getattr"},
        {10, "getfh"},
        {11, "link"},
        {12, "lock"},
        {13, "lockt"},
        {14, "locku"},
        {15, "lookup"},
        {16, "lookupp"},
        {17, "nverify"},
        {18, "open"},
        {19, "openattr"},
        {20, "open_confirm"},
        {21, "open_downgrade"},
        {22, "putfh"},
        {23, "putpubfh"},
        {24, "putrootfh"},
        {25, "read"},
        {26, "readdir"},
        {27, "readlink"},
        {28, "remove"},
        {29, "rename"},
        {30, "renew"},
        {31, "restorefh"},
        {32, "savefh"},
        {33, "secinfo"},
        {34, "setattr"},
        {35, "setclientid"},
        {36, "setclientid_confirm"},
        {37, "verify"},
        {38, "write"},
        {39, "release_lockowner"},
        {40, "backchannel_ctl"},
        {41, "bind_conn_to_session"},
        {42, "exchange_id"},
        {43, "create_session"},
        {44, "destroy_session"},
        {45, "free_stateid"},
        {46, "get_dir_delegation"},
        {47, "getdeviceinfo"},
        {48, "getdevicelist"},
        {49, "layoutcommit"},
        {50, "layoutget"},
        {51, "layoutreturn"},
        {52, "secinfo_no_name"},
        {53, "sequence"},
        {54, "set_ssv"},
        {55, "test_stateid"},
        {56, "want_delegation"},
        {57, "destroy_clientid"},
        {58, "reclaim_complete"},
        {59, "allocate"},
        {60, "copy"},
        {61, "copy_notify"},
        {62, "deallocate"},
        {63, "io_advise"},
        {64, "layouterror"},
        {65, "layoutstats"},
        {66, "offload_cancel"},
        {67, "offload_status"},
        {68, "read_plus"},
        {69, "seek"},
        {70, "write_same"},
        {71, "clone"},
        {72, "getxattr"},
        {73, "setxattr"},
        {74, "listxattrs"},
        {75, "removexattr"},
    };
    size_t count = sizeof operations / sizeof operations[0];
    ck_assert_uint_eq(count, 73);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(operations[i].number, 3 + i);
        ck_assert_msg(counter_of_v4_operation(operations[i].number) == canonical(operations[i].name), "%s",
                      operations[i].name);
    }
    for (size_t i = 0; i < 3; i++) { /* numbers that stand for nothing */
        ck_assert_int_eq(counter_of_v4_operation(i), COUNTER_RESERVED);
    }
    ck_assert_int_eq(counter_of_v4_operation(76), -1);
    ck_assert_int_eq(counter_of_v4_operation(SIZE_MAX), -1);
}
END_TEST

/* The enum that begins with NFSPROC4_CLNT_NULL in Linux's include/linux/nfs4.h: of 5.10 to 6.13, 69 of them. */
static const char *const client_calls[] = {
    "null",
    "read",
    "write",
    "commit",
    "open",
    "open_confirm",
    "open_noattr",
    "open_downgrade",
    "close",
    "setattr",
    "fsinfo",
    "renew",
    "setclientid",
    "setclientid_confirm",
    "lock",
    "lockt",
    "locku",
    "access",
    "getattr",
    "lookup",
    "lookup_root",
    "remove",
    "rename",
    "link",
    "symlink",
    "create",
    "pathconf",
    "fsstat",
    "readlink",
    "readdir",
    "server_caps",
    "delegreturn",
    "getacl",
    "setacl",
    "fs_locations",
    "release_lockowner",
    "secinfo",
    "fsid_present",
    "exchange_id",
    "create_session",
    "destroy_session",
    "sequence",
    "get_lease_time",
    "reclaim_complete",
    "layoutget",
    "getdeviceinfo",
    "layoutcommit",
    "layoutreturn",
    "secinfo_no_name",
    "test_stateid",
    "free_stateid",
    "getdevicelist",
    "bind_conn_to_session",
    "destroy_clientid",
    "seek",
    "allocate",
    "deallocate",
    "layoutstats",
    "clone",
    "copy",
    "offload_cancel",
    "lookupp",
    "layouterror",
    "copy_notify",
    "getxattr",
    "setxattr",
    "listxattrs",
    "removexattr",
    "read_plus",
};

enum { CLIENT_CALLS = 69, DEALLOCATE = 56 };

START_TEST(v4_client_calls)
{
    static const size_t lengths[] = {35, 48, 59, 61, 68, 69};
    ck_assert_uint_eq(sizeof client_calls / sizeof client_calls[0], CLIENT_CALLS);
    ck_assert_str_eq(client_calls[DEALLOCATE], "deallocate");
    for (size_t at = 0; at < sizeof lengths / sizeof lengths[0]; at++) {
        for (size_t i = 0; i < lengths[at]; i++) {
            ck_assert_msg(counter_of_v4_client_call(i, lengths[at]) == canonical(client_calls[i]), "%zu of %zu: %s", i,
                          lengths[at], client_calls[i]);
        }
    }
    /* offload_status came last, then zero_range behind deallocate */
    for (size_t i = 0; i < 70; i++) {
        ck_assert_int_eq(counter_of_v4_client_call(i, 70),
                         canonical(i < CLIENT_CALLS ? client_calls[i] : "offload_status"));
    }
    for (size_t i = 0; i < 71; i++) {
        const char *name = i <= DEALLOCATE        ? client_calls[i]
                           : i == DEALLOCATE + 1  ? "zero_range"
                           : i - 1 < CLIENT_CALLS ? client_calls[i - 1]
                                                  : "offload_status";
        ck_assert_msg(counter_of_v4_client_call(i, 71) == canonical(name), "%zu: %s", i, name);
    }
    ck_assert_int_eq(counter_of_v4_client_call(71, 72), -1);
    ck_assert_int_eq(counter_of_v4_client_call(SIZE_MAX, 69), -1);
    ck_assert_int_eq(counter_of_v4_client_call(SIZE_MAX, SIZE_MAX), -1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        names_map_back, printed_names, no_names,      zero_bytes_in_names, gauges,
        v2_procedures,  v3_procedures, v4_operations, v4_client_calls,
    };
    return run_tests("counters", tests, sizeof tests / sizeof tests[0]);
}
