/* One stretch of load with a simulated engine: counts are exact, times are kept. */
#include "sim_engine.h"

#include <signal.h>

/* Engine instant: every planned call is made, and in its own share (75 % of 200 is 150). */
START_TEST(instant_engine)
{
    child.arrival = (enum arrival)_i;
    int64_t before_ns = clock_ns();
    child_load(&child);
    ck_assert_int_ge(clock_ns(), plan.start_ns + plan.length_ns);
    ck_assert_int_le(clock_ns() - before_ns, NS_PER_SEC);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, 200);
    /* Only a machine that stood still at the very end leaves calls unsent. */
    ck_assert(counters.unsent == 0 || counters.max_stall_ns > 0);
    ck_assert_uint_eq(counters.sent, sim.tail);
    ck_assert_uint_eq(counters_failed(&counters), 0);
    ck_assert_uint_eq(counters.service.count, counters.sent);
    ck_assert_uint_eq(counters.response.count, counters.sent);
    ck_assert_uint_eq(sim.early, 0);
    if (counters.unsent == 0) {
        ck_assert_uint_eq(counters.ok[OP_GETATTR] + counters.after_end[OP_GETATTR], 150);
        ck_assert_uint_eq(counters.ok[OP_LOOKUP] + counters.after_end[OP_LOOKUP], 50);
    }
    ck_assert_uint_le(counters.service.max_ns, 0); /* done_ns is sent_ns here */
    ck_assert_uint_le(sum(counters.after_end), 100);
    ck_assert_int_gt(counters.cpu_ns, 0);
    for (size_t i = 0; i < sim.tail; i++) {
        ck_assert_int_ge(sim.calls[i].due_ns, plan.start_ns);
        ck_assert_int_le(sim.calls[i].due_ns, plan.start_ns + plan.length_ns);
        ck_assert(i == 0 || sim.calls[i].due_ns >= sim.calls[i - 1].due_ns);
    }
}
END_TEST

/* CONSTANT: the middle of each of 200 slots of 0.5 ms: 0.25, 0.75, 1.25, ... ms (schedule.h). */
START_TEST(due_times)
{
    child.arrival = ARRIVAL_CONSTANT;
    child_load(&child);
    for (size_t i = 0; i < sim.tail; i++) {
        int64_t due_ns = plan.start_ns + (int64_t)i * 500000 + 250000;
        ck_assert_int_le(llabs(sim.calls[i].due_ns - due_ns), 1);
        ck_assert_int_ge(sim.calls[i].at_ns, sim.calls[i].due_ns);
    }
    ck_assert_uint_eq(sim.tail + counters.unsent, 200);
    ck_assert_uint_ge(sim.tail, 100); /* the rest only if the machine stood still at the end */
}
END_TEST

/* Three children of 200 calls: 67, 67 and 66, at their own due times. */
START_TEST(share_of_a_child)
{
    static const uint64_t shares[] = {67, 67, 66};
    child.procs = 3;
    child.index = (unsigned)_i;
    child_load(&child);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, shares[_i]);
    ck_assert_uint_le(counters.unsent, 33); /* half, if the machine stood still at the end */
}
END_TEST

/* More children than calls: the tenth of ten with 5 calls has none, and waits the stretch out. */
START_TEST(no_calls)
{
    child.procs = 10;
    child.index = 9;
    plan.calls = 5;
    child_load(&child);
    ck_assert_int_ge(clock_ns(), plan.start_ns + plan.length_ns);
    ck_assert_uint_eq(sim.tail, 0);
    ck_assert_uint_eq(counters.unsent, 0);
}
END_TEST

/*
 * 5 ms a call, 4 at once: 800/s; asked 5000 in 100 ms, of which at most 4 * (100 / 5 + 1) = 84 are sent. The others are
 * due and unsent; nothing is lost from the sum, and the window is never exceeded.
 */
START_TEST(slow_engine)
{
    sim.service_ns = 5 * NS_PER_MS;
    plan.calls = 5000;
    child_load(&child);
    ck_assert_uint_eq(sim.most_outstanding, 4);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, 5000);
    ck_assert_uint_eq(counters.sent + counters.unsent, 5000);
    ck_assert_uint_le(counters.sent, 84);
    ck_assert_uint_ge(counters.sent, 20);          /* even if the machine sleeps most of the time */
    ck_assert_uint_ge(sum(counters.after_end), 1); /* the last are under way at the end */
    ck_assert_uint_le(sum(counters.after_end), 4);
    ck_assert_uint_eq(sim_outstanding(&sim.engine), 0);
    ck_assert_uint_eq(sim.early, 0);
    /* Service is what the engine took; response counts from the due time and so is longer in the end. */
    ck_assert_uint_eq(counters.service.min_ns, 5 * NS_PER_MS);
    ck_assert_uint_eq(counters.service.max_ns, 5 * NS_PER_MS);
    ck_assert_uint_ge(counters.response.max_ns, 50 * NS_PER_MS);
    ck_assert_int_le(counters.end_ns, plan.length_ns);
}
END_TEST

START_TEST(window_of_one)
{
    sim.service_ns = NS_PER_MS;
    plan.outstanding = 1;
    child_load(&child);
    ck_assert_uint_eq(sim.most_outstanding, 1);
}
END_TEST

/* Every outcome in its class, a status in its slot, no failure in throughput or times. */
START_TEST(failures)
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        mix.percent[op] = 0;
    }
    static const unsigned ops[] = {OP_GETATTR, OP_LOOKUP, OP_READ, OP_WRITE, OP_REMOVE};
    for (unsigned i = 0; i < 5; i++) {
        mix.percent[ops[i]] = 20;
        sim.outcome[ops[i]] = (enum outcome)i; /* OK, NFS_ERROR, REJECTED, GARBAGE, TIMEOUT */
        sim.status[ops[i]] = 70;               /* means something for NFS_ERROR only */
    }
    child_load(&child);
    if (counters.unsent > 0) {
        return; /* the machine stood still at the end: shares are not exact then */
    }
    ck_assert_uint_eq(counters.ok[OP_GETATTR] + counters.after_end[OP_GETATTR], 40);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end), 40);
    ck_assert_uint_eq(counters.failed[OP_LOOKUP][OUTCOME_NFS_ERROR], 40);
    ck_assert_uint_eq(counters.status[OP_LOOKUP][nfs_status_index(70)], 40);
    ck_assert_uint_eq(counters.failed[OP_READ][OUTCOME_REJECTED], 40);
    ck_assert_uint_eq(counters.failed[OP_WRITE][OUTCOME_GARBAGE], 40);
    ck_assert_uint_eq(counters.failed[OP_REMOVE][OUTCOME_TIMEOUT], 40);
    ck_assert_uint_eq(counters_failed(&counters), 160);
    uint64_t statuses = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        for (size_t slot = 0; slot < STATUS_SLOTS; slot++) {
            statuses += counters.status[op][slot];
        }
    }
    ck_assert_uint_eq(statuses, 40);
    ck_assert_uint_eq(counters.service.count, 40);
    ck_assert_uint_eq(counters.response.count, 40);
}
END_TEST

static bool all_zero(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        if (at[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Warm-up makes the calls and counts none: unsent, failed, stalled or well done. */
static void warm_up(void)
{
    plan.record = false;
    plan.calls = 2000;
    sim.service_ns = NS_PER_MS;
    sim.outcome[OP_LOOKUP] = OUTCOME_NFS_ERROR;
    sim.stall_at_ns = plan.start_ns + 20 * NS_PER_MS;
    sim.stall_ns = 30 * NS_PER_MS;
    child_load(&child);
    ck_assert_uint_gt(sim.tail, 50);
    ck_assert_uint_eq(sim_outstanding(&sim.engine), 0);
}

START_TEST(warm_up_counts_nothing)
{
    warm_up();
    counters.cpu_ns = 0; /* see the next test */
    ck_assert(all_zero(&counters, sizeof counters));
}
END_TEST

/* "record: count and time the calls (else it is warm-up)": the CPU time of the warm-up is not to be counted either. */
START_TEST(warm_up_counts_no_cpu_time)
{
    warm_up();
    ck_assert_int_eq(counters.cpu_ns, 0);
}
END_TEST

/* What was counted before, by the load or by the engine (say in a warm-up), is no part of a stretch that records. */
START_TEST(recording_starts_from_nothing)
{
    counters.ok[OP_GETATTR] = 1000;
    counters.unsent = 1000;
    counters.jukebox = 1000;
    sim.jukebox = 55;
    child_load(&child);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, 200);
    ck_assert_uint_eq(counters.jukebox, 0);
    ck_assert_uint_eq(sim.jukebox, 0);
}
END_TEST

/*
 * Bound by calls: 60 calls planned in 60 ms that take 4 ms each, 3 at once: 80 ms. All are made and all are throughput;
 * it ends with them, well before twice 60 ms on a quiet machine, and at twice the length and a drain at the latest.
 */
START_TEST(bound_by_calls)
{
    plan.calls_bound = true;
    plan.calls = 60;
    plan.length_ns = 60 * NS_PER_MS;
    plan.outstanding = 3;
    sim.service_ns = 4 * NS_PER_MS;
    child_load(&child);
    ck_assert_uint_eq(sum(counters.ok) + counters.unsent, 60);
    ck_assert(counters.unsent == 0 || counters.stall_ns > 0);
    ck_assert_uint_eq(sum(counters.after_end), 0);
    ck_assert(counters.unsent > 0 || counters.end_ns >= 60 / 3 * 4 * NS_PER_MS);
    ck_assert_int_eq(counters.end_ns, sim.calls[sim.tail - 1].at_ns + sim.service_ns - plan.start_ns);
}
END_TEST

/* ... "at the latest at twice its length": 5 ms each, 1 at once: 24 + 1 of 60 at most in 120 ms. */
START_TEST(bound_by_calls_too_slow)
{
    plan.calls_bound = true;
    plan.calls = 60;
    plan.length_ns = 60 * NS_PER_MS;
    plan.outstanding = 1;
    sim.service_ns = 5 * NS_PER_MS;
    child_load(&child);
    ck_assert_int_ge(clock_ns(), plan.start_ns + 2 * plan.length_ns);
    ck_assert_uint_eq(counters.sent + counters.unsent, 60);
    ck_assert_uint_le(counters.sent, 25);
    ck_assert_uint_eq(sum(counters.ok), counters.sent);
}
END_TEST

static void on_alarm(int signal_number)
{
    (void)signal_number;
    atomic_store(&stop, 1);
}

/* Stop, set 30 ms into 10 s, with calls outstanding that never end: over within 200 ms, nothing of it "unsent". */
START_TEST(stops)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    plan.length_ns = 10 * NS_PER_SEC;
    plan.calls = (uint64_t)_i * 1000; /* with nothing to do as well */
    sim.never = true;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec in = {.it_value = {.tv_nsec = 40 * NS_PER_MS}};
    ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    int64_t start_ns = clock_ns();
    ck_assert_int_eq(timer_settime(timer, 0, &in, NULL), 0);
    child_load(&child);
    ck_assert_int_ge(clock_ns() - start_ns, 40 * NS_PER_MS);
    ck_assert_int_le(clock_ns() - start_ns, (40 + 200) * NS_PER_MS);
    ck_assert_uint_eq(counters.unsent, 0);
    timer_delete(timer);
}
END_TEST

/*
 * A wait that comes back 40 ms later than asked is the child's own lateness: 40 ms in all and at once. Other lateness
 * of this machine may come on top; it is told apart by what a run without the stall shows being far below on most days.
 */
START_TEST(stall_is_noted)
{
    sim.stall_at_ns = plan.start_ns + 30 * NS_PER_MS;
    sim.stall_ns = 40 * NS_PER_MS;
    child_load(&child);
    ck_assert_int_ge(counters.max_stall_ns, 40 * NS_PER_MS);
    ck_assert_int_ge(counters.stall_ns, counters.max_stall_ns);
    ck_assert_int_le(counters.stall_ns, clock_ns() - plan.start_ns);
    /*
     * The calls due meanwhile are sent at once after it, late, and their response time shows it. (Their lateness does,
     * too, unless a call happened to be under way when the stall began: then they waited for that one.)
     */
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, 200);
    ck_assert_uint_ge(counters.response.max_ns, 35 * NS_PER_MS);
}
END_TEST

/* Waiting for a slow server is no stall: 40 ms a call, one at once. The bound is for what the machine itself adds. */
START_TEST(slow_server_is_no_stall)
{
    plan.outstanding = 1;
    sim.service_ns = 40 * NS_PER_MS;
    child_load(&child);
    ck_assert_int_le(counters.stall_ns, 60 * NS_PER_MS);
}
END_TEST

/* A child that comes to its start 60 ms late was "late at work through no fault of the server" from the first moment.
 */
START_TEST(late_start_is_noted)
{
    plan.start_ns = clock_ns() - 60 * NS_PER_MS;
    child_load(&child);
    ck_assert_int_ge(counters.max_stall_ns, 55 * NS_PER_MS);
}
END_TEST

/* Nothing can be submitted for the first 30 ms: what was due is counted (as unsent, or made later), and it goes on. */
START_TEST(not_ready_for_a_while)
{
    sim.not_ready_until_ns = plan.start_ns + 30 * NS_PER_MS;
    child_load(&child);
    ck_assert_uint_eq(sum(counters.ok) + sum(counters.after_end) + counters.unsent, 200);
    ck_assert_uint_ge(counters.sent, 50);
    ck_assert_uint_gt(sim.tail, 0);
    ck_assert_int_ge(sim.calls[0].at_ns, sim.not_ready_until_ns);
}
END_TEST

/*
 * No op is ready, but a call is under way until 80 ms, which might change that: nothing to do but wait for it. 100 ms
 * of load with 100 due times need some 100 waits and a few ticks; thousands are a busy loop, whose CPU time makes the
 * result CLIENT LIMITED.
 */
START_TEST(waits_while_nothing_is_ready)
{
    sim.service_ns = 30 * NS_PER_MS;
    plan.calls = 100;
    plan.outstanding = 8;
    sim.ready_mask = 0;
    sim.calls[0].op = OP_GETATTR;
    sim.calls[0].due_ns = sim.calls[0].at_ns = plan.start_ns + 50 * NS_PER_MS;
    sim.tail = 1; /* a call of the warm-up, say, that ends at 80 ms */
    child_load(&child);
    ck_assert_msg(sim.waits < 1000, "%zu waits in 100 ms", sim.waits);
}
END_TEST

START_TEST(refused_calls_are_unsent)
{
    sim.refuse = true;
    child_load(&child);
    ck_assert_uint_eq(counters.unsent, 200);
    ck_assert_uint_eq(counters.sent, 0);
    ck_assert_uint_eq(sum(counters.ok), 0);
}
END_TEST

/* Same seed and stretch: the same ops at the same times; another stretch: others. */
START_TEST(repeatable)
{
    int64_t due[200];
    unsigned ops[200];
    size_t first = 0;
    plan.outstanding = 1000;
    for (int round = 0; round < 3; round++) {
        sim.head = sim.tail = 0;
        plan.start_ns = clock_ns() + 2 * NS_PER_MS;
        plan.number = round == 2 ? 2 : 1;
        child_load(&child);
        ck_assert_uint_ge(sim.tail, 100); /* the rest only if the machine stood still at the end */
        size_t different = 0;
        for (size_t i = 0; i < sim.tail && round == 0; i++) {
            due[i] = sim.calls[i].due_ns - plan.start_ns;
            ops[i] = sim.calls[i].op;
            first = sim.tail;
        }
        for (size_t i = 0; i < sim.tail && i < first; i++) {
            different += due[i] != sim.calls[i].due_ns - plan.start_ns || ops[i] != sim.calls[i].op;
        }
        ck_assert(round == 2 ? different > 50 : different == 0);
    }
}
END_TEST

/* Two children of one run are independent: their calls do not come at the same times. */
START_TEST(children_differ)
{
    int64_t due[100];
    size_t same = 0;
    child.procs = 2;
    plan.outstanding = 1000;
    for (unsigned index = 0; index < 2; index++) {
        sim.head = sim.tail = 0;
        child.index = index;
        plan.start_ns = clock_ns() + 2 * NS_PER_MS;
        child_load(&child);
        ck_assert_uint_ge(sim.tail, 50);
        for (size_t i = 0; i < 50; i++) {
            same += index == 1 && due[i] == sim.calls[i].due_ns - plan.start_ns;
            due[i] = sim.calls[i].due_ns - plan.start_ns;
        }
    }
    ck_assert_uint_lt(same, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("child");
    TCase *tests = tcase_create("load");
    tcase_add_checked_fixture(tests, sim_setup, NULL);
    tcase_add_loop_test(tests, instant_engine, ARRIVAL_POISSON, ARRIVAL_CONSTANT + 1);
    tcase_add_test(tests, due_times);
    tcase_add_loop_test(tests, share_of_a_child, 0, 3);
    tcase_add_test(tests, no_calls);
    tcase_add_test(tests, slow_engine);
    tcase_add_test(tests, window_of_one);
    tcase_add_test(tests, failures);
    tcase_add_test(tests, warm_up_counts_nothing);
    tcase_add_test(tests, warm_up_counts_no_cpu_time);
    tcase_add_test(tests, recording_starts_from_nothing);
    tcase_add_test(tests, bound_by_calls);
    tcase_add_test(tests, bound_by_calls_too_slow);
    tcase_add_loop_test(tests, stops, 0, 2);
    tcase_add_test(tests, stall_is_noted);
    tcase_add_test(tests, slow_server_is_no_stall);
    tcase_add_test(tests, late_start_is_noted);
    tcase_add_test(tests, not_ready_for_a_while);
    tcase_add_test(tests, waits_while_nothing_is_ready);
    tcase_add_test(tests, refused_calls_are_unsent);
    tcase_add_test(tests, repeatable);
    tcase_add_test(tests, children_differ);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
