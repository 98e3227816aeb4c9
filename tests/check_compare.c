/* Ratios and their intervals, from printed tables and an independent computation; how often they are wrong. */
#include "check_common.h"
#include "compare.h"

#include <math.h>

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

static struct ratio welch(const double *base, size_t n_base, const double *other, size_t n_other)
{
    return ratio_of(base, n_base, other, n_other, false, true);
}

static void ratio_is(struct ratio ratio, double value, double low, double high, enum verdict verdict)
{
    ck_assert(ratio.known && ratio.has_interval);
    ck_assert_double_eq_tol(ratio.value, value, 1e-9 * value);
    ck_assert_double_eq_tol(ratio.low, low, 1e-8 * low);
    ck_assert_double_eq_tol(ratio.high, high, 1e-8 * high);
    ck_assert_int_eq(ratio.verdict, verdict);
}

/* Computed apart: Student's t by Simpson's rule and bisection. */
START_TEST(unequal_variances)
{
    ratio_is(welch(VALUES(100, 102, 98), VALUES(110, 113, 108)), 1.1032896537915902, 1.050643965614281,
             1.1585733131317015, VERDICT_FASTER);
    ratio_is(welch(VALUES(100, 102, 98, 101), VALUES(100, 150)), 1.2218242042353122, 0.09475951916276983,
             15.754136357435033, VERDICT_SAME);
    ratio_is(welch(VALUES(1834, 1901, 1777, 1850), VALUES(1840, 1800, 1903, 1822, 1861)), 1.0026621511140283,
             0.9614060307045603, 1.0456886655265307, VERDICT_SAME);
}
END_TEST

/* Variances of the means add up. With equal variances and numbers, Welch's degrees of freedom are 2 n - 2; Student's t
 * from printed tables. */
START_TEST(equal_variances)
{
    double half3 = 2.776445105 * 0.02 * sqrt(2.0 / 3); /* of each mean 0.02^2 / 3, t(4) */
    double half2 = 4.302652730 * 0.02 * sqrt(2);       /* of each mean 0.02^2, t(2) */
    ratio_is(welch(VALUES(exp(5), exp(5.02), exp(4.98)), VALUES(exp(5.1), exp(5.12), exp(5.08))), exp(0.1),
             exp(0.1 - half3), exp(0.1 + half3), VERDICT_FASTER);
    ratio_is(welch(VALUES(exp(5.02), exp(4.98)), VALUES(exp(5.18), exp(5.22))), exp(0.2), exp(0.2 - half2),
             exp(0.2 + half2), VERDICT_FASTER);
    ratio_is(welch(VALUES(exp(5.02), exp(4.98)), VALUES(exp(4.82), exp(4.78))), exp(-0.2), exp(-0.2 - half2),
             exp(-0.2 + half2), VERDICT_SLOWER);
    ratio_is(welch(VALUES(exp(5.02), exp(4.98)), VALUES(exp(5.12), exp(5.08))), exp(0.1), exp(0.1 - half2),
             exp(0.1 + half2), VERDICT_SAME);
}
END_TEST

/* One side without variance: the other's degrees of freedom, t(1). */
START_TEST(one_variance)
{
    double half = 12.706204736 * 0.001;
    ratio_is(welch(VALUES(exp(2), exp(2), exp(2)), VALUES(exp(2.099), exp(2.101))), exp(0.1), exp(0.1 - half),
             exp(0.1 + half), VERDICT_FASTER);
}
END_TEST

START_TEST(paired_interval)
{
    ratio_is(ratio_of(VALUES(100, 102, 98), VALUES(110, 113, 108), true, true), 1.1032896537915913, 1.093235275701344,
             1.1134365010154539, VERDICT_FASTER);
}
END_TEST

/* The network's load doubled during the runs: of both. */
START_TEST(common_drift)
{
    const double base[] = {100, 130, 160, 200};
    const double other[] = {105, 137, 167, 211};
    ratio_is(ratio_of(base, 4, other, 4, false, true), 1.0506398409525175, 0.6295919004049676, 1.7532691806973917,
             VERDICT_SAME);
    ratio_is(ratio_of(base, 4, other, 4, true, true), 1.0506398409525168, 1.042589771291716, 1.058752067008217,
             VERDICT_FASTER);
}
END_TEST

START_TEST(identical_samples)
{
    const double values[] = {1834.2, 1790.1, 1822.7};
    struct ratio ratio = welch(values, 3, values, 3);
    ck_assert_double_eq(ratio.value, 1);
    ck_assert(ratio.low < 1 && ratio.high > 1);
    ck_assert_int_eq(ratio.verdict, VERDICT_SAME);
    ratio = ratio_of(values, 3, values, 3, true, true);
    ck_assert(!(ratio.value < 1) && !(ratio.value > 1) && !(ratio.low < 1) && !(ratio.high > 1));
    ck_assert_int_eq(ratio.verdict, VERDICT_SAME);
}
END_TEST

START_TEST(no_variance)
{
    const double sevens[] = {0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7};
    const double eights[] = {0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8};
    for (size_t n = 2; n <= 7; n++) {
        struct ratio ratio = welch(sevens, n, sevens, 9 - n);
        ck_assert(!(ratio.low < 1) && !(ratio.high > 1) && ratio.verdict == VERDICT_SAME);
        ratio_is(welch(sevens, n, eights, 9 - n), 8.0 / 7, 8.0 / 7, 8.0 / 7, VERDICT_FASTER);
        ratio_is(welch(eights, n, sevens, 9 - n), 7.0 / 8, 7.0 / 8, 7.0 / 8, VERDICT_SLOWER);
    }
}
END_TEST

START_TEST(too_few_runs)
{
    const double values[] = {100, 101, 102};
    for (size_t n = 1; n <= 3; n++) {
        struct ratio ratio = welch(values, 1, values, n);
        ck_assert(ratio.known && !ratio.has_interval && ratio.verdict == VERDICT_NONE);
        ck_assert_uint_eq(ratio.n_base, 1);
        ck_assert_uint_eq(ratio.n_other, n);
        ratio = welch(values, n, values + 2, 1);
        ck_assert(ratio.known && !ratio.has_interval && ratio.verdict == VERDICT_NONE);
    }
    struct ratio pair = ratio_of(values, 1, values + 1, 1, true, true);
    ck_assert(pair.known && !pair.has_interval && pair.verdict == VERDICT_NONE);
    ck_assert_double_eq_tol(pair.value, 1.01, 1e-12);
    ck_assert(!welch(values, 0, values, 3).known);
    ck_assert(!welch(values, 3, values, 0).known);
}
END_TEST

START_TEST(not_positive)
{
    const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ratio ratio = welch(VALUES(1, 2), VALUES(1, bad[i]));
        ck_assert(!ratio.known && !ratio.has_interval && ratio.verdict == VERDICT_NONE);
        ratio = welch(VALUES(bad[i], 1), VALUES(1, 2));
        ck_assert(!ratio.known && !ratio.has_interval && ratio.verdict == VERDICT_NONE);
    }
}
END_TEST

START_TEST(more_or_less_is_better)
{
    const double low[] = {100, 101, 102};
    const double high[] = {200, 201, 202};
    for (int paired = 0; paired < 2; paired++) {
        ck_assert_int_eq(ratio_of(low, 3, high, 3, paired != 0, true).verdict, VERDICT_FASTER);
        ck_assert_int_eq(ratio_of(high, 3, low, 3, paired != 0, true).verdict, VERDICT_SLOWER);
        ck_assert_int_eq(ratio_of(low, 3, high, 3, paired != 0, false).verdict, VERDICT_SLOWER);
        ck_assert_int_eq(ratio_of(high, 3, low, 3, paired != 0, false).verdict, VERDICT_FASTER);
    }
}
END_TEST

/* The other way round, everything is inverted. */
START_TEST(symmetric)
{
    struct ratio there = welch(VALUES(10, 12, 11), VALUES(15, 14));
    struct ratio back = welch(VALUES(15, 14), VALUES(10, 12, 11));
    ck_assert_double_eq_tol(there.value, 1 / back.value, 1e-12);
    ck_assert_double_eq_tol(there.low, 1 / back.high, 1e-12);
    ck_assert_double_eq_tol(there.high, 1 / back.low, 1e-12);
}
END_TEST

/* ---- how often it is wrong ---- */

/* A rate around `mean` that varies by about `share` (Box and Muller). */
static double varied(struct rng *rng, double mean, double share)
{
    double normal = sqrt(2 * rng_exponential(rng)) * cos(2 * acos(-1) * rng_unit(rng));
    return mean * exp(share * normal);
}

enum { ROUNDS = 2000, RUNS = 5 };

/* In how many of the rounds the interval leaves out the true ratio. */
static unsigned wrong(uint64_t seed, double true_ratio, double base_share, double other_share, bool paired)
{
    struct rng rng;
    unsigned count = 0;
    rng_init(&rng, seed, 0);
    for (int round = 0; round < ROUNDS; round++) {
        double base[RUNS];
        double other[RUNS];
        for (int i = 0; i < RUNS; i++) {
            double drift = paired ? varied(&rng, 1, 0.5) : 1;
            base[i] = drift * varied(&rng, 1000, base_share);
            other[i] = drift * varied(&rng, 1000 * true_ratio, other_share);
        }
        struct ratio ratio = ratio_of(base, RUNS, other, RUNS, paired, true);
        must(ratio.has_interval && ratio.low <= ratio.value && ratio.value <= ratio.high);
        count += ratio.low > true_ratio || ratio.high < true_ratio;
        must((ratio.verdict == VERDICT_SAME) == (ratio.low <= 1 && ratio.high >= 1));
    }
    return count;
}

static void about_5_percent(unsigned count)
{
    ck_assert_uint_ge(count, ROUNDS * 35 / 1000);
    ck_assert_uint_le(count, ROUNDS * 65 / 1000);
}

START_TEST(false_positives)
{
    about_5_percent(wrong(1, 1, 0.02, 0.02, false));
    about_5_percent(wrong(2, 1, 0.02, 0.02, true));
}
END_TEST

START_TEST(coverage)
{
    about_5_percent(wrong(3, 1.2, 0.02, 0.02, false));
    about_5_percent(wrong(4, 0.9, 0.01, 0.05, false));
    about_5_percent(wrong(5, 1.5, 0.05, 0.01, true));
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(verdict_name(VERDICT_NONE), "no verdict");
    ck_assert_str_eq(verdict_name(VERDICT_SAME), "no difference shown");
    ck_assert_str_eq(verdict_name(VERDICT_FASTER), "faster");
    ck_assert_str_eq(verdict_name(VERDICT_SLOWER), "slower");
    ck_assert_str_eq(verdict_name(VERDICT_MIXED), "mixed");
    ck_assert_int_eq(compare_letter(0), 'A');
    ck_assert_int_eq(compare_letter(15), 'P');
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        unequal_variances, equal_variances, one_variance, paired_interval, common_drift,
        identical_samples, no_variance,     too_few_runs, not_positive,    more_or_less_is_better,
        symmetric,         false_positives, coverage,     names,
    };
    return run_tests("compare", tests, sizeof tests / sizeof tests[0]);
}
