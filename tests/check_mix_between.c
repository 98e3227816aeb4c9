/* The mix of what happened between two listings. */
#include "mix_texts.h"

static struct text before, after;

static void start(void)
{
    before.length = after.length = 0;
}

static bool read_between(const struct text *first, const struct text *second, struct mix_wanted wanted)
{
    char *one = exact(first->bytes, first->length);
    char *other = exact(second->bytes, second->length);
    before_reading();
    bool good = mix_between(one, first->length, "dir/before.txt", other, second->length, "dir/after.txt", &wanted, &mix,
                            &origin, &problem);
    free(one);
    free(other);
    if (good) {
        check_taken();
    } else {
        must(problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL);
        must(strstr(problem.text, "dir/") != NULL && strstr(problem.text, "(null)") == NULL);
    }
    return good;
}

/* The differences' mix, of this section, and of so many calls. */
static void between(struct mix_wanted wanted, const char *section, uint64_t calls, const double *points)
{
    ck_assert_msg(read_between(&before, &after, wanted), "%s", problem.text);
    ck_assert_str_eq(origin.table, section);
    ck_assert_uint_eq(origin.calls, calls);
    ck_assert_ptr_nonnull(strstr(origin.file, "after.txt"));
    mix_is(points);
}

static void says(const char *words)
{
    ck_assert_msg(strstr(problem.text, words) != NULL, "'%s' is not in: %s", words, problem.text);
}

static void no_mix(struct mix_wanted wanted, const char *words)
{
    ck_assert_msg(!read_between(&before, &after, wanted), "taken: %s", mix.source);
    says(words);
}

static void both_are_named(void)
{
    says("dir/before.txt");
    says("dir/after.txt");
}

/* Two listings of a v3 table under this title. */
static void listings(const char *title, const uint64_t *earlier, const uint64_t *later)
{
    start();
    put_rows(&before, title, V3_LIST, earlier);
    put_rows(&after, title, V3_LIST, later);
}

START_TEST(differences)
{
    listings("Server nfs v3", COUNTS([OP_GETATTR] = 100, [OP_READ] = 50, [OP_LOOKUP] = 7),
             COUNTS([OP_GETATTR] = 150, [OP_READ] = 80, [OP_LOOKUP] = 7, [OP_WRITE] = 20));
    between(anything, "Server nfs v3", 100, POINTS([OP_GETATTR] = 50, [OP_READ] = 30, [OP_WRITE] = 20));
    ck_assert_double_eq(mix.percent[OP_LOOKUP], 0);
    ck_assert_double_eq_tol(origin.share[OP_GETATTR], 50, 1e-9);
    ck_assert_double_eq(origin.known_percent, 100);
    ck_assert_int_eq(origin.side, SIDE_SERVER);
    ck_assert_ptr_nonnull(strstr(mix.source, "100 calls"));
    ck_assert_str_eq(origin.wrapped, "");
    ck_assert_str_eq(origin.choice, "");
    ck_assert_str_eq(origin.translation, "");
    ck_assert_str_eq(origin.unknown, "");
    /* the first and the last op, a single call */
    listings("Client nfs v3", COUNTS([OP_READ] = 5), COUNTS([OP_READ] = 5, [OP_COMMIT] = 1));
    between(anything, "Client nfs v3", 1, POINTS([OP_COMMIT] = 1));
    listings("Client nfs v3", COUNTS(0), COUNTS([OP_NULL] = 3));
    between(anything, "Client nfs v3", 3, POINTS([OP_NULL] = 1));
}
END_TEST

START_TEST(large_counts)
{
    /* a server counts on beyond 32 bits */
    listings("Server nfs v3", COUNTS([OP_GETATTR] = 4294967291, [OP_READ] = 1000000000000000),
             COUNTS([OP_GETATTR] = 4294967301, [OP_READ] = 1000000000000030));
    between(anything, "Server nfs v3", 40, POINTS([OP_GETATTR] = 10, [OP_READ] = 30));
    ck_assert_str_eq(origin.wrapped, "");
    listings("Server nfs v3", COUNTS(0), COUNTS([OP_GETATTR] = INT64_MAX, [OP_READ] = INT64_MAX, [OP_WRITE] = 1));
    between(anything, "Server nfs v3", UINT64_MAX,
            POINTS([OP_GETATTR] = (double)INT64_MAX, [OP_READ] = (double)INT64_MAX, [OP_WRITE] = 1));
}
END_TEST

/* One counter goes from here to there while read goes up by 100: so many calls of it, or -1 when that is a restart. */
static void goes(uint64_t from, uint64_t to, double calls)
{
    listings("Client nfs v3", COUNTS([OP_GETATTR] = from, [OP_READ] = 1), COUNTS([OP_GETATTR] = to, [OP_READ] = 101));
    if (calls < 0) {
        no_mix(anything, "getattr");
        both_are_named();
        says("restarted");
    } else {
        between(anything, "Client nfs v3", 100 + (uint64_t)calls, POINTS([OP_GETATTR] = calls, [OP_READ] = 100));
        ck_assert_msg((strstr(origin.wrapped, "getattr") != NULL) == (to < from), "%s", origin.wrapped);
        ck_assert_ptr_null(strstr(origin.wrapped, "read"));
    }
}

/* Half of 2^32 is 2147483648: what shrank by more went around. */
START_TEST(wraps)
{
    goes(4294967295, 0, 1);
    goes(4294967290, 4, 10);
    goes(4294967295, 4294967295, 0);
    goes(2147483648, 0, -1);
    goes(2147483649, 0, 2147483647);
    goes(2147483647, 0, -1);
    goes(4294967295, 2147483647, -1);
    goes(4294967295, 2147483646, 2147483647);
    goes(4294967295, 2147483648, -1);
    goes(3000000000, 852516352, -1);         /* 2147483648 less */
    goes(3000000000, 852516351, 2147483647); /* one more */
    goes(3000000000, 2999999999, -1);
    /* a counter that is beyond 32 bits has more of them */
    goes(4294967296, 0, -1);
    goes(4294967296, 4, -1);
    goes(9000000000, 1, -1);
    goes(9000000000, 8999999999, -1);
    goes(1, 0, -1);
}
END_TEST

START_TEST(several_wraps)
{
    start();
    put_rows(&before, "Client nfs v4", V4_CLIENT_LIST,
             COUNTS([COUNTER_OPEN] = 4294967295, [OP_ACCESS] = 4294967286, [OP_READ] = 7));
    put_rows(&after, "Client nfs v4", V4_CLIENT_LIST, COUNTS([COUNTER_OPEN] = 9, [OP_ACCESS] = 10, [OP_READ] = 27));
    between(anything, "Client nfs v4", 50, POINTS([OP_LOOKUP] = 10, [OP_ACCESS] = 30, [OP_READ] = 20));
    ck_assert_ptr_nonnull(strstr(origin.wrapped, "open"));
    ck_assert_ptr_nonnull(strstr(origin.wrapped, "access"));
    /* one that wraps does not excuse one that fell */
    listings("Client nfs v3", COUNTS([OP_GETATTR] = 4294967295, [OP_WRITE] = 9),
             COUNTS([OP_GETATTR] = 5, [OP_WRITE] = 8));
    no_mix(anything, "write");
    /* all of them: each would be a line's length */
    uint64_t counts[COUNTER_COUNT];
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        counts[counter] = 4294967295;
    }
    start();
    put_rows(&before, "Client nfs v4", V4_CLIENT_LIST, counts);
    put_rows(&after, "Client nfs v4", V4_CLIENT_LIST, COUNTS(0));
    ck_assert(read_between(&before, &after, anything));
    ck_assert_uint_eq(origin.calls, 69);
    ck_assert_str_ne(origin.wrapped, "");
}
END_TEST

/* What wrapped in a table that was not taken is nobody's business. */
START_TEST(wraps_elsewhere)
{
    start();
    put_rows(&before, "Client nfs v3", V3_LIST, COUNTS([OP_GETATTR] = 4294967295));
    put_rows(&before, "Client nfs v4", V4_CLIENT_LIST, COUNTS([OP_READ] = 10));
    put_rows(&after, "Client nfs v3", V3_LIST, COUNTS([OP_GETATTR] = 1));
    put_rows(&after, "Client nfs v4", V4_CLIENT_LIST, COUNTS([OP_READ] = 110));
    between(by("v3"), "Client nfs v3", 2, POINTS([OP_GETATTR] = 1));
    ck_assert_str_ne(origin.wrapped, "");
    between(anything, "Client nfs v4", 100, POINTS([OP_READ] = 1));
    ck_assert_msg(origin.wrapped[0] == '\0', "of Client nfs v3, which was not taken: %s", origin.wrapped);
}
END_TEST

START_TEST(restart)
{
    /* one small counter only */
    listings("Server nfs v3", COUNTS([OP_READ] = 1000, [OP_FSSTAT] = 3), COUNTS([OP_READ] = 5000, [OP_FSSTAT] = 2));
    no_mix(anything, "fsstat");
    both_are_named();
    says("3");
    says("2");
    /* everything */
    listings("Server nfs v3", COUNTS([OP_READ] = 1000, [OP_FSSTAT] = 30), COUNTS([OP_READ] = 10, [OP_FSSTAT] = 2));
    no_mix(anything, "Server nfs v3");
    /* cleared, and not used since */
    listings("Server nfs v3", COUNTS([OP_READ] = 1000), COUNTS(0));
    no_mix(anything, "restarted or cleared");
}
END_TEST

START_TEST(wrong_order)
{
    listings("Server nfs v3", COUNTS([OP_READ] = 1000, [OP_WRITE] = 50), COUNTS([OP_READ] = 900, [OP_WRITE] = 40));
    no_mix(anything, "wrong order");
    both_are_named();
    static struct text sides[2];
    load_sample("linux-proc-net-rpc-nfsd-39ops.txt", &sides[0]);
    load_sample("linux-proc-net-rpc-nfsd-40ops.txt", &sides[1]);
    /* v3 is the same in both: what v4 counted first fell to 0 */
    ck_assert(!read_between(&sides[0], &sides[1], anything));
    says("write");
    ck_assert(read_between(&sides[1], &sides[0], anything));
    mix_is(POINTS([OP_WRITE] = 39));
}
END_TEST

START_TEST(no_calls_between)
{
    listings("Server nfs v3", COUNTS([OP_READ] = 1000, [OP_WRITE] = 50), COUNTS([OP_READ] = 1000, [OP_WRITE] = 50));
    no_mix(anything, "nothing was counted between");
}
END_TEST

START_TEST(sections_of_one_only)
{
    /* v4 has come up since, with more calls: it is not taken, but v3, which both have */
    listings("Server nfs v3", COUNTS([OP_READ] = 10), COUNTS([OP_READ] = 30));
    put_rows(&after, "Server nfs v4 operations", V4_SERVER_LIST, COUNTS([OP_WRITE] = 999999));
    between(anything, "Server nfs v3", 20, POINTS([OP_READ] = 1));
    ck_assert_str_eq(origin.choice, "");
    no_mix(by("v4"), "v4");
    /* v2 is gone */
    listings("Server nfs v3", COUNTS([OP_READ] = 10), COUNTS([OP_READ] = 30));
    put_rows(&before, "Server nfs v2", V2_LIST, COUNTS([OP_READ] = 5));
    between(anything, "Server nfs v3", 20, POINTS([OP_READ] = 1));
    /* nothing in common */
    start();
    put_rows(&before, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 10));
    put_rows(&after, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 30));
    no_mix(anything, "Server nfs v3");
    says("Client nfs v3");
    both_are_named();
    start();
    put_rows(&before, "Server nfs v4 operations", V4_SERVER_LIST, COUNTS([OP_READ] = 10));
    put_rows(&after, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 30));
    no_mix(anything, "v4");
    both_are_named();
    /* no listing at all */
    start();
    put(&before, "read 100\n");
    put_rows(&after, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 30));
    no_mix(anything, "none");
    both_are_named();
    start();
    no_mix(anything, "");
    put(&before, "read 50\nwrite 50\n");
    put(&after, "read 60\nwrite 40\n");
    no_mix(anything, "dir/");
}
END_TEST

/* The larger difference is taken, not the larger count; each side has its own. */
START_TEST(several_sections)
{
    static const char *const orders[2][2] = {{"Server nfs v3", "Client nfs v3"}, {"Client nfs v3", "Server nfs v3"}};
    for (int i = 0; i < 2; i++) {
        bool server_first = i == 0;
        start();
        put_rows(&before, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 100000));
        put_rows(&before, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 10));
        for (int j = 0; j < 2; j++) { /* in another order, too */
            bool server = (j == 0) == server_first;
            put_rows(&after, orders[i][j], V3_LIST,
                     server ? COUNTS([OP_READ] = 100050) : COUNTS([OP_READ] = 10, [OP_WRITE] = 60));
        }
        between(anything, "Client nfs v3", 60, POINTS([OP_WRITE] = 1));
        ck_assert_ptr_nonnull(strstr(origin.choice, "Server nfs v3"));
        between(by("server"), "Server nfs v3", 50, POINTS([OP_READ] = 1));
        ck_assert_str_eq(origin.choice, "");
    }
}
END_TEST

/* nfsstat -l leaves out ops that have no calls. */
START_TEST(lines_without_zeros)
{
    start();
    put(&before, "nfs v3 client        total:  30\n------------- ------------- --------\n"
                 "nfs v3 client      getattr:  20\nnfs v3 client       lookup:  10\n\n");
    put(&after, "nfs v3 client        total:  130\n------------- ------------- --------\n"
                "nfs v3 client      getattr:  60\nnfs v3 client       lookup:  10\n"
                "nfs v3 client         read:  35\nnfs v3 client       commit:  25\n\n");
    between(anything, "Client nfs v3", 100, POINTS([OP_GETATTR] = 40, [OP_READ] = 35, [OP_COMMIT] = 25));
    /* an op that has vanished has fallen to 0 */
    ck_assert(!read_between(&after, &before, anything));
    says("getattr");
    start();
    put(&before, "nfs v3 client total: 30\nnfs v3 client getattr: 20\nnfs v3 client lookup: 10\n");
    put(&after, "nfs v3 client total: 90\nnfs v3 client getattr: 90\n");
    no_mix(anything, "lookup");
    both_are_named();
}
END_TEST

/* One server's counters in two forms are the same counters. */
START_TEST(two_forms)
{
    start();
    put(&before, "rpc 50 0 0 0 0\nproc3 22 0 10 0 0 0 0 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5\n");
    put_rows(&after, "Server nfs v3", V3_LIST, COUNTS([OP_GETATTR] = 40, [OP_READ] = 80, [OP_COMMIT] = 15));
    between(anything, "Server nfs v3", 100, POINTS([OP_GETATTR] = 30, [OP_READ] = 60, [OP_COMMIT] = 10));
}
END_TEST

/* What is translated are the differences. Remove 12, create 2: 10 files made, by 10 of 30 opens. */
START_TEST(operations)
{
    start();
    put_rows(&before, "Server nfs v4 operations", V4_SERVER_LIST,
             COUNTS([COUNTER_OPEN] = 1000, [COUNTER_PUTFH] = 5000, [OP_REMOVE] = 700, [OP_CREATE] = 900,
                    [OP_GETATTR] = 50, [OP_READDIR] = 70));
    put_rows(&after, "Server nfs v4 operations", V4_SERVER_LIST,
             COUNTS([COUNTER_OPEN] = 1030, [COUNTER_PUTFH] = 5044, [OP_REMOVE] = 712, [OP_CREATE] = 902,
                    [OP_GETATTR] = 60, [OP_READDIR] = 72));
    between(anything, "Server nfs v4 operations", 100,
            POINTS([OP_CREATE] = 10, [OP_LOOKUP] = 20, [OP_MKDIR] = 2, [OP_RMDIR] = 2, [OP_REMOVE] = 10,
                   [OP_GETATTR] = 10, [OP_READDIRPLUS] = 2));
    ck_assert_ptr_nonnull(strstr(origin.translation, "putfh"));
    ck_assert_ptr_nonnull(strstr(origin.translation, "44.00 %"));
}
END_TEST

static void with_unknown(uint64_t earlier, uint64_t later)
{
    listings("Server nfs v3", COUNTS([OP_READ] = 10), COUNTS([OP_READ] = 40, [OP_WRITE] = 60));
    put(&before, "frobnicate\n%llu\n", (unsigned long long)earlier);
    put(&after, "frobnicate\n%llu\n", (unsigned long long)later);
}

START_TEST(unknown_ops)
{
    const struct mix_wanted ignore = {.ignore_unknown = true};
    with_unknown(5, 5); /* had none in between */
    between(anything, "Server nfs v3", 90, POINTS([OP_READ] = 30, [OP_WRITE] = 60));
    ck_assert_str_eq(origin.unknown, "");
    with_unknown(5, 15);
    no_mix(anything, "frobnicate");
    says("10 calls");
    between(ignore, "Server nfs v3", 90, POINTS([OP_READ] = 30, [OP_WRITE] = 60));
    ck_assert_ptr_nonnull(strstr(origin.unknown, "frobnicate"));
    ck_assert_ptr_nonnull(strstr(origin.unknown, "10.00 %"));
    ck_assert_double_eq_tol(origin.known_percent, 90, 1e-9);
    ck_assert_double_eq_tol(origin.share[OP_READ], 100 / 3.0, 1e-9);
    with_unknown(15, 5);
    no_mix(ignore, "restarted");
    with_unknown(0, 15); /* not there before */
    no_mix(anything, "frobnicate");
    between(ignore, "Server nfs v3", 90, POINTS([OP_READ] = 30, [OP_WRITE] = 60));
    /* nothing else was called */
    listings("Server nfs v3", COUNTS([OP_READ] = 10), COUNTS([OP_READ] = 10));
    put(&after, "frobnicate\n7\n");
    no_mix(ignore, "");
}
END_TEST

/* Two mounts, each with 100 s more of age, data with `data` and home with `home` more reads. */
static void mounts(unsigned data_age, uint64_t data, uint64_t home)
{
    start();
    put_mount(&before, "/data", 500, V3_LIST, COUNTS([OP_READ] = 1000, [OP_ACCESS] = 3));
    put_mount(&before, "/mnt/a:b", 500, V4_CLIENT_LIST, COUNTS([OP_READ] = 50, [OP_WRITE] = 60));
    put_mount(&after, "/data", data_age, V3_LIST, COUNTS([OP_READ] = 1000 + data, [OP_ACCESS] = 3));
    put_mount(&after, "/mnt/a:b", 600, V4_CLIENT_LIST, COUNTS([OP_READ] = 50 + home, [OP_WRITE] = 60 + home));
}

START_TEST(two_mounts)
{
    mounts(600, 30, 10);
    between(anything, "Client nfs v3 on /data", 30, POINTS([OP_READ] = 1));
    ck_assert_ptr_nonnull(strstr(origin.choice, "/mnt/a:b"));
    between(by("/mnt/a:b"), "Client nfs v4 on /mnt/a:b", 20, POINTS([OP_READ] = 1, [OP_WRITE] = 1));
    between(by("v4"), "Client nfs v4 on /mnt/a:b", 20, POINTS([OP_READ] = 1, [OP_WRITE] = 1));
    mounts(600, 30, 20);
    between(anything, "Client nfs v4 on /mnt/a:b", 40, POINTS([OP_READ] = 1, [OP_WRITE] = 1));
    between(by("/data"), "Client nfs v3 on /data", 30, POINTS([OP_READ] = 1));
    no_mix(by("/nowhere"), "/nowhere");
    mounts(600, 0, 20);
    no_mix(by("/data"), "nothing was counted between");
    mounts(500, 30, 10); /* the same second */
    between(anything, "Client nfs v3 on /data", 30, POINTS([OP_READ] = 1));
}
END_TEST

/* A mount that is younger now was mounted again, though its counters went up. */
START_TEST(mounted_again)
{
    mounts(499, 30, 10);
    no_mix(anything, "mounted again");
    says("dir/after.txt");
    no_mix(by("/data"), "mounted again");
    between(by("/mnt/a:b"), "Client nfs v4 on /mnt/a:b", 20, POINTS([OP_READ] = 1, [OP_WRITE] = 1));
    no_mix(anything, "dir/after.txt:/mnt/a:b"); /* what would be whole */
    /* a mount that went away, and another that came */
    start();
    put_mount(&before, "/data", 500, V3_LIST, COUNTS([OP_READ] = 1000));
    put_mount(&before, "/old", 500, V3_LIST, COUNTS([OP_READ] = 5));
    put_mount(&after, "/new", 5, V3_LIST, COUNTS([OP_READ] = 1000000));
    put_mount(&after, "/data", 510, V3_LIST, COUNTS([OP_READ] = 1001));
    between(anything, "Client nfs v3 on /data", 1, POINTS([OP_READ] = 1));
    no_mix(by("/new"), "/new");
}
END_TEST

START_TEST(cut_off)
{
    listings("Server nfs v3", COUNTS([OP_READ] = 10), COUNTS([OP_READ] = 40));
    size_t length = before.length;
    for (before.length = 0; before.length < length; before.length++) {
        ck_assert(!read_between(&before, &after, anything));
        ck_assert(!read_between(&after, &before, anything));
    }
    before.length = length - 20;
    no_mix(anything, "dir/before.txt:");
    ck_assert(!read_between(&after, &before, anything));
    says("dir/after.txt:");
    /* beside one that is whole */
    before.length = length;
    put_rows(&after, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 70));
    put_rows(&before, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 20));
    before.length -= 20;
    no_mix(anything, "dir/before.txt:");
    between(by("server"), "Server nfs v3", 30, POINTS([OP_READ] = 1));
    no_mix(by("client"), "dir/before.txt:");
    before.bytes[3] = '\0';
    no_mix(by("server"), "dir/before.txt");
}
END_TEST

/* A table with a counter beyond 2^32 counts in 64 bits: there a counter that fell has not wrapped around. */
START_TEST(wide_counters)
{
    listings("Client nfs v3", COUNTS([OP_GETATTR] = 4294967294), COUNTS([OP_GETATTR] = 1, [OP_READ] = 4294967295));
    ck_assert_msg(read_between(&before, &after, anything), "%s", problem.text);
    ck_assert_uint_eq(origin.calls, UINT64_C(4294967298)); /* 3 and 2^32 - 1 */
    listings("Client nfs v3", COUNTS([OP_GETATTR] = 4294967294), COUNTS([OP_GETATTR] = 1, [OP_READ] = 4294967296));
    no_mix(anything, "restarted");
    listings("Client nfs v3", COUNTS([OP_GETATTR] = 3000000000, [OP_NULL] = 99000000000),
             COUNTS([OP_GETATTR] = 10, [OP_NULL] = 99000000001));
    no_mix(anything, "restarted");
    listings("Client nfs v3", COUNTS([OP_GETATTR] = 4294967294),
             COUNTS([OP_GETATTR] = 1, [OP_READ] = INT64_MAX, [OP_WRITE] = INT64_MAX));
    no_mix(anything, "restarted");
}
END_TEST

/* Every sample with itself: no calls in between. */
START_TEST(samples_with_themselves)
{
    static struct text index;
    static struct text sample;
    size_t samples = 0;
    ck_assert(load_text("nfsstat/INDEX.md", &index));
    for (const char *at = strstr(index.bytes, "\n## "); at != NULL; at = strstr(at + 1, "\n## ")) {
        char name[128];
        ck_assert_int_eq(sscanf(at, " ## %127s", name), 1);
        load_sample(name, &sample);
        ck_assert_msg(!read_between(&sample, &sample, anything), "%s", name);
        ck_assert_msg(strstr(problem.text, "nothing was counted between") != NULL || strstr(name, "TRUNCATED") != NULL,
                      "%s: %s", name, problem.text);
        samples++;
    }
    ck_assert_uint_eq(samples, 27);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {differences,
                                  large_counts,
                                  wraps,
                                  several_wraps,
                                  wraps_elsewhere,
                                  restart,
                                  wrong_order,
                                  no_calls_between,
                                  sections_of_one_only,
                                  several_sections,
                                  lines_without_zeros,
                                  two_forms,
                                  operations,
                                  unknown_ops,
                                  two_mounts,
                                  mounted_again,
                                  cut_off,
                                  wide_counters,
                                  samples_with_themselves};
    return run_tests("mix_between", tests, sizeof tests / sizeof tests[0]);
}
