/* What is counted, what is estimated from repeats, and every warning just below and just above its threshold. */
#include "check_common.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>

static struct counters counters; /* too large for a stack */
static struct counters other;
static struct point point;
static struct mix mix;

static void estimate_is(const double *values, size_t n, double mean, double stdev, double half)
{
    struct estimate estimate = estimate_of(values, n);
    ck_assert_uint_eq(estimate.n, n);
    ck_assert_double_eq_tol(estimate.mean, mean, 1e-6);
    ck_assert_double_eq_tol(estimate.stdev, stdev, 1e-6);
    ck_assert_double_eq_tol(estimate.half_ci95, half, 1e-5);
    ck_assert(estimate.has_interval == (n >= 2));
}

#define ESTIMATE(MEAN, STDEV, HALF, ...)                                                                            \
    estimate_is((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), MEAN, STDEV, \
                HALF)

/* Student's t at 0.975 from printed tables: 12.706205 (1 degree of freedom), 4.302653 (2), 2.776445 (4), 2.262157 (9).
 */
START_TEST(estimates)
{
    ESTIMATE(7, 0, 0, 7);
    ESTIMATE(11, sqrt(2), 12.706205, 10, 12);      /* 12.706205 * sqrt 2 / sqrt 2 */
    ESTIMATE(2, 1, 4.302653 / sqrt(3), 1, 2, 3);   /* squares 1 + 0 + 1 over 2 */
    ESTIMATE(4, sqrt(2), 1.755978, 2, 4, 4, 4, 6); /* squares 8 over 4; 2.776445 * sqrt(2 / 5) */
    ESTIMATE(5.5, sqrt(82.5 / 9), 2.262157 * sqrt(82.5 / 90), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    ESTIMATE(-2, 1, 4.302653 / sqrt(3), -3, -2, -1);
    ESTIMATE(1e9 + 2, 1, 4.302653 / sqrt(3), 1e9 + 1, 1e9 + 2, 1e9 + 3); /* no difference of large squares */
    struct estimate none = estimate_of(NULL, 0);
    ck_assert_double_eq(none.mean, 0);
    ck_assert_double_eq(none.stdev, 0);
    ck_assert_double_eq(none.half_ci95, 0);
    ck_assert(!none.has_interval);
}
END_TEST

/* Runs that gave the same figure have that figure as mean and no deviation at all: LESSONS 6, benchstat. */
START_TEST(identical_runs)
{
    static const double figures[] = {1834.2, 0.1, 7, 99.9, 1e-3, 12345.678};
    double values[30];
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        for (size_t n = 0; n < 30; n++) {
            values[n] = figures[i];
            struct estimate estimate = estimate_of(values, n + 1);
            ck_assert_msg(estimate.mean == figures[i] && estimate.stdev == 0 && estimate.half_ci95 == 0,
                          "%zu times %g: mean off by %g, deviation %g", n + 1, figures[i], estimate.mean - figures[i],
                          estimate.stdev);
        }
    }
}
END_TEST

/* A slot for each status of RFC 1813 section 2.6, one for all others. */
START_TEST(status_slots)
{
    static const uint32_t statuses[] = {0,  1,     2,     5,     6,     13,    17,    18,    19,   20,
                                        21, 22,    27,    28,    30,    31,    63,    66,    69,   70,
                                        71, 10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008};
    static const uint32_t others[] = {3, 4, 7, 72, 99, 9999, 10000, 10009, 10010, 65536, 0x80000000U, UINT32_MAX};
    enum { COUNT = sizeof statuses / sizeof statuses[0] };
    bool taken[STATUS_SLOTS] = {false};
    ck_assert_int_eq(STATUS_SLOTS, COUNT + 1);
    for (size_t i = 0; i < COUNT; i++) {
        char buffer[32];
        size_t slot = nfs_status_index(statuses[i]);
        ck_assert_uint_lt(slot, STATUS_SLOTS - 1);
        ck_assert(!taken[slot]);
        taken[slot] = true;
        ck_assert_str_eq(nfs_status_at(slot), nfs_status_name(statuses[i], buffer, sizeof buffer));
    }
    ck_assert_str_eq(nfs_status_at(nfs_status_index(70)), "NFS3ERR_STALE");
    ck_assert_str_eq(nfs_status_at(nfs_status_index(10008)), "NFS3ERR_JUKEBOX");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_uint_eq(nfs_status_index(others[i]), STATUS_SLOTS - 1);
    }
    ck_assert_str_eq(nfs_status_at(STATUS_SLOTS - 1), "unknown status");
}
END_TEST

/* Every figure that is a sum set to its own number; the two that are largest ones apart. */
static void fill(struct counters *into, uint64_t base)
{
    memset(into, 0, sizeof *into);
    for (size_t op = 0; op < OP_COUNT; op++) {
        into->ok[op] = base + op;
        into->after_end[op] = base * 2 + op;
        for (size_t i = 0; i < OUTCOME_COUNT; i++) {
            into->failed[op][i] = i == OUTCOME_OK ? 0 : base * 3 + op * 10 + i;
        }
        for (size_t i = 0; i < STATUS_SLOTS; i++) {
            into->status[op][i] = base * 4 + op * 100 + i;
        }
        histogram_record(&into->op_service[op], (int64_t)(base + op));
    }
    into->sent = base + 1;
    into->unsent = base + 2;
    into->retransmits = base + 3;
    into->jukebox = base + 4;
    into->reconnects = base + 5;
    into->stray = base + 6;
    into->files_touched = base + 7;
    into->bytes_touched = base + 8;
    into->cpu_ns = (int64_t)base + 9;
    into->stall_ns = (int64_t)base + 10;
    into->max_stall_ns = (int64_t)base + 11;
    into->end_ns = (int64_t)base + 12;
    histogram_record(&into->service, (int64_t)base + 13);
    histogram_record(&into->response, (int64_t)base + 14);
    histogram_record(&into->late, (int64_t)base + 15);
}

static void check_merged(void)
{
    for (size_t op = 0; op < OP_COUNT; op++) {
        ck_assert_uint_eq(counters.ok[op], 1100 + 2 * op);
        ck_assert_uint_eq(counters.after_end[op], 2200 + 2 * op);
        for (size_t i = 1; i < OUTCOME_COUNT; i++) {
            ck_assert_uint_eq(counters.failed[op][i], 3300 + 2 * (op * 10 + i));
        }
        for (size_t i = 0; i < STATUS_SLOTS; i++) {
            ck_assert_uint_eq(counters.status[op][i], 4400 + 2 * (op * 100 + i));
        }
        ck_assert_uint_eq(counters.op_service[op].count, 2);
        ck_assert_uint_eq(counters.op_service[op].sum_ns, 1100 + 2 * op);
    }
    ck_assert_uint_eq(counters.sent, 1102);
    ck_assert_uint_eq(counters.unsent, 1104);
    ck_assert_uint_eq(counters.retransmits, 1106);
    ck_assert_uint_eq(counters.jukebox, 1108);
    ck_assert_uint_eq(counters.reconnects, 1110);
    ck_assert_uint_eq(counters.stray, 1112);
    ck_assert_uint_eq(counters.files_touched, 1114);
    ck_assert_uint_eq(counters.bytes_touched, 1116);
    ck_assert_int_eq(counters.cpu_ns, 1118);
    ck_assert_int_eq(counters.stall_ns, 1120);
    ck_assert_int_eq(counters.max_stall_ns, 1011);
    ck_assert_int_eq(counters.end_ns, 1012);
    ck_assert_uint_eq(counters.service.sum_ns, 1126);
    ck_assert_uint_eq(counters.response.sum_ns, 1128);
    ck_assert_uint_eq(counters.late.sum_ns, 1130);
    ck_assert_uint_eq(counters.late.count, 2);
}

START_TEST(merging)
{
    fill(&counters, 100);
    fill(&other, 1000);
    counters_merge(&counters, &other); /* the larger one comes second */
    check_merged();
    fill(&counters, 1000);
    fill(&other, 100);
    counters_merge(&counters, &other); /* ... first */
    check_merged();
}
END_TEST

/* 22 ops: ok 100 + op; failed 4 outcomes each 300 + 10 op + outcome. Sums of 0..21: 231. */
START_TEST(totals)
{
    fill(&counters, 100);
    ck_assert_uint_eq(counters_ok(&counters), 2200 + 231);
    ck_assert_uint_eq(counters_failed(&counters), 22 * 4 * 300 + 4 * 10 * 231 + 22 * (1 + 2 + 3 + 4));
    counters.ok[0] = UINT64_C(1) << 40;
    ck_assert_uint_eq(counters_ok(&counters), (UINT64_C(1) << 40) + 2100 + 231);
}
END_TEST

START_TEST(resetting)
{
    static const struct counters zero;
    fill(&counters, 100);
    counters_reset(&counters);
    ck_assert_mem_eq(&counters, &zero, sizeof zero);
}
END_TEST

START_TEST(names_of_warnings)
{
    ck_assert_str_eq(warning_name(WARNING_INVALID_MIX), "INVALID MIX");
    ck_assert_str_eq(warning_name(WARNING_LOAD_NOT_REACHED), "LOAD NOT REACHED");
    ck_assert_str_eq(warning_name(WARNING_CLIENT_LIMITED), "CLIENT LIMITED");
    ck_assert_str_eq(warning_name(WARNING_ERRORS), "ERRORS");
    ck_assert_str_eq(warning_name(WARNING_LATE), "LATE");
    ck_assert_str_eq(warning_name(WARNING_CONCURRENCY_LIMITED), "CONCURRENCY LIMITED");
    ck_assert_ptr_nonnull(warning_name(WARNING_COUNT));
    /* what makes a result invalid (DESIGN 1, exit status 1) */
    ck_assert_int_lt(WARNING_INVALID_MIX, WARNING_FATAL_KINDS);
    ck_assert_int_lt(WARNING_LOAD_NOT_REACHED, WARNING_FATAL_KINDS);
    ck_assert_int_lt(WARNING_CLIENT_LIMITED, WARNING_FATAL_KINDS);
    ck_assert_int_lt(WARNING_ERRORS, WARNING_FATAL_KINDS);
    ck_assert_int_lt(WARNING_LATE, WARNING_FATAL_KINDS);
    ck_assert_int_ge(WARNING_CONCURRENCY_LIMITED, WARNING_FATAL_KINDS);
}
END_TEST

/* A point that nothing is wrong with: 1000 calls/s asked for 10 s by 4 children, half reads, half writes. */
static void good_point(void)
{
    memset(&mix, 0, sizeof mix);
    mix.percent[OP_READ] = 50;
    mix.percent[OP_WRITE] = 50;
    memset(&point, 0, sizeof point);
    point.asked = 1000;
    point.seconds = 10;
    point.procs = 4;
    point.outstanding = 1;
    point.cpu = 0.4;
    point.cpu_possible = 2;
    point.counters.ok[OP_READ] = 5000;
    point.counters.ok[OP_WRITE] = 5000;
}

static void warns(uint32_t fixed, uint32_t free_load)
{
    uint32_t got = point_warnings(&point, &mix, true);
    ck_assert_msg(got == fixed, "warnings %#x, not %#x", got, fixed);
    got = point_warnings(&point, &mix, false);
    ck_assert_msg(got == free_load, "warnings without a fixed load %#x, not %#x", got, free_load);
}

#define BIT(WARNING) (UINT32_C(1) << (WARNING))

START_TEST(no_warning)
{
    good_point();
    warns(0, 0);
    ck_assert_double_eq(point_achieved(&point), 1000);
    point.seconds = 0;
    ck_assert_double_eq(point_achieved(&point), 0);
    good_point();
    point.seconds = 2.5;
    ck_assert_double_eq(point_achieved(&point), 4000);
}
END_TEST

/* after_end, failed and unsent calls are no throughput. */
START_TEST(only_ok_calls_inside_count)
{
    good_point();
    point.counters.after_end[OP_READ] = 777;
    point.counters.failed[OP_READ][OUTCOME_TIMEOUT] = 7;
    point.counters.sent = 99999;
    ck_assert_double_eq(point_achieved(&point), 1000);
}
END_TEST

START_TEST(load_not_reached)
{
    good_point();
    point.counters.ok[OP_READ] = point.counters.ok[OP_WRITE] = 4750; /* 950/s: 95 % */
    warns(0, 0);
    point.counters.ok[OP_READ]--; /* 949.9/s */
    warns(BIT(WARNING_LOAD_NOT_REACHED), 0);
}
END_TEST

/* 19 of 20 is 95 %, whatever the numbers: no rounding of 0.95 may say otherwise. */
START_TEST(load_just_reached)
{
    for (uint64_t n = 1; n < 2000; n++) {
        good_point();
        point.asked = (double)(20 * n);
        point.seconds = 2;
        point.counters.ok[OP_READ] = point.counters.ok[OP_WRITE] = 19 * n;
        must(point_warnings(&point, &mix, true) == 0);
        point.counters.ok[OP_READ]--;
        must((point_warnings(&point, &mix, true) & BIT(WARNING_LOAD_NOT_REACHED)) != 0);
    }
}
END_TEST

START_TEST(client_limited)
{
    good_point();
    point.cpu = 1.7; /* 85 % of 2 */
    ck_assert(!point_client_limited(&point));
    point.cpu = 1.701;
    ck_assert(point_client_limited(&point));
    warns(0, 0); /* the load was reached all the same */
    point.counters.ok[OP_READ] = 4499;
    point.counters.ok[OP_WRITE] = 4500;
    warns(BIT(WARNING_CLIENT_LIMITED) | BIT(WARNING_LOAD_NOT_REACHED), BIT(WARNING_CLIENT_LIMITED));
    point.cpu = 1.699;
    warns(BIT(WARNING_LOAD_NOT_REACHED), 0);
    point.cpu_possible = 0; /* not known */
    ck_assert(!point_client_limited(&point));
}
END_TEST

/* Failed calls over 1 % of those that ended. */
START_TEST(errors)
{
    for (int outcome = OUTCOME_NFS_ERROR; outcome < OUTCOME_COUNT; outcome++) {
        good_point();
        point.asked = 990;
        point.counters.ok[OP_READ] = point.counters.ok[OP_WRITE] = 4950;
        point.counters.failed[OP_READ][outcome] = 100; /* of 10,000 */
        warns(0, 0);
        point.counters.failed[OP_WRITE][outcome] = 1; /* 101 of 10,001 */
        warns(BIT(WARNING_ERRORS), BIT(WARNING_ERRORS));
    }
    for (uint64_t n = 1; n < 2000; n++) { /* n of 100 n: no rounding of 0.01 may make it more */
        good_point();
        point.asked = 1;
        point.counters.ok[OP_READ] = 50 * n;
        point.counters.ok[OP_WRITE] = 49 * n;
        point.counters.failed[OP_WRITE][OUTCOME_NFS_ERROR] = n;
        must((point_warnings(&point, &mix, true) & BIT(WARNING_ERRORS)) == 0);
        point.counters.failed[OP_WRITE][OUTCOME_NFS_ERROR]++;
        must((point_warnings(&point, &mix, true) & BIT(WARNING_ERRORS)) != 0);
    }
}
END_TEST

/* |55 - 50| + |45 - 50| = 10 points is still valid. */
START_TEST(invalid_mix)
{
    good_point();
    point.counters.ok[OP_READ] = 5500;
    point.counters.ok[OP_WRITE] = 4500;
    warns(0, 0);
    point.counters.ok[OP_READ]++;
    point.counters.ok[OP_WRITE]--;
    warns(BIT(WARNING_INVALID_MIX), BIT(WARNING_INVALID_MIX));
    good_point();
    point.counters.failed[OP_GETATTR][OUTCOME_NFS_ERROR] = 50; /* the mix is that of the OK calls */
    point.counters.after_end[OP_GETATTR] = 5000;
    warns(0, 0);
}
END_TEST

/* 4 children for 10 s are 40 s; 2 % of it is 800 ms. At once: 250 ms. */
START_TEST(late)
{
    good_point();
    point.counters.stall_ns = INT64_C(800000000);
    point.counters.max_stall_ns = INT64_C(250000000);
    ck_assert_double_eq_tol(point_stall_share(&point), 0.02, 1e-15);
    warns(0, 0);
    point.counters.stall_ns = INT64_C(800000100);
    warns(BIT(WARNING_LATE), BIT(WARNING_LATE));
    point.counters.stall_ns = INT64_C(800000000);
    point.counters.max_stall_ns = INT64_C(250000001);
    warns(BIT(WARNING_LATE), BIT(WARNING_LATE));
    good_point();
    point.counters.stall_ns = INT64_C(40000000000);
    ck_assert_double_eq(point_stall_share(&point), 1);
    point.seconds = 0;
    ck_assert_double_eq(point_stall_share(&point), 0);
}
END_TEST

/* A server that answers nothing: no mix, no load, only errors; never a division by zero. */
START_TEST(nothing_came_back)
{
    good_point();
    point.counters.ok[OP_READ] = point.counters.ok[OP_WRITE] = 0;
    warns(BIT(WARNING_INVALID_MIX) | BIT(WARNING_LOAD_NOT_REACHED), BIT(WARNING_INVALID_MIX));
    point.counters.failed[OP_READ][OUTCOME_TIMEOUT] = 1;
    warns(BIT(WARNING_INVALID_MIX) | BIT(WARNING_LOAD_NOT_REACHED) | BIT(WARNING_ERRORS),
          BIT(WARNING_INVALID_MIX) | BIT(WARNING_ERRORS));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        estimates,
        identical_runs,
        status_slots,
        merging,
        totals,
        resetting,
        names_of_warnings,
        no_warning,
        only_ok_calls_inside_count,
        load_not_reached,
        load_just_reached,
        client_limited,
        errors,
        invalid_mix,
        late,
        nothing_came_back,
    };
    return run_tests("stats", tests, sizeof tests / sizeof tests[0]);
}
