/* Drift and outliers of repeated runs: hand-computed answers, and how often chance looks like drift. */
#include "check_common.h"
#include "drift.h"

#include <math.h>

START_TEST(too_few)
{
    static const double runs[] = {1, 100, 10000};
    for (size_t n = 0; n <= 3; n++) {
        struct drift drift = drift_of(runs, n);
        ck_assert(!drift.drifts && !drift.has_outlier);
    }
}
END_TEST

/*
 * Halves 100, 102 and 90, 92: means 101 and 91, sums of squares 2 and 2, pooled variance 4 / 2 = 2, standard error
 * sqrt(2 * (1/2 + 1/2)) = 1.41421, t = 7.0711. With 2 degrees of freedom the 1 % level is 9.9248: no drift yet. Halves
 * 100, 102 and 80, 82 have t = 20 / 1.41421 = 14.142: drift.
 */
START_TEST(halves)
{
    static const double near[] = {100, 102, 90, 92};
    static const double far[] = {100, 102, 80, 82};
    struct drift drift = drift_of(near, 4);
    ck_assert(!drift.drifts);
    ck_assert_double_eq_tol(drift.first, 101, 1e-12);
    ck_assert_double_eq_tol(drift.second, 91, 1e-12);
    drift = drift_of(far, 4);
    ck_assert(drift.drifts);
    ck_assert_double_eq_tol(drift.first, 101, 1e-12);
    ck_assert_double_eq_tol(drift.second, 81, 1e-12);
}
END_TEST

/* The middle of five belongs to neither half. */
START_TEST(odd_number)
{
    static const double runs[] = {100, 102, 1e6, 80, 82};
    struct drift drift = drift_of(runs, 5);
    ck_assert(drift.drifts);
    ck_assert_double_eq_tol(drift.first, 101, 1e-12);
    ck_assert_double_eq_tol(drift.second, 81, 1e-12);
}
END_TEST

START_TEST(no_variance)
{
    static const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    static const double step[] = {5, 5, 5, 6, 6, 6};
    static const double zero[] = {0, 0, 0, 0};
    ck_assert(!drift_of(same, 6).drifts && !drift_of(same, 6).has_outlier);
    ck_assert(drift_of(step, 6).drifts);
    ck_assert(!drift_of(zero, 4).drifts);
}
END_TEST

/*
 * 10, 11, 9, 10, 12, 30: median 10.5, deviations 0.5 0.5 1.5 0.5 1.5 19.5, MAD (0.5 + 1.5) / 2 = 1; the score of 30 is
 * 0.6745 * 19.5 = 13.2. Of 10, 11, 9, 10, 12, 15 the median is 10.5, deviations 0.5 0.5 1.5 0.5 1.5 4.5, MAD 1, score
 * 3.04: none.
 */
START_TEST(outliers)
{
    static const double one[] = {10, 11, 9, 10, 12, 30};
    static const double low[] = {10, 11, -9, 10, 12, 11};
    static const double none[] = {10, 11, 9, 10, 12, 15};
    static const double flat[] = {10, 10, 10, 10, 30};
    struct drift drift = drift_of(one, 6);
    ck_assert(drift.has_outlier);
    ck_assert_uint_eq(drift.outlier, 5);
    ck_assert_double_eq_tol(drift.median, 10.5, 1e-12);
    drift = drift_of(low, 6);
    ck_assert(drift.has_outlier);
    ck_assert_uint_eq(drift.outlier, 2);
    ck_assert(!drift_of(none, 6).has_outlier);
    ck_assert(!drift_of(flat, 5).has_outlier); /* a MAD of 0 says nothing */
    ck_assert(!drift_of(one, 4).has_outlier);
}
END_TEST

/* Runs of one normal distribution look like drift in 1 % of cases; 4000 cases are 40 +- 6.3, four deviations allowed.
 */
START_TEST(false_alarms)
{
    struct rng rng;
    size_t alarms = 0;
    rng_init(&rng, 5, 1);
    for (int round = 0; round < 4000; round++) {
        double runs[10];
        for (size_t i = 0; i < 10; i++) {
            /* Box and Muller */
            runs[i] = 1000 + 20 * sqrt(-2 * log(1 - rng_unit(&rng))) * cos(2 * 3.14159265358979 * rng_unit(&rng));
        }
        alarms += drift_of(runs, 10).drifts;
    }
    ck_assert_uint_ge(alarms, 15);
    ck_assert_uint_le(alarms, 65);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {too_few, halves, odd_number, no_variance, outliers, false_alarms};
    return run_tests("drift", tests, sizeof tests / sizeof tests[0]);
}
