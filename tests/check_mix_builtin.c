/* The built-in mixes, and their files among the examples. */
#include "mix_texts.h"

static struct mix builtin(const char *name)
{
    struct mix found;
    ck_assert_msg(mix_builtin(name, &found), "no mix '%s'", name);
    return found;
}

/* The table of the published mixes; an op that is not named has none. */
static const struct {
    const char *name;
    double percent[OP_COUNT];
} tables[] = {
    {"legato",
     {[OP_LOOKUP] = 34,
      [OP_READ] = 22,
      [OP_WRITE] = 15,
      [OP_GETATTR] = 13,
      [OP_READLINK] = 8,
      [OP_READDIR] = 3,
      [OP_CREATE] = 2,
      [OP_REMOVE] = 1,
      [OP_SETATTR] = 1,
      [OP_FSSTAT] = 1}},
    {"laddis",
     {[OP_LOOKUP] = 34,
      [OP_READ] = 22,
      [OP_WRITE] = 15,
      [OP_GETATTR] = 13,
      [OP_READLINK] = 8,
      [OP_READDIR] = 3,
      [OP_CREATE] = 2,
      [OP_REMOVE] = 1,
      [OP_SETATTR] = 1,
      [OP_FSSTAT] = 1}},
    {"sfs2",
     {[OP_LOOKUP] = 36,
      [OP_READ] = 14,
      [OP_WRITE] = 7,
      [OP_GETATTR] = 26,
      [OP_READLINK] = 7,
      [OP_READDIR] = 6,
      [OP_CREATE] = 1,
      [OP_REMOVE] = 1,
      [OP_SETATTR] = 1,
      [OP_FSSTAT] = 1}},
    {"sfs3",
     {[OP_LOOKUP] = 27,
      [OP_READ] = 18,
      [OP_WRITE] = 9,
      [OP_GETATTR] = 11,
      [OP_READLINK] = 7,
      [OP_READDIR] = 2,
      [OP_CREATE] = 1,
      [OP_REMOVE] = 1,
      [OP_SETATTR] = 1,
      [OP_FSSTAT] = 1,
      [OP_READDIRPLUS] = 9,
      [OP_ACCESS] = 7,
      [OP_COMMIT] = 5,
      [OP_FSINFO] = 1}},
    {"sfs2008",
     {[OP_LOOKUP] = 24,
      [OP_READ] = 18,
      [OP_WRITE] = 10,
      [OP_GETATTR] = 26,
      [OP_READLINK] = 1,
      [OP_READDIR] = 1,
      [OP_CREATE] = 1,
      [OP_REMOVE] = 1,
      [OP_SETATTR] = 4,
      [OP_FSSTAT] = 1,
      [OP_READDIRPLUS] = 2,
      [OP_ACCESS] = 11}},
    {"build",
     {[OP_LOOKUP] = 9,
      [OP_READ] = 4,
      [OP_WRITE] = 3,
      [OP_GETATTR] = 64,
      [OP_READDIR] = 1,
      [OP_SETATTR] = 1,
      [OP_FSSTAT] = 5,
      [OP_READDIRPLUS] = 1,
      [OP_ACCESS] = 12}},
    {"fsstat", {[OP_FSSTAT] = 100}},
    {"null", {[OP_NULL] = 100}},
    {"webserver",
     {[OP_GETATTR] = 55, [OP_READ] = 28, [OP_LOOKUP] = 14, [OP_READDIR] = 1, [OP_FSSTAT] = 1, [OP_ACCESS] = 1}},
    {"mailserver",
     {[OP_LOOKUP] = 27,
      [OP_WRITE] = 24,
      [OP_COMMIT] = 24,
      [OP_READ] = 14,
      [OP_SETATTR] = 4,
      [OP_GETATTR] = 3,
      [OP_ACCESS] = 3,
      [OP_FSSTAT] = 1}},
    {"vm-images", {[OP_READ] = 49.5, [OP_WRITE] = 49.5, [OP_GETATTR] = 1}},
};

START_TEST(builtin_tables)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        mix = builtin(tables[i].name);
        double sum = 0;
        ck_assert_str_eq(mix.name, tables[i].name);
        ck_assert_uint_gt(strlen(mix.source), 0);
        for (unsigned op = 0; op < OP_COUNT; op++) {
            ck_assert_msg(mix.percent[op] == tables[i].percent[op], "%s %s %g", mix.name, op_name(op), mix.percent[op]);
            sum += mix.percent[op];
        }
        ck_assert_double_eq_tol(sum, 100, 1e-9);
    }
}
END_TEST

/* The counts that mixes were rounded from: NFSv3 procedures by number. */
static const struct {
    const char *name;
    const char *sample;
    uint64_t counts[OP_COUNT];
} measured[] = {
    {"home", "solaris-nfsstat-s-eisler.txt", {136447, 4245200, 95412, 1430880, 2436623, 74093, 376522, 277812,
                                              165838, 25497,   24480, 0,       359460,  33293, 8211,   69484,
                                              69898,  876367,  1579,  7698,    4253,    136995}},
    {"stat-storm",
     "linux-proc-net-rpc-nfs-a.txt",
     {0, 1061909262, 48906, 4077635, 117661341, 5,    29391916, 2570425, 2993289, 590, 0,
      0, 7815,       15,    1130,    0,         3983, 92385,    13332,   2,       1,   23729}},
    {"write-heavy",
     "linux-proc-net-rpc-nfsd-40ops.txt",
     {747, 7259760, 1383711, 1570520, 3464939, 8436, 4688207, 21668847, 1173194, 6457, 2127,
      172, 213538,  1253,    556401,  14950,   1101, 56245,   90790,    742,     367,  1989658}},
};

START_TEST(measured_tables)
{
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        static struct text text;
        double sum = 0;
        double calls = 0;
        struct mix rounded = builtin(measured[i].name);
        for (int op = 0; op < OP_COUNT; op++) {
            calls += (double)measured[i].counts[op];
        }
        for (unsigned op = 0; op < OP_COUNT; op++) {
            double want = 100 * (double)measured[i].counts[op] / calls;
            ck_assert_msg(fabs(rounded.percent[op] - want) <= 0.01, "%s: %s %g, not %g", measured[i].name, op_name(op),
                          rounded.percent[op], want);
            sum += rounded.percent[op];
        }
        ck_assert_double_eq_tol(sum, 100, 1e-9);
        load_sample(measured[i].sample, &text); /* whose v3 table has these counts */
        ck_assert(read_bytes(text.bytes, text.length, by("v3")));
        ck_assert_double_eq((double)origin.calls, calls);
        for (int op = 0; op < OP_COUNT; op++) {
            ck_assert_double_eq_tol(mix.percent[op], 100 * (double)measured[i].counts[op] / calls, 1e-9);
        }
    }
}
END_TEST

START_TEST(list_of_builtins)
{
    const char *line = NULL;
    size_t count = 0;
    for (; mix_builtin_at(count, &mix, &line); count++) {
        double sum = 0;
        for (int op = 0; op < OP_COUNT; op++) {
            ck_assert_double_ge(mix.percent[op], 0);
            sum += mix.percent[op];
        }
        ck_assert_double_eq_tol(sum, 100, 1e-9);
        ck_assert(memchr(mix.source, '\0', sizeof mix.source) != NULL && strchr(mix.source, '\n') == NULL);
        ck_assert_ptr_nonnull(strstr(mix.source, "built in"));
        ck_assert_ptr_nonnull(line);
        ck_assert_uint_gt(strlen(line), 0);
        ck_assert_ptr_null(strchr(line, '\n'));
        struct mix again = builtin(mix.name); /* each by its own name */
        ck_assert_mem_eq(again.percent, mix.percent, sizeof mix.percent);
    }
    ck_assert_uint_eq(count, sizeof tables / sizeof tables[0] + sizeof measured / sizeof measured[0]);
    ck_assert(!mix_builtin_at(count + 1, &mix, &line));
    ck_assert(!mix_builtin_at(SIZE_MAX, &mix, &line));
}
END_TEST

START_TEST(single_ops_by_name)
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        mix = builtin(op_name(op));
        for (unsigned other = 0; other < OP_COUNT; other++) {
            ck_assert_double_eq(mix.percent[other], other == op ? 100 : 0);
        }
    }
    ck_assert(!mix_builtin("", &mix));
    ck_assert(!mix_builtin("legat", &mix));
    ck_assert(!mix_builtin("legatoo", &mix));
    ck_assert(!mix_builtin("frobnicate", &mix));
}
END_TEST

/* Each has a file among the examples, to be changed: the same mix, to the last bit. */
START_TEST(example_files)
{
    static struct text text;
    static char missing[2000];
    const char *line = NULL;
    struct mix built;
    for (size_t i = 0; mix_builtin_at(i, &built, &line); i++) {
        char path[300];
        size_t used = strlen(missing);
        snprintf(path, sizeof path, "../examples/%s.mix", built.name);
        if (!load_text(path, &text)) {
            snprintf(missing + used, sizeof missing - used, " %s is not there;", path + 3);
            continue;
        }
        ck_assert_msg(read_bytes(text.bytes, text.length, anything), "%s: %s", path, problem.text);
        ck_assert_str_eq(origin.table, "");
        ck_assert_uint_eq(origin.dialect.version, 3);
        for (unsigned op = 0; op < OP_COUNT; op++) {
            ck_assert_msg(mix.percent[op] == built.percent[op], "%s: %s %.17g, built in %.17g", path, op_name(op),
                          mix.percent[op], built.percent[op]);
        }
    }
    ck_assert_msg(missing[0] == '\0', "%s", missing);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        builtin_tables, measured_tables, list_of_builtins, single_ops_by_name, example_files,
    };
    return run_tests("mix_builtin", tests, sizeof tests / sizeof tests[0]);
}
