/* The disclosure of results built by hand: lines that can be computed on paper. With KEEP_REPORTS=DIR, one of each kind
 * stays there to be looked at. */
#include "report_sample.h"

#include <signal.h>

START_TEST(numbers)
{
    setup();
    three_points();
    write_report(".txt");
    ck_assert(strncmp(text, "NFS throughput and response time: server:/export\n====", 53) == 0);
    has_line("2026-11-30T20:19:48Z, measured by nhfsstone " VERSION);
    has_line("390 calls/sec @ 40.0 msec ==> 39 users");
    has_line("Overall response time: 12.0 msec.");
    has_line("VALID");
    has_not("\nNOT VALID\n");
    has_not("INTERRUPTED");
    has_line("Requested  Achieved  Mean response  95th percentile  Errors");
    /* The percentile is the middle of a bucket, at most 1/64 wide: 3 ms, 6 ms, 60 ms, but never over the largest. */
    has("\n    100.0     100.0          2.000 ");
    has("\n    200.0     200.0          4.000 ");
    has("\n    400.0     390.0         40.000 ");
    has_line("Op      Wanted %  Got %  Calls  Errors  Mean msec");
    has_line("lookup     75.00  75.00   5175       0     20.048");
    has_line("read       25.00  25.00   1725       0     36.087");
    has("Mix error: 0.00 points");
    has_line("Load                      100, 200, 400 calls/sec, 1 run of each");
    has_line("Time of each point        10 s");
    has_line("Warm-up before each       2 s");
    has_line("Size of a transfer        8192 bytes in a READ or WRITE");
    has_line("File set                  1000 files, 27.4 MB (the file sizes of SFS 3.0: 1 KiB to 1 MiB)");
    has("Of it touched ");
    has_line("CPUs it may use           4");
    has_line("Memory                    8.0 GiB");
    has_line("nhfsstone --report r.html server:/export");
    check_all();
}
END_TEST

/* The result line: calls/s and users are rounded down, ms as many decimals as they deserve. */
START_TEST(result_lines)
{
    static const struct {
        uint64_t calls;
        double ms;
        const char *line;
    } cases[] = {
        {46430, 49.5, "4643 calls/sec @ 49.5 msec ==> 464 users"},
        {46439, 49.5, "4643 calls/sec @ 49.5 msec ==> 464 users"},
        {46499, 9.5, "4649 calls/sec @ 9.50 msec ==> 464 users"},
        {46500, 1, "4650 calls/sec @ 1.00 msec ==> 465 users"},
        {9999, 0.25, "999 calls/sec @ 0.250 msec ==> 99 users"},
        {999, 50, "99.9 calls/sec @ 50.0 msec ==> 9 users"},
        {100, 2, "10.0 calls/sec @ 2.00 msec ==> 1 users"},
        {98, 2, "9.8 calls/sec @ 2.00 msec ==> 0 users"},
        {1, 2, "0.1 calls/sec @ 1.00 msec ==> 0 users"}, /* the only call takes half of it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup();
        add_point(5000, cases[i].calls, cases[i].ms, ROLE_FIXED);
        write_report(".txt");
        has_line(cases[i].line);
    }
}
END_TEST

/* The limit: the peak lies beyond it; nothing lies within it; another limit. */
START_TEST(limits)
{
    setup();
    three_points();
    add_point(800, 5000, 60, ROLE_FIXED);
    write_report(".txt");
    has_line("390 calls/sec @ 40.0 msec ==> 39 users");
    says("at most 50 msec. The peak is 500.0 calls/sec @ 60.0 msec.");
    options.limit_ns = 10 * NS_PER_MS;
    write_report(".txt");
    has_line("200 calls/sec @ 4.00 msec ==> 20 users");
    options.limit_ns = NS_PER_MS / 2;
    write_report(".txt");
    says("no load was answered within 0.5 msec on average; the peak is 500 calls/sec @ 60.0 msec");
    has_not("==>");
    options.limit_ns = 60 * NS_PER_MS;
    write_report(".txt");
    has_line("500 calls/sec @ 60.0 msec ==> 50 users");
    says("its mean response time is within the limit of 60 msec.");
    check_all();
}
END_TEST

START_TEST(plateau)
{
    setup();
    options.load_auto = true;
    options.load_count = 0;
    options.repeat = 3;
    add_point(100, 1000, 2, ROLE_RAMP);
    add_point(400, 1000, 700, ROLE_RAMP)->outstanding = 1; /* missed its load: not on the curve */
    add_point(200, 1900, 10, ROLE_CONFIRM);
    add_point(200, 2000, 10, ROLE_CONFIRM);
    add_point(200, 2100, 10, ROLE_CONFIRM)->counters.failed[OP_READ][OUTCOME_TIMEOUT] = 7;
    result.plateau.found = true;
    result.plateau.rate = (struct estimate){3, 200, 10, 24.8, true};
    result.plateau.service_ms = (struct estimate){3, 10, 0, 0, true};
    result.plateau.decision.outstanding = 2;
    write_report(".txt");
    has_line("200 calls/sec @ 10.0 msec ==> 20 users");
    has("\n    200.0     200.0         10.000 ");
    has("       7\n");
    has_not("700.000");
    has_not("350.0");
    says("2 for each child at first; 2 at the plateau");
    has_not("ceiling");
    has_not("ollapses");
    has_not("nsettled");
    says("Plateau: 200.0 calls/sec at 10.0 msec/call, 3 runs; 95 % confidence interval 175.2 to 224.8 calls/sec "
         "(+-12.4%).");
    says("Counted over the runs of the plateau");
    result.plateau.client_ceiling = true;
    result.plateau.collapses = true;
    result.plateau.decision.beyond = 50;
    result.plateau.decision.settled = false;
    write_report(".txt");
    says("client's own ceiling");
    says("serves less (down to 50.0 calls/sec)");
    says("Unsettled");
    check_all();
}
END_TEST

START_TEST(repeated_load)
{
    setup();
    options.load_count = 1;
    options.loads[0] = 100;
    options.repeat = 2;
    add_point(100, 980, 2, ROLE_FIXED);
    add_point(100, 1000, 2, ROLE_FIXED);
    result.rate = (struct estimate){2, 99, 1.4, 12.7, true};
    write_report(".txt");
    has_line("99.0 calls/sec @ 2.00 msec ==> 9 users");
    ck_assert_uint_eq(count_of("\n    100.0 "), 1);
    has_line("Load                      100 calls/sec, 2 runs of each");
    says("Mean of 2 runs: 99.0 calls/sec; 95 % confidence interval 86.3 to 111.7 calls/sec (+-12.8%).");
}
END_TEST

START_TEST(warnings)
{
    setup();
    three_points();
    result.warnings[0].kind = WARNING_ERRORS;
    strcpy(result.warnings[0].text, "3 of 100 calls failed <script>alert(1)</script> | x");
    result.warnings[1].kind = WARNING_CLIENT_LIMITED;
    strcpy(result.warnings[1].text, "the children had no CPU left");
    result.warning_count = 2;
    strcpy(result.notes[0], "outlier: run 3 of 5 stands apart");
    result.note_count = 1;
    write_report(".txt");
    has_line("NOT VALID");
    has_line("* ERRORS: 3 of 100 calls failed <script>alert(1)</script> | x");
    has_line("* CLIENT LIMITED: the children had no CPU left");
    has_line("* Note: outlier: run 3 of 5 stands apart");
    check_all();
    has("&lt;script&gt;alert(1)&lt;/script&gt;");
    /* A warning that does not make it invalid. */
    result.warnings[0].kind = WARNING_CONCURRENCY_LIMITED;
    result.warning_count = 1;
    write_report(".txt");
    has_line("VALID");
    has("* CONCURRENCY LIMITED: 3 of 100");
}
END_TEST

/* Time until calls were answered that counts from when they were due, when it was much longer. */
START_TEST(waiting)
{
    setup();
    three_points();
    write_report(".txt");
    has_not("Counted from the time they were due");
    for (int i = 0; i < 10000; i++) {
        histogram_record(&points[2].counters.response, 400 * NS_PER_MS);
    }
    write_report(".txt");
    says("Counted from the time they were due");
}
END_TEST

START_TEST(no_complete_result)
{
    setup();
    result.interrupted = SIGINT;
    check_all();
    write_report(".txt");
    has("====\n\nINTERRUPTED by signal 2 (Interrupt): this is as far as it got\n\nNO RESULT: no point was measured\n");
    has_line("NOT VALID");
    has_not("==>");
    has_line("lookup     75.00      -      0       0          -");
    three_points();
    points[2].interrupted = true;
    write_report(".txt");
    has("====\n\nINTERRUPTED by signal 2");
    has_not("NO RESULT");
    has_line("NOT VALID");
    has_line("200 calls/sec @ 4.00 msec ==> 20 users");
    check_all();

    setup();
    strcpy(result.error, "server:/export: <b>Connection</b> refused");
    write_report(".html");
    has("</h1>\n\n<p class=\"bad\">NOT FINISHED: server:/export: &lt;b&gt;Connection&lt;/b&gt; refused</p>\n");
    check_all();

    setup(); /* a point without a call answered */
    add_point(100, 0, 1, ROLE_FIXED);
    write_report(".txt");
    has("\nNO RESULT: no point was measured to its end with calls answered\n");
    has_line("NOT VALID");
    check_all();

    setup(); /* an exit status that says so is enough */
    three_points();
    result.exit_status = 3;
    write_report(".txt");
    has_line("NOT VALID");
}
END_TEST

/* To be looked at: a server that has its knee at 4700 calls/s. */
START_TEST(samples)
{
    static const char *const argv[] = {
        "nhfsstone",      "-l", "500:5000:500", "--disclosure", "examples/server.disclosure", "--report", "report.html",
        "server:/export", NULL};
    const char *keep = getenv("KEEP_REPORTS");
    struct problem problem = {""};
    const struct plan plan = {.options = &options, .mix = &mix, .origin = &origin};
    if (keep == NULL) {
        return;
    }
    setup();
    for (int i = 0; i < MOST; i++) {
        double load = 600 * (i + 1);
        add_point(load, (uint64_t)(10 * load), 4 / (1 - load / 5100), ROLE_FIXED);
        options.loads[i] = load;
    }
    options.load_count = MOST;
    ck_assert(disclosure_read("examples/server.disclosure", &disclosure, &problem));
    for (int i = 0; i < 3; i++) {
        static const char *const endings[] = {".txt", ".md", ".html"};
        char file[256];
        snprintf(file, sizeof file, "%s/report%s", keep, endings[i]);
        ck_assert_msg(report_disclosure(&result, &plan, &disclosure, 8, (char **)argv, file, &problem), "%s",
                      problem.text);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {numbers, result_lines,       limits, plateau, repeated_load, warnings,
                                  waiting, no_complete_result, samples};
    return run_report_tests("report_disclosure", tests, sizeof tests / sizeof tests[0]);
}
