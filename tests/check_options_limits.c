/* The command line: loads, limits, what excludes each other, and the line that says what was wrong. */
#include "command_line.h"

static void check_loads(const char *line, size_t count, double first, double step)
{
    allow(line);
    ck_assert(!options.load_auto);
    ck_assert_msg(options.load_count == count, "%s: %zu", line, options.load_count);
    for (size_t i = 0; i < count; i++) {
        double wanted = first + (double)i * step;
        ck_assert_double_le(options.loads[i], wanted * (1 + 1e-9));
        ck_assert_double_ge(options.loads[i], wanted * (1 - 1e-9));
    }
}

START_TEST(loads)
{
    check_loads("-l 100:1000:100", 10, 100, 100);
    check_loads("-l 100:1050:100", 10, 100, 100);
    check_loads("-l 100:1099.9:100", 10, 100, 100);
    check_loads("-l 100:100:50", 1, 100, 0);
    check_loads("-l 100:149:50", 1, 100, 0);
    check_loads("-l 1k:4k:1k", 4, 1000, 1000);
    check_loads("-l 0.1:1:0.1", 10, 0.1, 0.1);  /* ten, though 0.1 is no binary fraction */
    check_loads("-l 0.1:0.3:0.1", 3, 0.1, 0.1); /* (0.3 - 0.1) / 0.1 is a little less than 2 in doubles */
    check_loads("-l 1:100:1", 100, 1, 1);
    check_loads("-l 100,200,300", 3, 100, 100);
    check_loads("-l 300,200,100", 3, 300, -100); /* as the user ordered them */
    check_loads("-l 0.01", 1, 0.01, 0);
    check_loads("-l 100m", 1, 1e8, 0);
    char list[1024] = "-l 1";
    for (int i = 2; i <= 100; i++) {
        sprintf(list + strlen(list), ",%d", i);
    }
    check_loads(list, 100, 1, 1);
    strcat(list, ",101");
    refuse(list, "--load");
    static const char *const bad[] = {"0",      "-5",       "0.009",      "100.1m",         "nan",     "1e9",
                                      "inf",    "0x10",     "100,",       ",100",           "1,,2",    "auto,100",
                                      "Auto",   "100:1000", "100:1000:0", "100:99:1",       "1:101:1", "100:1000:100:5",
                                      "1:2:",   ":1:2",     "1::2",       "100:1000:100,7", "100_",    "1,2:4:1",
                                      "1:2:-1", "100/s",    "1:1e3:1",    "0:100:10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "-l %s", bad[i]);
        refuse(line, "--load");
    }
    refuse("--load=", "--load");
}
END_TEST

/* Every limit: the last value inside and the first outside, low and high (the table in options.c; --help and man). */
static const struct {
    const char *option, *low_out, *low_in, *high_in, *high_out;
} limits[] = {
    {"time", "99ms", "100ms", "24h", "86401"},
    {"calls", "0", "1", "1000g", "1001g"},
    {"warmup", "-1", "0", "1h", "3601"},
    {"repeat", "0", "1", "1000", "1001"},
    {"procs", "0", "1", "10000", "10001"},
    {"outstanding", "0", "1", "1024", "1025"},
    {"seed", "-1", "0", "9000000000000000", "9000000000000001"},
    {"port", "0", "1", "65535", "65536"},
    {"mountport", "0", "1", "65535", "65536"},
    {"timeout", "9.9ms", "10ms", "600", "600.1"},
    {"retrans", "-1", "0", "20", "21"},
    {"files", "0", "1", "10000000", "10000001"},
    {"file-size", "0", "1", "1GiB", "1073741825"},
    {"io-size", "511", "512", "1MiB", "1048577"},
    {"load", "0.009", "0.01", "100000000", "100000001"},
};

START_TEST(every_limit)
{
    char line[128];
    char name[32];
    snprintf(name, sizeof name, "--%s", limits[_i].option);
    const char *const values[] = {limits[_i].low_out, limits[_i].low_in, limits[_i].high_in, limits[_i].high_out};
    for (int i = 0; i < 4; i++) {
        for (int form = 0; form < 2; form++) {
            snprintf(line, sizeof line, form == 0 ? "%s %s" : "%s=%s", name, values[i]);
            if (i == 1 || i == 2) {
                allow(line);
            } else {
                refuse(line, name);
                ck_assert_ptr_nonnull(strstr(problem.text, values[i])); /* what was given */
            }
        }
    }
    static const char *const nonsense[] = {"",   "x",     "1x", "1_",   "_1",  "1.2.3",
                                           "+1", "1,000", "--", "0x10", "1e3", "nan"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        snprintf(line, sizeof line, "%s=%s", name, nonsense[i]);
        refuse(line, name);
    }
    snprintf(line, sizeof line, "%s=99999999999999999999999999", name);
    refuse(line, name);
    /* Without a value: the last word. */
    refuse(name, name);
}
END_TEST

START_TEST(choices)
{
    static const char *const options_with_choices[] = {"arrival", "engine", "stable", "proto", "sec", "vers"};
    for (size_t i = 0; i < 6; i++) {
        static const char *const bad[] = {"", "x", "POISSON", "rpcs", "fil", "TCP", "4.1", "2", "3.0"};
        char line[64];
        char name[32];
        snprintf(name, sizeof name, "--%s", options_with_choices[i]);
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            snprintf(line, sizeof line, "%s=%s", name, bad[j]);
            refuse(line, name);
        }
        refuse(name, name);
    }
    refuse("-e nfs", "--engine");
    refuse("-e", "--engine");
    refuse("-l", "--load");
    refuse("-p", "--procs");
    refuse("-m", "--mix");
    refuse("-v -t", "--time");
}
END_TEST

START_TEST(mix_names)
{
    char line[1100] = "-m ";
    memset(line + 3, 'm', 1023);
    allow(line);
    ck_assert_uint_eq(strlen(options.mix), 1023);
    strcat(line, "m");
    refuse(line, "--mix");
}
END_TEST

START_TEST(excluding_each_other)
{
    refuse("-q -v", "--quiet");
    ck_assert_ptr_nonnull(strstr(problem.text, "--verbose"));
    refuse("--keep --cleanup host:/e", "--keep");
    ck_assert_ptr_nonnull(strstr(problem.text, "--cleanup"));
    refuse("--loopback host:/e", "--loopback");
    refuse("--loopback dir", "--loopback");
    refuse("--serve host:/e", "--serve");
    refuse("--loopback --serve", "--serve");
    refuse("--serve --loopback", "--loopback");
    refuse("--loopback --cleanup", "--cleanup");
    refuse("--files 10 --file-size 1k --fileset 10k", "--fileset");
    /* A UDP datagram takes 56 KiB of data here. */
    allow("--proto udp --io-size 56KiB");
    refuse("--proto udp --io-size 57345", "--io-size");
    refuse("--io-size 1MiB --proto udp", "--io-size");
    allow("--io-size 57345");
    /* Every target needs a child. */
    allow("-p 3 a:/1 b:/2 c:/3");
    ck_assert_uint_eq(options.target_count, 3);
    refuse("-p 2 a:/1 b:/2 c:/3", "--procs");
}
END_TEST

START_TEST(targets)
{
    allow("server:/srv/a_b nfs://[::1]:3049/x -- -dir");
    ck_assert_uint_eq(options.target_count, 3);
    ck_assert_int_eq(options.targets[0].kind, TARGET_NFS);
    ck_assert_str_eq(options.targets[0].host, "server");
    ck_assert_str_eq(options.targets[0].path, "/srv/a b");
    ck_assert_str_eq(options.targets[1].host, "::1");
    ck_assert_uint_eq(options.targets[1].port, 3049);
    ck_assert_int_eq(options.targets[2].kind, TARGET_DIRECTORY);
    ck_assert_str_eq(options.targets[2].path, "-dir");
    char line[2000] = "-p 100";
    for (int i = 0; i < RUN_MAX_TARGETS; i++) {
        strcat(line, " h:/e");
    }
    allow(line);
    ck_assert_uint_eq(options.target_count, RUN_MAX_TARGETS);
    strcat(line, " h:/e");
    refuse(line, "64 targets");
    refuse("nfs://host:0/e", "nfs://host:0/e");
}
END_TEST

/* Files: 10 for each call/s of the highest load, 1000 to 20000; or what --fileset comes to. */
START_TEST(file_set)
{
    static const struct {
        const char *line;
        uint64_t files, file_bytes;
    } cases[] = {
        {"-l 1", 1000, 0},
        {"-l 100", 1000, 0},
        {"-l 100.1", 1001, 0},
        {"-l 500", 5000, 0},
        {"-l 2000", 20000, 0},
        {"-l 2001", 20000, 0},
        {"-l 700,300,100", 7000, 0},
        {"-l 100:1000:300", 10000, 0}, /* 100, 400, 700, 1000 */
        {"-l 100:999:300", 7000, 0},   /* 100, 400, 700 */
        {"-l 500 -p 100", 5000, 0},    /* not by the children */
        {"-l 500 --files 12", 12, 0},
        {"-l 500 --file-size 8KiB", 5000, 8192},
        {"--files 12 --file-size 8KiB", 12, 8192},
        {"--fileset 10GiB", 392578, 0}, /* 10737418240 / 27351 = 392578.6 */
        {"--fileset 10GiB --file-size 1MiB", 10240, 1048576},
        {"--fileset 27351", 1, 0},
        {"--fileset 27350", 1, 0}, /* a file there must be */
        {"--fileset 1MB --files 1000", 1000, 1000},
        {"--fileset 1999 --files 1000", 1000, 1},
        {"--fileset 1GiB --files 1", 1, UINT64_C(1) << 30},
        {"--fileset 10000000 --file-size 1", 10000000, 1},
        {"--fileset 1024TiB --file-size 1GiB", 1048576, UINT64_C(1) << 30}, /* 2^50 / 2^30 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        allow(cases[i].line);
        ck_assert_msg(options.files == cases[i].files, "%s: %d files", cases[i].line, (int)options.files);
        ck_assert_msg(options.file_bytes == cases[i].file_bytes, "%s: %d bytes", cases[i].line,
                      (int)options.file_bytes);
    }
    refuse("--fileset 999 --files 1000", "--fileset");       /* 0 bytes each */
    refuse("--fileset 1073741825 --files 1", "--fileset");   /* over 1 GiB */
    refuse("--fileset 10000001 --file-size 1", "--fileset"); /* over 10 million files */
    refuse("--fileset 1024TiB", "--fileset");
    refuse("--fileset 0", "--fileset");
    refuse("--fileset 1025TiB --file-size 1GiB", "--fileset");
}
END_TEST

/* A name that is the beginning of another one's is itself; a beginning that fits several is none. */
START_TEST(ambiguous)
{
    allow("--time 5 --files 3 --vers 3");
    ck_assert_int_eq(options.time_ns, 5 * NS_PER_SEC);
    ck_assert_uint_eq(options.files, 3);
    static const char *const names[] = {"--ti", "--lo", "--pro", "--ver", "--file", "--re", "--s", "--m"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[64];
        refuse(names[i], names[i]);
        snprintf(line, sizeof line, "%s=3", names[i]);
        refuse(line, names[i]);
        snprintf(line, sizeof line, "host:/e %s 3 other:/e", names[i]);
        refuse(line, names[i]);
    }
}
END_TEST

START_TEST(unknown)
{
    refuse("--frobnicate", "--frobnicate");
    refuse("--frobnicate=7", "--frobnicate");
    refuse("host:/e --frobnicate x", "--frobnicate");
    refuse("--loads 7", "--loads");
    refuse("-z", "-z");
    refuse("-vz", "-z");
    refuse("-W", "-W");
    refuse("-:", "-:");
    refuse("-?", "-?");
    /* A value where there is none to give. */
    static const char *const flags[] = {"verbose", "quiet",   "keep",    "resvport",
                                        "help",    "version", "cleanup", "dry-run"};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "--%s=1", flags[i]);
        refuse(line, flags[i]);
    }
}
END_TEST

START_TEST(loopback_keys)
{
    refuse("--loopback=nonsense=1", "--loopback");
    ck_assert_ptr_nonnull(strstr(problem.text, "nonsense"));
    refuse("--loopback=workers", "--loopback");
    refuse("--loopback=workers=0", "--loopback");
    refuse("--serve=port=65536", "--serve");
}
END_TEST

/* "False and a line": also when what was given has a line end in it. */
START_TEST(one_line_whatever_is_given)
{
    refuse("-l 1\n2", "--load");
    refuse("--procs=7\n", "--procs");
    refuse("--proto tcp\nudp", "--proto");
    refuse("--frob\nnicate", "--frob");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options: limits");
    TCase *tests = tcase_create("options");
    tcase_add_test(tests, loads);
    tcase_add_loop_test(tests, every_limit, 0, sizeof limits / sizeof limits[0]);
    tcase_add_test(tests, choices);
    tcase_add_test(tests, mix_names);
    tcase_add_test(tests, excluding_each_other);
    tcase_add_test(tests, targets);
    tcase_add_test(tests, file_set);
    tcase_add_test(tests, ambiguous);
    tcase_add_test(tests, unknown);
    tcase_add_test(tests, loopback_keys);
    tcase_add_test(tests, one_line_whatever_is_given);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
