/* The command line: what every option means, and the defaults. */
#include "command_line.h"

/* The defaults as --help and DESIGN section 1 give them. */
START_TEST(defaults)
{
    allow("");
    ck_assert_int_eq(options.command, COMMAND_MEASURE);
    ck_assert_uint_eq(options.target_count, 0);
    ck_assert(!options.loopback);
    ck_assert(options.load_auto);
    ck_assert_uint_eq(options.load_count, 0);
    ck_assert_int_eq(options.time_ns, 10 * NS_PER_SEC);
    ck_assert(!options.time_given);
    ck_assert_uint_eq(options.calls, 0);
    ck_assert_int_eq(options.warmup_ns, 2 * NS_PER_SEC);
    ck_assert_uint_eq(options.repeat, 3); /* auto: the confirmation */
    ck_assert(!options.repeat_given);
    ck_assert_str_eq(options.mix, "legato");
    ck_assert_uint_eq(options.procs, 7);
    ck_assert(!options.procs_given);
    ck_assert_uint_eq(options.outstanding, 1);
    ck_assert(!options.outstanding_given);
    ck_assert_int_eq(options.arrival, ARRIVAL_POISSON);
    ck_assert_int_eq(options.engine, ENGINE_AUTO);
    ck_assert(options.call.tcp);
    ck_assert(options.call.auth_sys);
    ck_assert(!options.call.reserved_port);
    ck_assert_uint_eq(options.call.port, 0);
    ck_assert_uint_eq(options.call.mount_port, 0);
    ck_assert_int_eq(options.call.timeout_ns, NS_PER_SEC);
    ck_assert_uint_eq(options.call.retrans, 3);
    ck_assert_uint_eq(options.call.io_bytes, 8192);
    ck_assert_uint_eq(options.files, 1000);
    ck_assert_uint_eq(options.file_bytes, 0);
    ck_assert_uint_eq(options.fileset_bytes, 0);
    ck_assert_int_eq(options.stable, STABLE_FILE);
    ck_assert(!options.stable_given);
    ck_assert_uint_eq(options.seed, 1);
    ck_assert(!options.keep);
    ck_assert(!options.quiet);
    ck_assert(!options.verbose);
    ck_assert_str_eq(options.server.listen, "127.0.0.1");
    allow("-l 100");
    ck_assert_uint_eq(options.repeat, 1);
    allow("-l auto -r 1");
    ck_assert_uint_eq(options.repeat, 1);
}
END_TEST

START_TEST(classic)
{
    allow("-c 10000 -l 100 -p 7 -m mix -t 60 -v");
    ck_assert_uint_eq(options.calls, 10000);
    ck_assert_uint_eq(options.load_count, 1);
    ck_assert_double_eq(options.loads[0], 100);
    ck_assert(!options.load_auto);
    ck_assert_uint_eq(options.procs, 7);
    ck_assert(options.procs_given);
    ck_assert_str_eq(options.mix, "mix");
    ck_assert_int_eq(options.time_ns, 60 * NS_PER_SEC);
    ck_assert(options.time_given);
    ck_assert(options.verbose);
    ck_assert_int_eq(options.command, COMMAND_MEASURE);
    allow("-vc10000 -l100 dir -p8 other"); /* run together, and after the targets */
    ck_assert(options.verbose);
    ck_assert_uint_eq(options.calls, 10000);
    ck_assert_uint_eq(options.procs, 8);
    ck_assert_uint_eq(options.target_count, 2);
    ck_assert_str_eq(options.targets[1].path, "other");
    ck_assert_int_eq(options.targets[1].kind, TARGET_DIRECTORY);
}
END_TEST

/* Calls alone end a point; with a time, whichever comes first. */
START_TEST(calls_and_time)
{
    allow("-c 5000 -l 100");
    ck_assert_int_eq(options.time_ns, 0);
    allow("-c 5000 -t 10s -l 100"); /* the default, but said */
    ck_assert_int_eq(options.time_ns, 10 * NS_PER_SEC);
    ck_assert_uint_eq(options.calls, 5000);
    allow("--time 2m");
    ck_assert_int_eq(options.time_ns, 120 * NS_PER_SEC);
    ck_assert_uint_eq(options.calls, 0);
}
END_TEST

/* Both spellings of each option that has two, `--long=value`, and what it sets. */
START_TEST(every_option)
{
    static const char *const spellings[] = {"-l 5k -t 90s -c 2m -w 500ms -r 4 -m fsstat -p 12 -e rpc -q",
                                            "--load 5k --time 90s --calls 2m --warmup 500ms --repeat 4 --mix fsstat "
                                            "--procs 12 --engine rpc --quiet",
                                            "--load=5k --time=90s --calls=2m --warmup=500ms --repeat=4 --mix=fsstat "
                                            "--procs=12 --engine=rpc --quiet"};
    for (size_t i = 0; i < 3; i++) {
        allow(spellings[i]);
        ck_assert_double_eq(options.loads[0], 5000);
        ck_assert_int_eq(options.time_ns, 90 * NS_PER_SEC);
        ck_assert_uint_eq(options.calls, 2000000);
        ck_assert_int_eq(options.warmup_ns, NS_PER_SEC / 2);
        ck_assert_uint_eq(options.repeat, 4);
        ck_assert(options.repeat_given);
        ck_assert_str_eq(options.mix, "fsstat");
        ck_assert_uint_eq(options.procs, 12);
        ck_assert_int_eq(options.engine, ENGINE_RPC);
        ck_assert(options.quiet);
    }
    allow("--outstanding 16 --arrival constant --seed 0 --proto udp --port 2050 --mountport 2051 --sec none --resvport "
          "--timeout 250ms --retrans 0 --stable unstable --files 77 --file-size 64KiB --io-size 4k --keep --verbose "
          "--vers 3");
    ck_assert_uint_eq(options.outstanding, 16);
    ck_assert(options.outstanding_given);
    ck_assert_int_eq(options.arrival, ARRIVAL_CONSTANT);
    ck_assert_uint_eq(options.seed, 0);
    ck_assert(!options.call.tcp);
    ck_assert_uint_eq(options.call.port, 2050);
    ck_assert_uint_eq(options.call.mount_port, 2051);
    ck_assert(!options.call.auth_sys);
    ck_assert(options.call.reserved_port);
    ck_assert_int_eq(options.call.timeout_ns, NS_PER_SEC / 4);
    ck_assert_uint_eq(options.call.retrans, 0);
    ck_assert_int_eq(options.stable, STABLE_UNSTABLE);
    ck_assert(options.stable_given);
    ck_assert_uint_eq(options.files, 77);
    ck_assert_uint_eq(options.file_bytes, 65536);
    ck_assert_uint_eq(options.call.io_bytes, 4096);
    ck_assert(options.keep);
    ck_assert(options.verbose);
    allow("--arrival uniform --engine mount --stable data --proto tcp --sec sys");
    ck_assert_int_eq(options.arrival, ARRIVAL_UNIFORM);
    ck_assert_int_eq(options.engine, ENGINE_MOUNT);
    ck_assert_int_eq(options.stable, STABLE_DATA);
    ck_assert(options.call.tcp);
    ck_assert(options.call.auth_sys);
    allow("--arrival poisson --engine auto --stable file");
    ck_assert(options.stable_given);
    /* The last of two counts. */
    allow("-p 3 --procs 4 -l 100,200 -l 300 --proto udp --proto tcp");
    ck_assert_uint_eq(options.procs, 4);
    ck_assert_uint_eq(options.load_count, 1);
    ck_assert(options.call.tcp);
    allow("-l 100 -l auto");
    ck_assert(options.load_auto);
    ck_assert_uint_eq(options.load_count, 0);
}
END_TEST

START_TEST(commands)
{
    static const struct {
        const char *line;
        enum command command;
    } cases[] = {{"-h", COMMAND_HELP},
                 {"--help", COMMAND_HELP},
                 {"-V", COMMAND_VERSION},
                 {"--version", COMMAND_VERSION},
                 {"--cleanup host:/e", COMMAND_CLEANUP},
                 {"--dry-run host:/e", COMMAND_DRY_RUN},
                 {"--serve", COMMAND_SERVE},
                 {"host:/e", COMMAND_MEASURE},
                 {"-h --nonsense", COMMAND_HELP},
                 {"-q -v -V", COMMAND_VERSION},
                 {"--loopback --dry-run", COMMAND_DRY_RUN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        allow(cases[i].line);
        ck_assert_msg(options.command == cases[i].command, "%s", cases[i].line);
    }
    allow("--loopback=service=exp:2ms,workers=4");
    ck_assert(options.loopback);
    ck_assert_int_eq(options.command, COMMAND_MEASURE);
    ck_assert_int_eq(options.server.law, SERVICE_EXPONENTIAL);
    ck_assert_int_eq(options.server.service_mean_ns, 2 * NS_PER_MS);
    ck_assert_uint_eq(options.server.workers, 4);
    allow("--serve=listen=::1,port=3049,mountport=3050");
    ck_assert_str_eq(options.server.listen, "::1");
    ck_assert_uint_eq(options.server.port, 3049);
    ck_assert_uint_eq(options.server.mountport, 3050);
    allow("--loopback");
    ck_assert(options.loopback);
}
END_TEST

START_TEST(abbreviations)
{
    allow("--verb --loa 100 --proc 3 --outs 2 --see 5 --mo 99 --ca=7 x --en rpc");
    ck_assert(options.verbose);
    ck_assert_double_eq(options.loads[0], 100);
    ck_assert_uint_eq(options.procs, 3);
    ck_assert_uint_eq(options.outstanding, 2);
    ck_assert_uint_eq(options.seed, 5);
    ck_assert_uint_eq(options.call.mount_port, 99);
    ck_assert_uint_eq(options.calls, 7);
    ck_assert_int_eq(options.engine, ENGINE_RPC);
}
END_TEST

/* One command line is read like another, also after one whose reading ended in the middle of a word. */
START_TEST(read_twice)
{
    char *first[] = {(char[]){"nhfsstone"}, (char[]){"-hqk"}, NULL};
    char *second[] = {(char[]){"nhfsstone"}, (char[]){"-p"}, (char[]){"3"}, NULL};
    ck_assert(options_parse(2, first, &options, &problem));
    ck_assert_msg(options_parse(3, second, &options, &problem), "%s", problem.text);
    ck_assert_uint_eq(options.procs, 3);
    ck_assert(!options.quiet);
}
END_TEST

static char *printed(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    print(out);
    fclose(out);
    return text;
}

static void print_options(FILE *out)
{
    options_print(&options, out);
}

static const char *const long_names[] = {
    "load",       "time",           "calls",   "warmup",   "repeat",  "mix",       "procs",     "outstanding",
    "arrival",    "seed",           "engine",  "vers",     "proto",   "port",      "mountport", "sec",
    "resvport",   "timeout",        "retrans", "stable",   "files",   "file-size", "io-size",   "fileset",
    "keep",       "loopback",       "verbose", "quiet",    "cleanup", "serve",     "dry-run",   "version",
    "help",       "ignore-unknown", "json",    "mix-from", "csv",     "limit",     "plot",      "report",
    "disclosure", "compare",        "fail-if"};

START_TEST(help)
{
    char *text = printed(options_help);
    static const char *const letters[] = {"-l, --load",    "-t, --time",  "-c, --calls",   "-w, --warmup",
                                          "-r, --repeat",  "-m, --mix",   "-p, --procs",   "-e, --engine",
                                          "-v, --verbose", "-q, --quiet", "-V, --version", "-h, --help"};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        ck_assert_msg(strstr(text, letters[i]) != NULL, "%s", letters[i]);
    }
    for (size_t i = 0; i < sizeof long_names / sizeof long_names[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, " --%s", long_names[i]);
        ck_assert_msg(strstr(text, name) != NULL, "%s", name);
    }
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    free(text);
}
END_TEST

/* "name value", one a line, as in effect: each option that is no command, once. */
START_TEST(print)
{
    allow(
        "-l 100,250.5 -p 9 --proto udp --sec none --timeout 250ms --keep --stable data --mix my_mix --file-size 64KiB "
        "--seed 9000000000000000 -t 90 --port 65535");
    char *text = printed(print_options);
    static const char *const expected[][2] = {
        {"load", "100,250.5"},  {"procs", "9"},
        {"proto", "udp"},       {"sec", "none"},
        {"timeout", "0.25s"},   {"keep", "yes"},
        {"stable", "data"},     {"mix", "my mix"},
        {"file-size", "65536"}, {"time", "90s"},
        {"warmup", "2s"},       {"quiet", "no"},
        {"vers", "3"},          {"seed", "9000000000000000"},
        {"retrans", "3"},       {"files", "2505"},
        {"port", "65535"},      {"io-size", "8192"},
        {"arrival", "poisson"}, {"repeat", "1"},
    };
    bool seen[sizeof expected / sizeof expected[0]] = {false};
    size_t lines = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
        char name[64];
        int used = 0;
        ck_assert_int_eq(sscanf(line, " %63s %n", name, &used), 1);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            if (strcmp(name, expected[i][0]) == 0) {
                ck_assert_str_eq(line + used, expected[i][1]);
                ck_assert(!seen[i]);
                seen[i] = true;
            }
        }
    }
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_msg(seen[i], "%s", expected[i][0]);
    }
    /* All of long_names[] but the seven commands and --fail-if, which is part of one. */
    ck_assert_uint_eq(lines, sizeof long_names / sizeof long_names[0] - 8);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tests = tcase_create("options");
    tcase_add_test(tests, defaults);
    tcase_add_test(tests, classic);
    tcase_add_test(tests, calls_and_time);
    tcase_add_test(tests, every_option);
    tcase_add_test(tests, commands);
    tcase_add_test(tests, abbreviations);
    tcase_add_test(tests, read_twice);
    tcase_add_test(tests, help);
    tcase_add_test(tests, print);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
