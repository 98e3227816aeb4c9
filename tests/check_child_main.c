/* A child through all its phases, in a process of its own, led through pipes as the parent does. */
#include "sim_engine.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, CHILDREN = 2 };

/* What parent and child both see. */
struct shared {
    struct sim sim[CHILDREN];
    struct counters counters[CHILDREN];
    struct phase_plan plan;
};

static struct shared *shared;
static int gates[2][2]; /* [gate][end] */
static int reports[2];
static pid_t pids[CHILDREN];

static void open_pipes(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    ck_assert_int_eq(pipe(gates[0]), 0);
    ck_assert_int_eq(pipe(gates[1]), 0);
    ck_assert_int_eq(pipe(reports), 0);
    sim_setup();
    shared->plan = plan;
    for (int i = 0; i < CHILDREN; i++) {
        shared->sim[i] = sim;
    }
}

/* Forks child `index` of `procs`, which comes to its first gate after delay_ms. */
static void start_child(unsigned index, unsigned procs, unsigned delay_ms)
{
    pids[index] = fork();
    ck_assert_int_ge(pids[index], 0);
    if (pids[index] > 0) {
        return;
    }
    const int gate_fds[2] = {gates[0][0], gates[1][0]};
    close(gates[0][1]);
    close(gates[1][1]);
    close(reports[0]);
    usleep(delay_ms * 1000);
    child.index = index;
    child.procs = procs;
    child.plan = &shared->plan;
    child.counters = &shared->counters[index];
    child.engine = NULL;
    child.open_context = &shared->sim[index];
    _exit(child_main(&child, gate_fds, reports[1]));
}

/* As the parent: one byte a child, at the gates in turn. */
static void let_through(unsigned turn, unsigned children)
{
    ck_assert_int_eq(write(gates[turn % 2][1], "..", children), (ssize_t)children);
}

static struct child_report next_report(void)
{
    struct child_report report;
    struct pollfd poll_fd = {.fd = reports[0], .events = POLLIN};
    ck_assert_msg(poll(&poll_fd, 1, PATIENCE_MS) == 1, "no report");
    ck_assert_int_eq(read(reports[0], &report, sizeof report), (ssize_t)sizeof report);
    return report;
}

static bool has_report(void)
{
    struct pollfd poll_fd = {.fd = reports[0], .events = POLLIN};
    return poll(&poll_fd, 1, 0) == 1;
}

static void close_gates(void)
{
    close(gates[0][1]);
    close(gates[1][1]);
}

static int exit_status(unsigned index)
{
    int status = 0;
    for (int waited = 0; waited < PATIENCE_MS; waited += 5) {
        if (waitpid(pids[index], &status, WNOHANG) == pids[index]) {
            ck_assert(WIFEXITED(status));
            return WEXITSTATUS(status);
        }
        usleep(5000);
    }
    kill(pids[index], SIGKILL);
    ck_abort_msg("the child does not end");
    return -1;
}

static void expect_done(unsigned index)
{
    struct child_report report = next_report();
    ck_assert_uint_eq(report.index, index);
    ck_assert_msg(report.kind == REPORT_DONE, "%s", report.problem.text);
}

START_TEST(all_phases)
{
    open_pipes();
    start_child(0, 1, 0);
    shared->plan.phase = PHASE_OPEN;
    let_through(0, 1);
    expect_done(0);
    shared->plan.phase = PHASE_PREPARE;
    let_through(1, 1);
    expect_done(0);
    ck_assert_uint_eq(shared->sim[0].prepared, 1);
    /* About 75 % and 25 % of 200 calls; 4 outstanding. */
    const struct engine_need *need = &shared->sim[0].need;
    ck_assert(need->calls[OP_GETATTR] >= 150 && need->calls[OP_GETATTR] <= 155);
    ck_assert(need->calls[OP_LOOKUP] >= 50 && need->calls[OP_LOOKUP] <= 55);
    ck_assert(!(need->calls[OP_READ] > 0));
    ck_assert_uint_eq(need->outstanding, 4);
    for (unsigned stretch = 0; stretch < 3; stretch++) {
        shared->plan.phase = PHASE_LOAD;
        shared->plan.record = stretch > 0;
        shared->plan.number = stretch;
        shared->plan.start_ns = clock_ns() + 5 * NS_PER_MS;
        let_through(2 + stretch, 1);
        expect_done(0);
        const struct counters *counted = &shared->counters[0];
        ck_assert_uint_eq(sum(counted->ok) + sum(counted->after_end) + counted->unsent, stretch > 0 ? 200 : 0);
        ck_assert_int_ge(clock_ns(), shared->plan.start_ns + shared->plan.length_ns);
    }
    shared->plan.phase = PHASE_CLEAN;
    let_through(5, 1);
    expect_done(0);
    ck_assert_uint_eq(shared->sim[0].cleaned, 1);
    ck_assert_uint_eq(shared->sim[0].closed, 0);
    close_gates();
    ck_assert_int_eq(exit_status(0), 0);
    ck_assert_uint_eq(shared->sim[0].closed, 1);
    ck_assert(!has_report());
}
END_TEST

/* The parent dies before anything: nothing to report, nothing to close. */
START_TEST(gates_closed_at_once)
{
    open_pipes();
    start_child(0, 1, 0);
    close_gates();
    ck_assert_int_eq(exit_status(0), 0);
    ck_assert(!has_report());
    ck_assert_uint_eq(shared->sim[0].closed, 0);
}
END_TEST

/* Clean without an engine has nothing to do. */
START_TEST(clean_before_open)
{
    open_pipes();
    start_child(0, 1, 0);
    shared->plan.phase = PHASE_CLEAN;
    let_through(0, 1);
    expect_done(0);
    close_gates();
    ck_assert_int_eq(exit_status(0), 0);
}
END_TEST

/* _i: the phase that fails. It is reported with its line, and ends the child with 3, the gates still open (but
 * cleaning). */
START_TEST(failing_phase)
{
    static const char *const lines[] = {"nobody there", "the disk is full", "it stays behind"};
    static const enum phase phases[] = {PHASE_OPEN, PHASE_PREPARE, PHASE_CLEAN};
    open_pipes();
    shared->sim[0].fail_open = _i == 0;
    shared->sim[0].fail_prepare = _i == 1;
    shared->sim[0].fail_clean = _i == 2;
    start_child(0, 1, 0);
    for (int i = 0; i <= _i; i++) {
        shared->plan.phase = phases[i];
        let_through((unsigned)i, 1);
        if (i < _i) {
            expect_done(0);
        }
    }
    struct child_report report = next_report();
    ck_assert_uint_eq(report.index, 0);
    ck_assert_int_eq(report.kind, REPORT_FAILED);
    ck_assert_str_eq(report.problem.text, lines[_i]);
    if (phases[_i] == PHASE_CLEAN) {
        /* Nothing comes after it, which others may still be at: it ends like any other child. */
        close_gates();
        ck_assert_int_eq(exit_status(0), 0);
    } else {
        ck_assert_int_eq(exit_status(0), 3);
        close_gates();
    }
    ck_assert_uint_eq(shared->sim[0].closed, _i > 0);
}
END_TEST

/* Two children, one 100 ms late: the quick one does not take the other's byte, and each reports each phase once. */
START_TEST(two_children)
{
    open_pipes();
    start_child(0, 2, 0);
    start_child(1, 2, 100);
    for (unsigned turn = 0; turn < 6; turn++) {
        unsigned seen = 0;
        shared->plan.phase = turn == 0 ? PHASE_OPEN : turn % 2 == 0 ? PHASE_PREPARE : PHASE_LOAD;
        shared->plan.length_ns = 10 * NS_PER_MS;
        shared->plan.start_ns = clock_ns();
        let_through(turn, 2);
        for (int i = 0; i < 2; i++) {
            struct child_report report = next_report();
            ck_assert_int_eq(report.kind, REPORT_DONE);
            ck_assert_uint_lt(report.index, 2);
            ck_assert_uint_eq(seen & 1U << report.index, 0);
            seen |= 1U << report.index;
        }
        ck_assert(!has_report());
    }
    close_gates();
    ck_assert_int_eq(exit_status(0), 0);
    ck_assert_int_eq(exit_status(1), 0);
    /* 200 calls were dealt out: 100 each. */
    for (int i = 0; i < 2; i++) {
        const struct counters *counted = &shared->counters[i];
        ck_assert_uint_eq(sum(counted->ok) + sum(counted->after_end) + counted->unsent, 100);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("child_main");
    TCase *tests = tcase_create("phases");
    tcase_set_timeout(tests, 20);
    tcase_add_test(tests, all_phases);
    tcase_add_test(tests, gates_closed_at_once);
    tcase_add_test(tests, clean_before_open);
    tcase_add_loop_test(tests, failing_phase, 0, 3);
    tcase_add_test(tests, two_children);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
