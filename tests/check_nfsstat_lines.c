/* Listings of a line each, made by hand: nfsstat -l, /proc/net/rpc, mountstats. */
#include "nfsstat_texts.h"

#include <stdio.h>

/* ---- nfsstat -l ---- */

START_TEST(lists)
{
    parse("nfs v3 server        total:       12\n------------- ------------- --------\n"
          "nfs v3 server      getattr:        5\nnfs v3 server         read:        7\n\n"
          "nfs v4 servop        total:        9\n------------- ------------- --------\n"
          "nfs v4 servop        putfh:        4\nnfs v4 servop  lookup_root:        5\n\n"
          "nfs v3 client        total:        3\nnfs v3 client       statfs:        3\n",
          3);
    ck_assert_uint_eq(whole(0, "Server nfs v3", 12)->count[OP_READ], 7);
    const struct nfsstat_table *table = whole(1, "Server nfs v4 operations", 9);
    ck_assert_int_eq(table->kind, TABLE_OPERATIONS);
    ck_assert_uint_eq(table->count[COUNTER_LOOKUPP], 5);
    ck_assert_uint_eq(table->count[COUNTER_LOOKUP_ROOT], 0);
    ck_assert_uint_eq(whole(2, "Client nfs v3", 3)->count[OP_FSSTAT], 3);
    refused("nfs v3 client total: 10\nnfs v3 client read: 9\n", "10");
    refused("nfs v3 client total: 10\nnfs v3 client read: 11\n", "11");
    refused("nfs v3 client total: 10\n", "10");
    refused("nfs v3 client total: 10\nnfs v3 client read:\n", ":2:");
    refused("nfs v3 client total: 10\nnfs v3 client read: x\n", ":2:");
    refused("nfs v3 client total: 10\nnfs v3 client read: -10\n", ":2:");
    refused("nfs v3 client total: 10\nnfs v3 client read: 5 5\n", ":2:");
    refused("nfs v3 client total: 18446744073709551616\nnfs v3 client read: 5\n", ":1:");
    parse("nfs v3 client total: 10\nnfs v3 client read: 4\nnfs v3 client frobnicate: 6\n", 1);
    ck_assert_str_eq(whole(0, "Client nfs v3", 10)->unknown, "frobnicate");
}
END_TEST

/* Neither a total nor all ops: what stood above may be lost. */
START_TEST(list_without_its_total)
{
    refused("nfs v3 client read: 9\nnfs v3 client write: 1\n", "");
}
END_TEST

/* ---- /proc/net/rpc ---- */

#define PROC3(GETATTR) "proc3 22 0 " GETATTR " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"

START_TEST(proc_lines)
{
    parse("net 1 2 3 4\nrpc 5 0 5\n" PROC3("5") "\n", 1);
    ck_assert_int_eq(whole(0, "Client nfs v3", 5)->side, SIDE_CLIENT);
    ck_assert_uint_eq(found.tables[0].line, 3);
    parse("rpc 5 0 0 0 0\n" PROC3("5") "\nproc4 2 3 4\n", 2);
    ck_assert_uint_eq(whole(0, "Server nfs v3", 5)->count[OP_GETATTR], 5);
    ck_assert_int_eq(whole(1, "Server nfs v4", 7)->kind, TABLE_COMPOUNDS);
    ck_assert_uint_eq(found.tables[1].count[COUNTER_COMPOUND], 4);
    parse(PROC3("5") "\n", 1);
    ck_assert_int_eq(whole(0, "nfs v3", 5)->side, SIDE_UNKNOWN);
    refused(PROC3("5"), ":1:"); /* no line end: the last number may have been longer */
    refused(PROC3("5") " 0\n", ":1:");
    refused(PROC3("5 0") "\n", ":1:");
    refused("proc3 22 0 5\n", ":1:");
    refused("proc3 21 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", ":1:");
    refused("proc3\n", ":1:");
    refused("proc3 x\n", ":1:");
    refused("proc3 -22 5\n", ":1:");
    refused("proc3 18446744073709551615 5 5\n", ":1:");
    refused("proc3 18446744073709551616 5 5\n", ":1:");
    refused(PROC3("x") "\n", "getattr");
    refused(PROC3("-1") "\n", "getattr");
    refused("proc4 1 5\n", ":1:");
    refused("proc2 17 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", ":1:");
}
END_TEST

/* More counters than have a name: of no interest without calls, kept with. */
START_TEST(proc_lines_beyond_the_known_ops)
{
    char text[1000] = "proc4ops 80 0 0 0";
    for (int i = 3; i < 76; i++) {
        sprintf(text + strlen(text), " %d", i);
    }
    size_t used = strlen(text);
    strcpy(text + used, " 0 0 0 0\n");
    parse(text, 1);
    const struct nfsstat_table *table = whole(0, "Server nfs v4 operations", 75 * 76 / 2 - 3);
    ck_assert_uint_eq(table->count[COUNTER_REMOVEXATTR], 75);
    ck_assert_uint_eq(table->count[OP_ACCESS], 3);
    ck_assert_str_eq(table->unknown, "");
    strcpy(text + used, " 0 6 0 5\n");
    parse(text, 1);
    table = whole(0, "Server nfs v4 operations", 75 * 76 / 2 - 3 + 11);
    ck_assert_uint_eq(table->unknown_calls, 11);
    ck_assert_msg(strstr(table->unknown, "77") != NULL && strstr(table->unknown, "79") != NULL, "%s", table->unknown);
}
END_TEST

/* ---- mountstats ---- */

#define MOUNT(SERVER, MOUNTED, TYPE, VERSION)                                                               \
    "device " SERVER " mounted on " MOUNTED " with fstype " TYPE " statvers=1.1\n\topts:\trw,vers=3\n"      \
    "\tage:\t9503\n\tcaps:\tcaps=0x3fe7\n\tevents:\t35 259 2 1005 9 7 511\n\tbytes:\t1 2 3 4 5 6 7 8\n"     \
    "\tRPC iostats version: 1.1  p/v: 100003/" VERSION " (nfs)\n\txprt:\ttcp 0 0 1 0 0 5 5 0 5 0 2 0 0\n\t" \
    "per-op statistics\n"

/* The 22 ops of NFSv3 after `begin`, each with as many numbers; COMMIT's line as it is given. */
static const char *mount_ops(const char *begin, int numbers, const char *commit)
{
    static char text[8000];
    snprintf(text, sizeof text, "%s", begin);
    for (unsigned op = 0; op < OP_COMMIT; op++) {
        sprintf(text + strlen(text), "\t%12s: %u", op_name(op), op == OP_READ ? 7 : 0);
        for (int i = 1; i < numbers; i++) {
            strcat(text, i == 5 ? " 18446744073709551615" : " 1");
        }
        strcat(text, "\n");
    }
    strcat(text, commit);
    return text;
}

START_TEST(mounts)
{
    static const char mount[] = MOUNT("nas:/e", "/mnt/with\\040blank", "nfs", "3");
    for (int numbers = 8; numbers <= 9; numbers++) {
        parse(mount_ops(mount, numbers, numbers == 8 ? "\tCOMMIT: 5 5 0 1 1 1 1 1\n" : "\tCOMMIT: 5 5 0 1 1 1 1 1 0\n"),
              1);
        const struct nfsstat_table *table = whole(0, "Client nfs v3 on /mnt/with\\040blank", 12);
        ck_assert_uint_eq(table->mount.length, 18);
        ck_assert_int_eq(memcmp(table->mount.text, "/mnt/with\\040blank", 18), 0);
        ck_assert(table->mount.text > bytes && table->mount.text < bytes + 100);
        ck_assert_uint_eq(table->age_s, 9503);
        ck_assert_uint_eq(table->line, 1);
        ck_assert_int_eq(table->side, SIDE_CLIENT);
        ck_assert_int_eq(table->kind, TABLE_CALLS);
        ck_assert_uint_eq(table->count[OP_READ], 7);
        ck_assert_uint_eq(table->count[OP_COMMIT], 5);
    }
    parse(mount_ops(mount, 7, "\tCOMMIT: 5 5 0 1 1 1 1\n"), 1);
    broken(0, ":10:");
    static const char *const commits[] = {"\tCOMMIT: 5 5 0 1 1 1 1\n",    "\tCOMMIT:\n",
                                          "\tCOMMIT: -5 5 0 1 1 1 1 1\n", "\tCOMMIT: x 5 0 1 1 1 1 1\n",
                                          "\tCOMMIT: 5 5 0 1 1 1 1 1x\n", "\tCOMMIT: 5 5 0 1 1 1 1 1"};
    for (size_t i = 0; i < sizeof commits / sizeof commits[0]; i++) {
        parse(mount_ops(mount, 8, commits[i]), 1);
        broken(0, ":31:");
    }
    /* a line of another width has lost or gained a number; a line twice is damage too */
    parse(mount_ops(mount, 8, "\tCOMMIT: 5 5 0 1 1 1 1 1 0\n"), 1);
    broken(0, ":31:");
    parse(mount_ops(mount, 8, "\tCOMMIT: 5 5 0 1 1 1 1 1\n\tCOMMIT: 5 5 0 1 1 1 1 1\n"), 1);
    broken(0, "second time");
    parse(mount_ops(mount, 8, ""), 1);
    broken(0, "commit");
    parse(mount, 1);
    broken(0, "");
    parse(mount_ops(mount, 9, "\tCOMMIT: 5 5 0 1 1 1 1 1 0\n\tFROBNICATE: 3 3 0 1 1 1 1 1 0\n"), 1);
    ck_assert_uint_eq(whole(0, "Client nfs v3 on /mnt/with\\040blank", 15)->unknown_calls, 3);
    ck_assert_str_eq(found.tables[0].unknown, "FROBNICATE");
}
END_TEST

START_TEST(other_devices)
{
    static char text[20000];
    strcpy(text, "device rootfs mounted on / with fstype rootfs\ndevice proc mounted on /proc with fstype proc\n"
                 "no device mounted on /x with fstype tmpfs\ndevice /dev/sda1 mounted on /boot with fstype ext4\n"
                 "device nfsd mounted on /proc/fs/nfsd with fstype nfsd\n"
                 "device nas:/a mounted on /read with fstype nfs4\n");
    parse(text, 0);
    strcat(text, mount_ops(MOUNT("nas:/a", "/a", "nfs", "3"), 8, "\tCOMMIT: 5 5 0 1 1 1 1 1\n"));
    strcat(text, "\ndevice nfsd mounted on /proc/fs/nfsd with fstype nfsd\n\n");
    strcat(text, mount_ops(MOUNT("nas:/b", "/b", "nfs", "3"), 9, "\tCOMMIT: 6 5 0 1 1 1 1 1 0\n\n"));
    strcat(text, "device tmpfs mounted on /run/lock with fstype tmpfs\n");
    parse(text, 2);
    whole(0, "Client nfs v3 on /a", 12);
    whole(1, "Client nfs v3 on /b", 13);
}
END_TEST

/* cat of two of them, in any order. */
START_TEST(any_two_forms_in_one_text)
{
    static char mount[8000];
    static char text[20000];
    strcpy(mount, mount_ops(MOUNT("nas:/a", "/a", "nfs", "3"), 8, "\tCOMMIT: 5 5 0 1 1 1 1 1\n"));
    const struct {
        const char *text, *title;
        uint64_t total;
    } forms[] = {
        {"Server nfs v3:\n" V3("0", "5", "0"), "Server nfs v3", 5},
        {"Client nfs:\ncalls badcalls\n6 0\nVersion 2: (6 calls)\n" V2("6"), "Client nfs v2", 6},
        {"Server Info:\n" V3("0", "7", "0"), "Server nfs v3", 7},
        {"nfs v3 client total: 8\nnfs v3 client read: 8\n", "Client nfs v3", 8},
        {"rpc 9 0 9\n" PROC3("9") "\n", "Client nfs v3", 9},
        {mount, "Client nfs v3 on /a", 12},
    };
    char wrong[600] = "";
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        for (size_t j = 0; j < sizeof forms / sizeof forms[0]; j++) {
            snprintf(text, sizeof text, "$ first\n%s\n$ second\n%s", forms[i].text, forms[j].text);
            ck_assert(parse_bytes(text, strlen(text)));
            const struct nfsstat_table *tables = found.tables;
            if (found.count != 2 || tables[0].broken || tables[1].broken || tables[0].total != forms[i].total ||
                tables[1].total != forms[j].total || strcmp(tables[0].title, forms[i].title) != 0 ||
                strcmp(tables[1].title, forms[j].title) != 0) {
                sprintf(wrong + strlen(wrong), " %zu+%zu", i, j);
            }
        }
    }
    ck_assert_msg(wrong[0] == '\0', "%s", wrong);
}
END_TEST

/* The title is cut, the mount point is not. */
START_TEST(long_mount_point)
{
    char mount[700];
    snprintf(mount, sizeof mount, "device a:/b mounted on /%0300d with fstype nfs statvers=1.1\n%s", 7,
             strchr(MOUNT("", "", "", "3"), '\n') + 1);
    parse(mount_ops(mount, 8, "\tCOMMIT: 5 5 0 1 1 1 1 1\n"), 1);
    ck_assert_msg(!found.tables[0].broken, "%s", found.tables[0].why.text);
    ck_assert_uint_eq(found.tables[0].mount.length, 301);
    ck_assert(strncmp(found.tables[0].title, "Client nfs v3 on /0000", 22) == 0);
    ck_assert_uint_lt(strlen(found.tables[0].title), sizeof found.tables[0].title);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        lists,         list_without_its_total,    proc_lines,      proc_lines_beyond_the_known_ops, mounts,
        other_devices, any_two_forms_in_one_text, long_mount_point};
    return run_tests("nfsstat_lines", tests, sizeof tests / sizeof tests[0]);
}
