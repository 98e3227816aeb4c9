/* Mix files: the simple form, listings of calls, and what is neither. */
#include "mix_texts.h"

static void accepted(const char *text)
{
    taken(text, anything);
}

static void no_mix(const char *text, const char *words)
{
    refused(text, anything, words);
}

static void percents_are(double getattr, double read, double write)
{
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], getattr, 1e-9);
    ck_assert_double_eq_tol(mix.percent[OP_READ], read, 1e-9);
    ck_assert_double_eq_tol(mix.percent[OP_WRITE], write, 1e-9);
    ck_assert_double_eq_tol(getattr + read + write, 100, 1e-9);
}

START_TEST(simple)
{
    accepted("getattr 50\nread 30\nwrite 20\n");
    percents_are(50, 30, 20);
    ck_assert_str_eq(mix.name, "my.mix");
    ck_assert_ptr_nonnull(strstr(mix.source, "my.mix"));
    ck_assert_str_eq(origin.file, "dir/my.mix");
    ck_assert_str_eq(origin.table, "");
    ck_assert_uint_eq(origin.calls, 0);
    ck_assert_uint_eq(origin.dialect.version, 3);
    ck_assert_double_eq(origin.share[OP_READ], 30);
    ck_assert_double_eq(origin.known_percent, 100);
    ck_assert_str_eq(origin.choice, "");
    ck_assert_str_eq(origin.translation, "");
    accepted("getattr 50\nread 30\nwrite 20"); /* no final line end */
    percents_are(50, 30, 20);
    accepted("getattr 50\r\nread 30\r\nwrite 20\r\n");
    percents_are(50, 30, 20);
    accepted("getattr 50\r\nread 30\r\nwrite 20\r");
    percents_are(50, 30, 20);
    accepted("getattr 50%\nread 30%\nwrite 20%\n");
    percents_are(50, 30, 20);
    accepted("getattr 50 %\nread 30 %\nwrite 20 %\n");
    percents_are(50, 30, 20);
    accepted("\xef\xbb\xbfgetattr 50\nread 30\nwrite 20\n"); /* a byte order mark */
    percents_are(50, 30, 20);
    accepted("  getattr\t50  \n\n\t read   30\n   \nwrite 20\n\n");
    percents_are(50, 30, 20);
    accepted("# a mix\n#getattr 99\n\ngetattr 50 # most\nread 30#\nwrite 20 # getattr 7\n# end");
    percents_are(50, 30, 20);
    accepted("GETATTR 50\nRead 30\nwRITE 20\n");
    percents_are(50, 30, 20);
    accepted("getattr 12.5\nread 87.5\n");
    percents_are(12.5, 87.5, 0);
    accepted("getattr 0.25%\nread 99.75%\n");
    percents_are(0.25, 99.75, 0);
    accepted("write 0\nread 100\n");
    percents_are(0, 100, 0);
    accepted("null 100\n");
    ck_assert_double_eq(mix.percent[OP_NULL], 100);
    accepted("statfs 60\nreaddir+ 40\n");
    ck_assert_double_eq(mix.percent[OP_FSSTAT], 60);
    ck_assert_double_eq(mix.percent[OP_READDIRPLUS], 40);
}
END_TEST

/* 100 +- 0.5 is scaled to exactly 100; beyond, the sum is in the message. */
START_TEST(sums)
{
    accepted("getattr 50\nread 49.5\n");
    percents_are(100 * 50 / 99.5, 100 * 49.5 / 99.5, 0);
    accepted("getattr 50\nread 50.5\n");
    percents_are(100 * 50 / 100.5, 100 * 50.5 / 100.5, 0);
    accepted("getattr 33.3\nread 33.3\nwrite 33.3\n"); /* 99.9 */
    percents_are(100 / 3.0, 100 / 3.0, 100 / 3.0);
    /* 99.5 in tenths, which add up a little off in binary */
    accepted("getattr 0.1\nread 0.2\nwrite 99.2\n");
    no_mix("getattr 50\nread 49.4\n", "99.4");
    no_mix("getattr 50\nread 50.6\n", "100.6");
    no_mix("getattr 50\n", "50");
    no_mix("getattr 100\nread 100\n", "200");
    no_mix("getattr 0\n", " 0");
    no_mix("getattr 0\nread 0.0\n", " 0");
}
END_TEST

START_TEST(bad_lines)
{
    no_mix("server v4 operations and much more\nread 100\n", "");
    no_mix("client v3 v4 operations v4 v4\nread 100\n", "");
    no_mix("getattr 50\nread 30\ngetattr 20\n", ":3:");
    no_mix("fsstat 50\nstatfs 50\n", ":2:"); /* two names of one op */
    no_mix("getattr 50\nfrobnicate 50\n", ":2:");
    no_mix("getattr 50\nfrobnicate 50\n", "frobnicate");
    no_mix("frobnicate 100\n", ":1:");
    no_mix("getattr 50\nread\nwrite 50\n", ":2:");
    no_mix("getattr\n", "getattr");
    no_mix("getattr 50\nread %\n", ":2:");
    no_mix("getattr 50\n\n# x\nread fifty\n", ":4:");
    no_mix("getattr 50\nread 50 50\n", ":2:");
    no_mix("getattr 50 read 50\n", ":1:");
    static const char *const no_percents[] = {"-50",  "+50", "5e1", "0x32", "inf",   "nan", "1.2.3", ".",  "..",
                                              "50%%", "%50", "5,0", "50k",  "100.1", "101", "1e400", "--", "NaN%"};
    for (size_t i = 0; i < sizeof no_percents / sizeof no_percents[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "getattr 50\nread %s\nwrite 0\n", no_percents[i]);
        no_mix(text, ":2:");
    }
    char digits[400] = "getattr 50\nread ";
    memset(digits + 16, '0', 300);
    strcpy(digits + 316, "50\n");
    ck_assert(!read_bytes(digits, strlen(digits), anything) || mix.percent[OP_READ] == 50);
}
END_TEST

/* Names that only NFSv4 has make the lines a v4 client's, unless a line before them says whose they are. */
START_TEST(simple_of_v4)
{
    accepted("open 50\ngetattr 50\n"); /* an open: lookup and access */
    mix_is(POINTS([OP_LOOKUP] = 50, [OP_ACCESS] = 50, [OP_GETATTR] = 50));
    ck_assert_uint_eq(origin.dialect.version, 4);
    ck_assert(!origin.dialect.operations);
    ck_assert_str_ne(origin.translation, "");
    ck_assert_double_eq(origin.share[COUNTER_OPEN], 50);
    accepted("client v4\nopen 50\ngetattr 50\n");
    mix_is(POINTS([OP_LOOKUP] = 50, [OP_ACCESS] = 50, [OP_GETATTR] = 50));
    ck_assert_int_eq(origin.side, SIDE_CLIENT);
    accepted("# mine\n\n  Server V4 # ours\nopen 50\ngetattr 50\n");
    mix_is(POINTS([OP_LOOKUP] = 50, [OP_GETATTR] = 50));
    ck_assert_int_eq(origin.side, SIDE_SERVER);
    ck_assert(origin.dialect.operations);
    /* the line alone makes readdir v4's */
    accepted("client v4\nreaddir 40\ncreate 60\n");
    mix_is(POINTS([OP_READDIRPLUS] = 40, [OP_MKDIR] = 60));
    accepted("readdir 40\ncreate 60\n");
    mix_is(POINTS([OP_READDIR] = 40, [OP_CREATE] = 60));
    accepted("server v4\nputfh 40\nread 40%\nsequence 19.6\n"); /* 99.6 */
    mix_is(POINTS([OP_READ] = 100));
    ck_assert_ptr_nonnull(strstr(origin.translation, "putfh"));
    ck_assert_double_eq_tol(origin.share[OP_READ], 100 * 40 / 99.6, 1e-9);
    no_mix("putfh 100\n", "");
    no_mix("server v4\nclose 100\n", "");
    no_mix("server v4\n", "");
    no_mix("server v5\nread 100\n", "");
    no_mix("read 50\nserver v4\nwrite 50\n", ":2:"); /* before them */
    refused("client v4\nfrobnicate 100\n", (struct mix_wanted){.ignore_unknown = true}, "");
}
END_TEST

START_TEST(simple_of_v2)
{
    accepted("root 20\ngetattr 40\nreaddir 35\nwrcache 5\n");
    mix_is(POINTS([OP_GETATTR] = 40, [OP_READDIR] = 35));
    ck_assert_uint_eq(origin.dialect.version, 2);
    ck_assert_ptr_nonnull(strstr(origin.translation, "root"));
    ck_assert_ptr_nonnull(strstr(origin.translation, "wrcache"));
    no_mix("root 100\n", "");
    accepted("client v2\ncreate 100\n");
    mix_is(POINTS([OP_CREATE] = 1));
}
END_TEST

START_TEST(simple_version_asked_for)
{
    taken("getattr 100\n", by("v3"));
    taken("server v4\ngetattr 100\n", by("v4"));
    refused("getattr 100\n", by("v4"), "NFSv3");
    refused("open 100\n", by("v3"), "NFSv4");
    refused("client v2\nread 100\n", by("v3"), "NFSv2");
    taken("getattr 100\n", (struct mix_wanted){.preferred_version = 4}); /* there is no v4 to prefer */
}
END_TEST

START_TEST(simple_unknown_ops)
{
    const struct mix_wanted ignore = {.ignore_unknown = true};
    static const char text[] = "getattr 40\nfoo 15\nread 40\nbar 5\n";
    no_mix(text, "foo");
    no_mix(text, ":2:");
    taken(text, ignore);
    percents_are(50, 50, 0);
    ck_assert_double_eq_tol(origin.known_percent, 80, 1e-9);
    ck_assert_double_eq_tol(origin.share[OP_READ], 50, 1e-9); /* of all known ops */
    ck_assert_msg(strstr(origin.unknown, "20.00 %") != NULL, "%s", origin.unknown);
    ck_assert_msg(strstr(origin.unknown, "bar") != NULL, "%s", origin.unknown);
    taken("getattr 100\nfoo 0\n", ignore);
    ck_assert_str_eq(origin.unknown, "");
    refused("getattr 50\nfoo 40\n", ignore, "90"); /* the unknown ones belong to the sum */
    refused("getattr 50\nfoo fifty\n", ignore, ":2:");
    refused("foo 100\n", ignore, "");
    refused("getattr 0\nfoo 100\n", ignore, "");
    taken(text, ignore);
    ck_assert_msg(strstr(origin.unknown, "foo") != NULL, "not all that was left out is named: %s", origin.unknown);
}
END_TEST

START_TEST(no_mix_at_all)
{
    no_mix("", "");
    no_mix("\n\n\n", "");
    no_mix("# nothing\n", "");
    no_mix("   ", "");
    no_mix("Dear all,\nplease find the mix attached.\n", "");
    no_mix("7 getattr\n", "");
    no_mix("{\"getattr\": 50}\n", "");
    no_mix("getattr=50\nread=50\n", "");
    no_mix("nfs v3:\n", "");
    no_mix("Server nfs v3:\n", "");
    no_mix("Server nfs v3:\nnull getattr\n", "");
    no_mix(":\n", "");
    no_mix("%\n", "");
}
END_TEST

START_TEST(binary)
{
    char bytes[4096];
    struct rng rng;
    rng_init(&rng, 1, 1);
    ck_assert(!read_bytes("getattr 50\0\nread 50\n", 20, anything));
    ck_assert(!read_bytes("\0", 1, anything));
    ck_assert(!read_bytes("\xef\xbb\xbf", 3, anything));
    ck_assert(!read_bytes("\xef\xbb", 2, anything));
    for (int round = 0; round < 2000; round++) {
        size_t length = (size_t)rng_below(&rng, sizeof bytes);
        for (size_t i = 0; i < length; i++) {
            /* with and without zero bytes; every other round mostly blanks, digits and line ends */
            static const char likely[] = "\n\n  \t:%#.0123456789vServer nfs v3:\nread 1\n";
            bytes[i] = round % 2 == 0 ? (char)rng_next(&rng) : likely[rng_below(&rng, sizeof likely - 1)];
        }
        ck_assert(!read_bytes(bytes, length, anything));
    }
}
END_TEST

/* ---- listings ---- */

/* INDEX.md of the samples: 100 * count / sum of the section, to two decimals; what is not named has no calls. */
static const struct sample {
    const char *file, *section, *calls;
    const char *percents;
} samples[] = {
    {"linux-nfsstat-c-v3-387M.txt", "Client nfs v3", "386851036",
     "getattr 66.99, setattr 0.12, lookup 5.38, access 15.78, readlink 0.01, read 4.40, write 1.38, create 0.10, mkdir "
     "0.01, symlink 0.00, mknod 0.00, remove 0.16, rmdir 0.01, rename 0.03, link 0.00, readdir 0.06, readdirplus 1.69, "
     "fsstat 3.90, fsinfo 0.00, pathconf 0.00"},
    {"linux-nfsstat-ns-v3-centos64.txt", "Server nfs v3", "1826177",
     "null 0.00, getattr 49.12, setattr 0.01, lookup 0.76, access 0.41, read 49.65, write 0.03, create 0.01, mkdir "
     "0.02, "
     "mknod 0.00, remove 0.01, rename 0.00, readdirplus 0.00, fsstat 0.00, fsinfo 0.00"},
    {"linux-nfsstat-s-v3-tiny.txt", "Server nfs v3", "170",
     "null 1.76, getattr 88.24, lookup 1.76, access 1.18, readdirplus 5.29, fsinfo 1.76"},
    {"linux-nfsstat-v-server-v3-gist2015.txt", "Server nfs v3", "505591",
     "null 0.01, getattr 47.86, setattr 0.01, lookup 0.09, access 1.62, readlink 0.00, read 18.21, write 31.49, create "
     "0.01, mkdir 0.00, remove 0.02, link 0.01, readdirplus 0.32, fsstat 0.09, fsinfo 0.02, pathconf 0.01, commit "
     "0.24"},
    {"linux24-nfsstat-c-v3-irixclient.txt", "Client nfs v3", "249073",
     "getattr 0.14, setattr 1.98, lookup 77.38, access 0.29, readlink 0.01, read 4.37, write 6.46, create 1.25, mkdir "
     "0.00, symlink 0.00, remove 1.09, rmdir 0.00, rename 0.97, link 0.09, readdir 0.66, fsstat 0.00, fsinfo 0.00, "
     "commit 5.31"},
    {"linux26-nfsstat-c-v3-lkml2006.txt", "Client nfs v3", "13220",
     "getattr 19.49, setattr 0.01, lookup 0.18, access 0.14, read 53.29, write 24.21, readdirplus 0.26, fsinfo 0.02, "
     "commit 2.41"},
    {"linux26-nfsstat-c-v3-ubuntu2007.txt", "Client nfs v3", "567",
     "getattr 29.63, setattr 2.29, lookup 22.05, access 16.93, readlink 1.41, read 4.23, write 1.94, create 0.53, "
     "remove "
     "0.53, rename 0.53, readdirplus 16.58, fsinfo 3.35"},
    {"linux26-nfsstat-s-v2v3-ubuntu2007.txt", "Server nfs v3", "121086",
     "null 0.03, getattr 83.44, setattr 0.34, lookup 7.88, access 5.78, read 0.04, write 0.55, create 0.35, mkdir "
     "0.10, "
     "remove 0.35, rmdir 0.10, rename 0.14, readdirplus 0.75, fsstat 0.01, fsinfo 0.01, commit 0.14"},
    {"linux26-nfsstat-sn-v2v3-ubuntu2006.txt", "Server nfs v2", "128011",
     "null 0.02, getattr 3.31, setattr 0.00, lookup 0.16, read 96.47, readdir 0.02, fsstat 0.02"},
    {"linux-nfsstat-l-v3-client.txt", "Client nfs v3", "4757195",
     "getattr 9.74, lookup 18.05, access 51.24, readlink 0.00, read 20.47, readdirplus 0.03, fsstat 0.45, fsinfo 0.00, "
     "pathconf 0.00"},
    {"sunos4-nfsstat-s.txt", "Server nfs v2", "1613", "getattr 2.67, lookup 1.55, read 4.96, write 90.82"},
};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void check_sample(const struct sample *sample)
{
    bool named[OP_COUNT] = {false};
    double sum = 0;
    for (const char *at = sample->percents; at != NULL; at = strchr(at, ',')) {
        char name[20];
        double percent = 0;
        at += *at == ',';
        ck_assert_int_eq(sscanf(at, " %19s %lf", name, &percent), 2);
        int op = op_by_name(name, strlen(name));
        ck_assert_int_ge(op, 0);
        named[op] = true;
        ck_assert_msg(fabs(mix.percent[op] - percent) <= 0.005 + 1e-9, "%s: %s %g, not %g", sample->file, name,
                      mix.percent[op], percent);
        ck_assert_msg(mix.percent[op] > 0, "%s: %s has calls", sample->file, name);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert(named[op] || mix.percent[op] == 0);
        sum += mix.percent[op];
    }
    ck_assert_double_eq_tol(sum, 100, 1e-9);
    ck_assert_msg(strstr(mix.source, sample->section) != NULL, "%s: %s", sample->file, mix.source);
    ck_assert_msg(strstr(mix.source, sample->calls) != NULL, "%s: %s", sample->file, mix.source);
}

START_TEST(samples_of_calls)
{
    static struct text text;
    static struct text crlf;
    for (int i = 0; i < SAMPLES; i++) {
        load_sample(samples[i].file, &text);
        crlf.length = 0;
        for (size_t n = 0; n < text.length; n++) {
            put(&crlf, text.bytes[n] == '\n' ? "\r%c" : "%c", text.bytes[n]);
        }
        ck_assert_msg(read_bytes(text.bytes, text.length, anything), "%s: %s", samples[i].file, problem.text);
        check_sample(&samples[i]);
        ck_assert_msg(read_bytes(crlf.bytes, crlf.length, anything), "%s: %s", samples[i].file, problem.text);
        check_sample(&samples[i]);
    }
}
END_TEST

#define NAMES "null getattr setattr lookup access readlink\n"
#define REST                                                                        \
    "read write create mkdir symlink mknod\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"        \
    "remove rmdir rename link readdir readdirplus\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" \
    "fsstat fsinfo pathconf commit\n0 0% 0 0% 0 0% 0 0%\n"
#define V2_EMPTY                                                                                 \
    "Server nfs v2:\nnull getattr setattr root lookup readlink\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" \
    "read wrcache write create remove rename\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"                   \
    "link symlink mkdir rmdir readdir fsstat\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"

START_TEST(no_calls)
{
    no_mix("Server nfs v3:\n" NAMES "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST, "no calls");
    no_mix("Server nfs v3:\n" NAMES "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST "Client nfs v3:\n" NAMES
           "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST,
           "no calls");
}
END_TEST

START_TEST(only_v2)
{
    no_mix(V2_EMPTY, "v2");
    no_mix(V2_EMPTY, "no calls");
    no_mix("Server nfs v2:\nnull getattr\n5 50% 5 50%\n", "v2");
}
END_TEST

#define SERVER_100 "Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 70 70% 0 0% 0 0%\n" REST
#define CLIENT_101 "Client nfs v3:\n" NAMES "0 0% 10 9% 0 0% 91 90% 0 0% 0 0%\n" REST

START_TEST(largest_section)
{
    static const char *const orders[] = {SERVER_100 "\n" CLIENT_101 "\n" V2_EMPTY, V2_EMPTY "\n" CLIENT_101 SERVER_100};
    for (size_t i = 0; i < 2; i++) {
        accepted(orders[i]);
        ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 1000.0 / 101, 1e-9);
        ck_assert_ptr_nonnull(strstr(mix.source, "Client nfs v3"));
        ck_assert_ptr_nonnull(strstr(mix.source, "101 calls"));
    }
}
END_TEST

/* A table that is cut off is an error, unless another one is asked for; which, is in the message. */
START_TEST(broken_section_beside_a_whole_one)
{
    static const char text[] = "Server packet stats:\npackets udp tcp tcpconn\n9 0 9 1\n\nServer rpc stats:\ncalls "
                               "badcalls\n99999 0\n\n" SERVER_100 "\nServer nfs v4:\nnull compound\n5 0% 99995 99%\n\n"
                               "Server nfs v4 operations:\nop0-unused op1-unused getattr\n0 0% 0 0% 77777 100%\n";
    no_mix(text, "v4");
    no_mix(text, "dir/my.mix:server:v3");
    refused(text, by("v4"), "v4");
    taken(text, by("v3"));
    ck_assert_double_eq(mix.percent[OP_GETATTR], 30);
    ck_assert_double_eq(mix.percent[OP_LOOKUP], 70);
}
END_TEST

START_TEST(cut_counts)
{
    no_mix("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0%\n" REST, ":3:");
    no_mix("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 1 1% 2 2% 3 3% 4 4%\n" REST, ":3:");
    no_mix("Server nfs v3:\n" NAMES, "");
    no_mix("Server nfs v3:\n" NAMES "\n" REST, ":2:"); /* the row without counts */
    no_mix("Server nfs v3:\n" NAMES "0 0% 30 30% x 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    no_mix("Server nfs v3:\n" NAMES "0 0% -30 30% 0 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    no_mix("Server nfs v3:\n" NAMES "0 0% 1.5 30% 0 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    no_mix("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 1 1% 2 2% 3 3%\n" REST "frobnicate\n2 2%\n", "frobnicate");
    no_mix("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 1 1% 2 2% 3 3%\n" REST "frobnicate\n2 2%\n", "--ignore-unknown");
}
END_TEST

/* Old counters were 32 bits wide; these are not, and neither are sums. */
START_TEST(large_counts)
{
    accepted("Server nfs v3:\n" NAMES "0 0% 6000000000000 60% 0 0% 4000000000000 40% 0 0% 0 0%\n" REST);
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 60, 1e-9);
    ck_assert_ptr_nonnull(strstr(mix.source, "10000000000000 calls"));
    no_mix("Server nfs v3:\n" NAMES "0 0% 9223372036854775807 0% 9223372036854775807 0% 2 0% 0 0% 0 0%\n" REST,
           "64 bits");
    no_mix("Server nfs v3:\n" NAMES "0 0% 18446744073709551615 0% 0 0% 2 0% 0 0% 0 0%\n" REST, ":3:");
}
END_TEST

/* nfsstat prints %-8u%3u%% (see the samples' columns): eight digits and 100 % touch each other. */
START_TEST(count_and_percentage_touch)
{
    accepted("Server nfs v3:\nnull         getattr      setattr      lookup       access       readlink\n"
             "0         0% 12345678100% 0         0% 12        0% 0         0% 0         0%\n" REST);
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 100 * 12345678.0 / 12345690, 1e-9);
}
END_TEST

START_TEST(long_lines_and_names)
{
    size_t size = 300000;
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', size);
    ck_assert(!read_bytes(text, size, anything));
    for (size_t i = 0; i < size; i++) {
        text[i] = i % 2 == 0 ? 'x' : ' ';
    }
    memcpy(text, "Server nfs v3:\n", 15);
    ck_assert(!read_bytes(text, size, anything));
    free(text);
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(mix_parse("read 100\n", 9, name, &anything, &mix, &origin, &problem));
    check_taken();
    ck_assert(!mix_parse("read 10\n", 8, name, &anything, &mix, &origin, &problem));
    check_problem(&problem);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        simple,
        sums,
        bad_lines,
        simple_of_v4,
        simple_of_v2,
        simple_version_asked_for,
        simple_unknown_ops,
        no_mix_at_all,
        binary,
        samples_of_calls,
        no_calls,
        only_v2,
        largest_section,
        broken_section_beside_a_whole_one,
        cut_counts,
        large_counts,
        count_and_percentage_touch,
        long_lines_and_names,
    };
    return run_tests("mix_parse", tests, sizeof tests / sizeof tests[0]);
}
