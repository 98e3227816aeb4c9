/* Tables of NFS calls in texts made by hand: forms, what stands around them, counts that are none, sizes, rubbish. */
#include "nfsstat_texts.h"

#include <stdio.h>
#include <time.h>

/* ---- forms of rows ---- */

enum style { ALONE, LINUX, ONE_BLANK, MANY_BLANKS, TABS, STYLES };

static int print(char *text, enum style style, unsigned long long count, unsigned long long percent)
{
    return style == ALONE       ? sprintf(text, "%10llu ", count)
           : style == LINUX     ? sprintf(text, "%-8llu%3llu%% ", count, percent)
           : style == ONE_BLANK ? sprintf(text, "%llu %llu%% ", count, percent)
           : style == TABS      ? sprintf(text, "\t%llu\t%llu%%\t", count, percent)
                                : sprintf(text, "%llu           %llu%%        ", count, percent);
}

START_TEST(rows_of_any_width)
{
    for (size_t width = 1; width <= OP_COUNT; width++) {
        for (enum style style = ALONE; style < STYLES; style++) {
            char text[8000] = "Server nfs v3:\n";
            uint64_t total = 0;
            for (uint64_t op = 0; op < OP_COUNT; op++) {
                total += op == OP_READ ? UINT64_C(40000000000) : 10 + op * op;
            }
            for (unsigned from = 0; from < OP_COUNT; from += (unsigned)width) {
                size_t used = strlen(text);
                for (unsigned op = from; op < from + width && op < OP_COUNT; op++) {
                    used += (size_t)sprintf(text + used, "%-12s ", op_name(op));
                }
                used += (size_t)sprintf(text + used, "\n");
                for (unsigned op = from; op < from + width && op < OP_COUNT; op++) {
                    unsigned long long count = op == OP_READ ? UINT64_C(40000000000) : 10 + op * op;
                    used += (size_t)print(text + used, style, count, 100 * count / total);
                }
                sprintf(text + used, "\n");
            }
            parse(text, 1);
            const struct nfsstat_table *table = whole(0, "Server nfs v3", total);
            for (unsigned op = 0; op < COUNTER_COUNT; op++) {
                ck_assert(table->listed[op] == (op < OP_COUNT));
                ck_assert_uint_eq(table->count[op], op >= OP_COUNT  ? 0
                                                    : op == OP_READ ? UINT64_C(40000000000)
                                                                    : 10 + op * op);
            }
        }
    }
}
END_TEST

#define V3P(GETATTR)                                                                               \
    "Server nfs v3:\nnull getattr setattr lookup access readlink\n0 0% " GETATTR                   \
    " 0 0% 0 0% 0 0% 0 0%\nread write create mkdir symlink mknod\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" \
    "remove rmdir rename link readdir readdirplus\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"                \
    "fsstat fsinfo pathconf commit\n0 0% 0 0% 0 0% 0 0%\n"

/* nfsstat prints %-8u%3u%%: only 100 % touches a count of eight digits or more. */
START_TEST(count_and_percentage_touch)
{
    static const struct {
        const char *text;
        uint64_t count;
    } good[] = {
        {V3P("12345678100%"), 12345678}, {V3P("40000000001100%"), UINT64_C(40000000001)},
        {V3P("100100%"), 100},           {V3P("100 100%"), 100},
        {V3P("100100 100%"), 100100},    {V3P("9223372036854775807100%"), INT64_MAX},
        {V3P("9264    100%"), 9264},     {V3P("7 100.00%"), 7},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        parse(good[i].text, 1);
        ck_assert_uint_eq(whole(0, "Server nfs v3", good[i].count)->count[OP_GETATTR], good[i].count);
    }
    refused(V3P("100%"), ":3:");
    refused(V3P("35"), ":3:");
    refused(V3P("35%"), ":3:");
    refused(V3P("35 %"), ":3:");
    refused(V3P("35 x%"), ":3:");
    refused(V3P("35 -1%"), ":3:");
    refused(V3P("35% 35%"), ":3:");
    refused(V3P("1.5 1%"), ":3:");
    refused(V3P("18446744073709551615100%"), ":3:");
    refused(V3P("18446744073709551616100%"), ":3:");
    refused(V3P("-5100%"), ":3:");
}
END_TEST

START_TEST(any_spelling)
{
    parse("Client nfs v3:\nNULL GetAttr SETATTR lookUp Access ReadLink Read\n1 2 3 4 5 6 7\n"
          "WRITE Create mkDir SymLink MKNOD Remove RmDir\n8 9 10 11 12 13 14\n"
          "Rename LINK ReadDir RdirPlus StatFS FSinfo pathConf Commit\n15 16 17 18 19 20 21 22\n",
          1);
    const struct nfsstat_table *table = whole(0, "Client nfs v3", 253);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        ck_assert_uint_eq(table->count[op], op + 1);
    }
    ck_assert_int_eq(table->side, SIDE_CLIENT);
    ck_assert_uint_eq(table->version, 3);
    ck_assert_int_eq(table->kind, TABLE_CALLS);
    ck_assert_uint_eq(table->mount.length, 0);
    parse("Client nfs v4:\nnull read write commit open open_conf open_noat open_dgrd close setattr fsinfo renew\n"
          "1 2 3 4 5 6 7 8 9 10 11 12\nsetclntid confirm lock lockt locku access getattr lookup lookup_root remove\n"
          "13 14 15 16 17 18 19 20 21 22\nrename link symlink create pathconf statfs readlink readdir server_caps\n"
          "23 24 25 26 27 28 29 30 31\ndelegreturn getacl setacl fs_locations\n32 33 34 35\n",
          1);
    table = whole(0, "Client nfs v4", 630);
    ck_assert_int_eq(table->kind, TABLE_CALLS);
    ck_assert_uint_eq(table->count[COUNTER_OPEN_CONFIRM], 6);
    ck_assert_uint_eq(table->count[COUNTER_OPEN_DOWNGRADE], 8);
    ck_assert_uint_eq(table->count[COUNTER_SETCLIENTID], 13);
    ck_assert_uint_eq(table->count[COUNTER_SETCLIENTID_CONFIRM], 14);
    ck_assert_uint_eq(table->count[COUNTER_LOOKUP_ROOT], 21);
    ck_assert_uint_eq(table->count[COUNTER_LOOKUPP], 0);
    ck_assert_uint_eq(table->count[OP_FSSTAT], 28);
}
END_TEST

/* ---- several tables, and what stands around them ---- */

START_TEST(sides)
{
    parse("Server nfs v2:\n" V2("5") "\nServer nfs v3:\n" V3(
              "0", "6", "0") "\nServer nfs v4:\nnull compound\n7 8\n\n"
                             "Client nfs v2:\n" V2("9") "\nClient nfs v3:\n" V3("0", "10", "0"),
          5);
    ck_assert_int_eq(whole(0, "Server nfs v2", 5)->side, SIDE_SERVER);
    ck_assert_uint_eq(found.tables[0].version, 2);
    ck_assert_uint_eq(found.tables[0].line, 1);
    ck_assert_int_eq(whole(1, "Server nfs v3", 6)->side, SIDE_SERVER);
    ck_assert_uint_eq(found.tables[1].line, 9);
    ck_assert_int_eq(whole(2, "Server nfs v4", 15)->kind, TABLE_COMPOUNDS);
    ck_assert_int_eq(whole(3, "Client nfs v2", 9)->side, SIDE_CLIENT);
    ck_assert_int_eq(whole(4, "Client nfs v3", 10)->side, SIDE_CLIENT);
    /* Solaris: the version under the side */
    parse("Server rpc:\nConnection oriented:\ncalls badcalls\n1 2\n\nServer nfs:\ncalls badcalls\n11 0\n"
          "Version 2: (5 calls)\n" V2("5") "Version 3: (6 calls)\n" V3(
              "0", "6", "0") "\nServer nfs_acl:\nVersion 2: (3 calls)\nnull getacl setacl getattr access\n0 1 0 2 0\n"
                             "Version 3: (4 calls)\nnull getacl setacl\n0 4 0\n\nClient rpc:\nConnectionless:\ncalls "
                             "badcalls\n1 2\n\n"
                             "Client nfs:\ncalls badcalls clgets cltoomany\n7 0 7 0\nVersion 2: (0 calls)\n" V2(
                                 "0") "Version 3: (7 calls)\n" V3("0", "7", "0"),
          6);
    ck_assert_int_eq(whole(0, "Server nfs v2", 5)->kind, TABLE_CALLS);
    whole(1, "Server nfs v3", 6);
    ck_assert_int_eq(whole(2, "Server nfs_acl v2", 3)->kind, TABLE_ACL);
    ck_assert_int_eq(whole(3, "Server nfs_acl v3", 4)->kind, TABLE_ACL);
    ck_assert_int_eq(whole(4, "Client nfs v2", 0)->side, SIDE_CLIENT);
    ck_assert_int_eq(whole(5, "Client nfs v3", 7)->kind, TABLE_CALLS);
}
END_TEST

/* The BSDs do not say the version, macOS's rows not even the side. */
START_TEST(no_version_no_side)
{
    parse("Client Info:\nRpc Counts:\n" V3(
              "0", "5", "0") "Rpc Info:\nTimedOut Invalid\n0 0\nCache Info:\n"
                             "Attr Hits Misses\n5 5\n\nServer Info:\n" V3(
                                 "0", "6", "0") "Server Ret-Failed\n 0\nServer Faults\n 0\n"
                                                "Server Cache Stats:\nInprog Idem Non-idem Misses\n0 0 0 7\n",
          2);
    whole(0, "Client nfs v3", 5);
    whole(1, "Server nfs v3", 6);
    parse(V3("0", "5", "0"), 1);
    ck_assert_int_eq(whole(0, "nfs v3", 5)->side, SIDE_UNKNOWN);
    parse("host% nfsstat\n" V2("5"), 1);
    whole(0, "nfs v2", 5);
}
END_TEST

START_TEST(surroundings)
{
    parse("Last login: Tue Dec  1 12:00:00 on tty1\nWelcome! Please read the manual, then open a ticket.\n"
          "[root@nfs4 ~]# nfsstat -s; nfsstat -c\nServer packet stats:\npackets udp tcp tcpconn\n9 0 9 1\n\n"
          "Server rpc stats:\ncalls badcalls\n9 0\n\nServer reply cache:\nhits misses nocache\n3 4 5\n\n"
          "Server io stats:\nread write\n98 99\n\nServer read ahead cache:\nsize 0-10% 10-20%\n32 7 7\n\n"
          "Server file handle cache:\nlookup anon ncachedir ncachedir stale\n5 5 5 5 98\n\n"
          "Server nfs v3:\n" V3(
              "0", "5", "0") "\nClient rpc stats:\ncalls retrans authrefrsh\n7 0 7\n\n"
                             "Client nfs v3:\n" V3(
                                 "0", "7", "0") "\n[root@nfs4 ~]# uptime\n 12:00:00 up 3 days, load average: 0.00\n"
                                                "[root@nfs4 ~]# exit\nlogout\nConnection to nfs4 closed.\n",
          2);
    whole(0, "Server nfs v3", 5);
    whole(1, "Client nfs v3", 7);
    parse("", 0);
    parse("\n\n \t\r\n", 0);
    parse("Dear all,\nplease read the access log, open it and lock it.\n\nget lookup\n1 2\n", 0);
    parse("getattr 50\nread 50\n", 0);
    parse("null\n", 0);
    parse("Server rpc stats:\ncalls badcalls\n5 0\n", 0);
}
END_TEST

/* Words that are also ops, in a sentence or a command behind a whole table: they are no table. */
START_TEST(prose_behind)
{
    static const char *const behind[] = {"$ link a b\n", "\nread errors: 0\n", "mount: access denied by server\n",
                                         "\nSo much for the read and write calls\nof today\n"};
    char wrong[400] = "";
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "Server nfs v3:\n%s%s", V3("0", "5", "0"), behind[i]);
        ck_assert(parse_bytes(text, strlen(text)));
        if (found.count != 1 || found.tables[0].broken) {
            snprintf(wrong + strlen(wrong), 60, " '%.40s'", behind[i]);
        }
    }
    ck_assert_msg(wrong[0] == '\0', "%s", wrong);
}
END_TEST

START_TEST(another_table_without_a_title)
{
    parse("Server Info:\n" V3("0", "5", "0") V3("0", "6", "0") "\n" V3("1", "6", "0"), 3);
    whole(0, "Server nfs v3", 5);
    whole(1, "Server nfs v3", 6);
    whole(2, "Server nfs v3", 7);
    ck_assert_uint_eq(found.tables[1].line, 10);
    parse("Server nfs v3:\nnull getattr setattr\n1 2 3\nread getattr\n4 5\n", 2);
    broken(0, "lookup");
    broken(1, "");
}
END_TEST

START_TEST(not_whole)
{
    refused("Server nfs v3:\n", "Server nfs v3");
    refused("Server nfs v3:\n\n\n", "Server nfs v3");
    refused("Server nfs v3:\nnull getattr setattr lookup access readlink\n", ":2:");
    refused("Server nfs v3:\nnull getattr setattr\n\n5 5\n", ":4:");
    refused("Server nfs v3:\nnull getattr setattr\n5 5 5 5\n", ":3:");
    refused("Server nfs v3:\nnull getattr setattr\n5 x 5\n", ":3:");
    refused("Server nfs v3:\nnull getattr setattr\n5 5 5\n", "lookup");
    refused("Client nfs v2:\nnull getattr setattr\n5 5 5\n", "lookup");
    refused("Server nfs v4:\nnull\n5\n", "");
    parse("Server nfs v3:\nClient nfs v3:\n" V3("0", "5", "0"), 2);
    broken(0, "Server nfs v3");
    whole(1, "Client nfs v3", 5);
}
END_TEST

/* ---- counts ---- */

START_TEST(large_counts)
{
    parse("Server nfs v3:\n" V3("0", "9223372036854775807", "0"), 1);
    whole(0, "Server nfs v3", INT64_MAX);
    parse("Server nfs v3:\n" V3("1", "9223372036854775807", "9223372036854775807"), 1);
    whole(0, "Server nfs v3", UINT64_MAX);
    refused("Server nfs v3:\n" V3("2", "9223372036854775807", "9223372036854775807"), "64 bits");
    refused("Server nfs v3:\n" V3("9223372036854775807", "9223372036854775807", "9223372036854775807"), ":5:");
    static const char *const no_counts[] = {"Server nfs v3:\n" V3("0", "9223372036854775808", "0"),
                                            "Server nfs v3:\n" V3("0", "18446744073709551615", "0"),
                                            "Server nfs v3:\n" V3("0", "18446744073709551616", "0"),
                                            "Server nfs v3:\n" V3("0", "1000000000000000000000000000000", "0"),
                                            "Server nfs v3:\n" V3("0", "-1", "0"),
                                            "Server nfs v3:\n" V3("0", "-9223372036854775808", "0"),
                                            "Server nfs v3:\n" V3("0", "1e3", "0")};
    for (size_t i = 0; i < sizeof no_counts / sizeof no_counts[0]; i++) {
        refused(no_counts[i], ":3:");
        broken(0, "getattr");
    }
    refused("Server nfs v3:\n" V3("-5", "1", "0"), "negative");
}
END_TEST

START_TEST(unknown_ops)
{
    parse("Server nfs v3:\nfrobnicate nicate\n0 0\n" V3("0", "5", "0"), 1);
    const struct nfsstat_table *table = whole(0, "Server nfs v3", 5);
    ck_assert_str_eq(table->unknown, "");
    ck_assert_uint_eq(table->unknown_calls, 0);
    parse("Server nfs v3:\n" V3("0", "5", "0") "frobnicate idle nicate\n7 0 11\n", 1);
    table = whole(0, "Server nfs v3", 23);
    ck_assert_msg(strstr(table->unknown, "frobnicate") != NULL && strstr(table->unknown, "nicate") != NULL &&
                      strstr(table->unknown, "idle") == NULL,
                  "%s", table->unknown);
    ck_assert_uint_eq(table->unknown_calls, 18);
    ck_assert_uint_ge(table->unknown_line, 10);
    ck_assert_uint_le(table->unknown_line, 11);
    parse("Server nfs v3:\nnull getattr frobnicate setattr lookup access readlink\n1 2 3 4 5 6 7\n"
          "read write create mkdir symlink mknod\n0 0 0 0 0 0\nremove rmdir rename link readdir readdirplus\n"
          "0 0 0 0 0 0\nfsstat fsinfo pathconf commit\n0 0 0 0\n",
          1);
    table = whole(0, "Server nfs v3", 28);
    ck_assert_str_eq(table->unknown, "frobnicate");
    ck_assert_uint_eq(table->count[OP_SETATTR], 4);
    refused("Server nfs v3:\n" V3("0", "9223372036854775807", "9223372036854775807") "frobnicate null2\n5 5\n", "");
}
END_TEST

/* As many names as fit; of one that does not, its beginning; the calls of all. */
START_TEST(many_unknown_ops)
{
    char text[4000] = "Server nfs v3:\n" V3("0", "5", "0");
    for (int i = 0; i < 40; i++) {
        sprintf(text + strlen(text), "frobnicate%d\n%d\n", i, 1);
    }
    parse(text, 1);
    const struct nfsstat_table *table = whole(0, "Server nfs v3", 45);
    ck_assert_uint_eq(table->unknown_calls, 40);
    ck_assert_uint_lt(strlen(table->unknown), sizeof table->unknown);
    ck_assert(strncmp(table->unknown, "frobnicate0, frobnicate1", 24) == 0);
    strcpy(text, "Server nfs v3:\n" V3("0", "5", "0"));
    memset(text + strlen(text), 'y', 1000);
    strcat(text, "\n7\n");
    parse(text, 1);
    ck_assert(strncmp(whole(0, "Server nfs v3", 12)->unknown, "yyyyyyyyyyyyyyyy", 16) == 0);
    ck_assert_uint_lt(strlen(found.tables[0].unknown), sizeof found.tables[0].unknown);
}
END_TEST

/* ---- sizes ---- */

START_TEST(many_columns)
{
    for (int columns = 64; columns <= 65; columns++) {
        char text[4000] = "Server nfs v3:\n";
        for (int i = 0; i < columns; i++) {
            sprintf(text + strlen(text), "%s ", i < OP_COUNT ? op_name((unsigned)i) : "other");
        }
        strcat(text, "\n");
        for (int i = 0; i < columns; i++) {
            strcat(text, "1 ");
        }
        strcat(text, "\n");
        parse(text, 1);
        if (columns == 64) {
            whole(0, "Server nfs v3", 64);
        } else {
            broken(0, ":2:");
        }
    }
}
END_TEST

START_TEST(many_tables)
{
    static const char title[] = "Server nfs v3:\n" V3("0", "5", "0");
    size_t length = strlen(title);
    char *text = malloc(5000 * length);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < 5000; i++) {
        memcpy(text + i * length, title, length);
    }
    ck_assert_msg(parse_bytes(text, 1000 * length), "%s", problem.text);
    ck_assert_uint_eq(found.count, 1000);
    whole(999, "Server nfs v3", 5);
    ck_assert_uint_eq(found.tables[999].line, 999 * 9 + 1);
    ck_assert(!parse_bytes(text, 5000 * length));
    check_problem(&problem);
    ck_assert_msg(strncmp(problem.text, "dir/x.txt:", 10) == 0, "%s", problem.text);
    free(text);
}
END_TEST

/* A beginning, then `count` times the same, then an end; the processor time it took to read. */
static double seconds_for(const char *begin, const char *again, size_t count, const char *end)
{
    size_t begun = strlen(begin);
    size_t step = strlen(again);
    size_t length = begun + step * count + strlen(end);
    char *text = malloc(length + 1);
    must(text != NULL);
    memcpy(text, begin, begun);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + begun + i * step, again, step);
    }
    strcpy(text + begun + count * step, end);
    clock_t start = clock();
    ck_assert_msg(parse_bytes(text, length), "%s", problem.text);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    return seconds;
}

START_TEST(long_texts)
{
    enum { MEGA = 1000000 };
    const double most = getenv("CHECK_UNDER") == NULL ? 2 : 100; /* valgrind takes its time */
    static const char title[] = "Server nfs v3:\n";
    static const char names[] = "null getattr setattr lookup access readlink\n";
    ck_assert_double_lt(seconds_for("", "x", MEGA, ""), most);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_double_lt(seconds_for(title, "x", MEGA, ""), most);
    ck_assert_double_lt(seconds_for(title, "read ", MEGA / 5, "\n1 2 3\n"), most);
    broken(0, ":2:");
    ck_assert_double_lt(seconds_for("Server nfs v3:\nnull getattr\n5 ", "7", MEGA, "\n"), most);
    broken(0, ":3:");
    ck_assert_double_lt(seconds_for("Server nfs v3:\nnull getattr\n5 ", "7 ", MEGA / 2, "\n"), most);
    broken(0, ":3:");
    ck_assert_double_lt(seconds_for("Server nfs v3:\nnull getattr\n5 7", " ", MEGA, "\n"), most);
    broken(0, "setattr");
    ck_assert_double_lt(seconds_for("Server nfs v3:\nnull getattr\n", "\n", MEGA, ""), most);
    broken(0, "");
    ck_assert_double_lt(seconds_for("Server nfs v3:\nnull getattr\n", "\n", MEGA, "5 5\n"), most);
    broken(0, "setattr"); /* the counts were found */
    ck_assert_double_lt(seconds_for(title, names, 200000, ""), most);
    broken(0, "");
    ck_assert_double_lt(seconds_for("", names, 200000, ""), most);
    ck_assert_double_lt(seconds_for("Server nfs:\n", names, 200000, ""), most);
    ck_assert_double_lt(seconds_for("Server nfs:\n", "calls badcalls\n\n", 200000, ""), most);
    ck_assert_double_lt(seconds_for("Server nfs:\n", "5 5\n\n\n", 200000, ""), most);
    ck_assert_double_lt(
        seconds_for("device a mounted on /b with fstype nfs statvers=1.1\n", " mounted on ", MEGA / 12, ""), most);
    ck_assert_double_lt(seconds_for("proc3 22", " 5", MEGA / 2, "\n"), most);
    broken(0, ":1:");
}
END_TEST

START_TEST(rubbish)
{
    char text[4096];
    struct rng rng;
    ck_assert(!parse_bytes("Server nfs v3:\n\0", 16));
    check_problem(&problem);
    ck_assert(!parse_bytes("\0", 1));
    check_problem(&problem);
    ck_assert_msg(strstr(problem.text, "x.txt") != NULL, "%s", problem.text);
    rng_init(&rng, 3, 1);
    for (int round = 0; round < 3000; round++) {
        size_t length = (size_t)rng_below(&rng, sizeof text);
        for (size_t i = 0; i < length; i++) {
            static const char likely[] = "\n\n\n   \t:%-0123456789read\nnull\nServer nfs v3:\nVersion 4:\n(7)\r";
            text[i] = round % 3 == 0 ? (char)(1 + rng_below(&rng, 255)) : likely[rng_below(&rng, sizeof likely - 1)];
        }
        bool zero = round % 16 == 0 && length > 0;
        if (zero) {
            text[rng_below(&rng, length)] = '\0';
        }
        must(parse_bytes(text, length) == !zero);
        for (size_t i = 0; i < found.count; i++) {
            must(found.tables[i].broken && strchr(found.tables[i].why.text, '\n') == NULL);
        }
    }
}
END_TEST

/* What a file's name holds that is not printable must not be in a message. */
START_TEST(file_names)
{
    char name[2000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    name[3] = '\n';
    nfsstat_free(&found);
    ck_assert(nfsstat_parse("Server nfs v3:\n", 15, name, &found, &problem));
    ck_assert(found.count == 1 && found.tables[0].broken);
    check_problem(&found.tables[0].why);
    nfsstat_free(&found);
    ck_assert(!nfsstat_parse("\0", 1, name, &found, &problem));
    check_problem(&problem);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {rows_of_any_width,  count_and_percentage_touch,
                                  any_spelling,       sides,
                                  no_version_no_side, surroundings,
                                  prose_behind,       another_table_without_a_title,
                                  not_whole,          large_counts,
                                  unknown_ops,        many_unknown_ops,
                                  many_columns,       many_tables,
                                  long_texts,         rubbish,
                                  file_names};
    return run_tests("nfsstat", tests, sizeof tests / sizeof tests[0]);
}
