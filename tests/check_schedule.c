/* Due times: exact totals, order and range for every number of children, and the three arrival laws. */
#include "check_common.h"
#include "schedule.h"

#include <math.h>

enum { MAX_CALLS = 100000 };

static const uint64_t procs_tried[] = {1, 2, 7, 64, 1000};
static const uint64_t calls_tried[] = {0, 1, 3, 10, 999, MAX_CALLS};

static double times[MAX_CALLS];

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* All due times of all children, in order, into times[]; checks what is true of every law. */
static void union_of(enum arrival arrival, uint64_t calls, int64_t length_ns, uint64_t procs, uint64_t seed)
{
    uint64_t total = 0;
    for (uint64_t proc = 0; proc < procs; proc++) {
        struct schedule schedule;
        struct rng rng;
        rng_init(&rng, seed, 2 * proc); /* as child.c does */
        schedule_start(&schedule, arrival, calls, length_ns, proc, procs, &rng);
        uint64_t own = 0;
        int64_t last = 0;
        for (int64_t due = schedule_next(&schedule); due != -1; due = schedule_next(&schedule)) {
            must(due >= last);
            must(due < length_ns);
            must(total < calls);
            times[total++] = (double)due;
            last = due;
            own++;
        }
        must(own == schedule_share(calls, procs, proc));
        must(schedule_next(&schedule) == -1); /* it stays ended */
    }
    ck_assert_uint_eq(total, calls);
    qsort(times, total, sizeof times[0], compare);
}

START_TEST(shares)
{
    ck_assert_uint_eq(schedule_share(10, 3, 0), 4); /* 10 = 4 + 3 + 3 */
    ck_assert_uint_eq(schedule_share(10, 3, 1), 3);
    ck_assert_uint_eq(schedule_share(10, 3, 2), 3);
    ck_assert_uint_eq(schedule_share(3, 7, 2), 1);
    ck_assert_uint_eq(schedule_share(3, 7, 3), 0);
    ck_assert_uint_eq(schedule_share(0, 7, 0), 0);
    ck_assert_uint_eq(schedule_share(UINT64_MAX, 1, 0), UINT64_MAX);
    ck_assert_uint_eq(schedule_share(UINT64_MAX, 2, 0), UINT64_C(1) << 63);
    ck_assert_uint_eq(schedule_share(UINT64_MAX, 2, 1), (UINT64_C(1) << 63) - 1);
    for (uint64_t total = 0; total < 200; total++) {
        for (uint64_t parts = 1; parts < 50; parts++) {
            uint64_t sum = 0;
            for (uint64_t i = 0; i < parts; i++) {
                uint64_t share = schedule_share(total, parts, i);
                must(share == total / parts || share == total / parts + 1);
                must(i == 0 || share <= schedule_share(total, parts, i - 1));
                sum += share;
            }
            ck_assert_uint_eq(sum, total);
        }
    }
}
END_TEST

START_TEST(totals_order_and_range)
{
    static const int64_t lengths[] = {1, 1000, NS_PER_SEC, 3600 * NS_PER_SEC};
    for (size_t i = 0; i < sizeof procs_tried / sizeof procs_tried[0]; i++) {
        for (size_t j = 0; j < sizeof calls_tried / sizeof calls_tried[0]; j++) {
            for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
                union_of(ARRIVAL_POISSON, calls_tried[j], lengths[k], procs_tried[i], 1);
                union_of(ARRIVAL_UNIFORM, calls_tried[j], lengths[k], procs_tried[i], 1);
                union_of(ARRIVAL_CONSTANT, calls_tried[j], lengths[k], procs_tried[i], 1);
            }
        }
    }
}
END_TEST

/* Call i of all is due at (i + 1/2) / calls of the stretch; the length makes that a whole number: (2 i + 1) * 50 us. */
START_TEST(constant_is_evenly_spaced)
{
    for (size_t i = 0; i < sizeof procs_tried / sizeof procs_tried[0]; i++) {
        for (size_t j = 0; j < sizeof calls_tried / sizeof calls_tried[0]; j++) {
            uint64_t calls = calls_tried[j];
            union_of(ARRIVAL_CONSTANT, calls, (int64_t)calls * 100000 + (calls == 0), procs_tried[i], 1);
            for (uint64_t n = 0; n < calls; n++) {
                must(times[n] == (double)((2 * n + 1) * 50000));
            }
        }
    }
}
END_TEST

/* Children take turns, so each of them is evenly spaced too: no bursts. */
START_TEST(constant_child_is_evenly_spaced)
{
    struct schedule schedule;
    struct rng rng;
    rng_init(&rng, 1, 0);
    schedule_start(&schedule, ARRIVAL_CONSTANT, 10, 10000, 1, 3, &rng); /* slots 1, 4 and 7, each 1000 long */
    ck_assert_int_eq(schedule_next(&schedule), 1500);
    ck_assert_int_eq(schedule_next(&schedule), 4500);
    ck_assert_int_eq(schedule_next(&schedule), 7500);
    ck_assert_int_eq(schedule_next(&schedule), -1);
}
END_TEST

START_TEST(fewer_calls_than_children)
{
    for (int arrival = ARRIVAL_POISSON; arrival <= ARRIVAL_CONSTANT; arrival++) {
        union_of((enum arrival)arrival, 3, 60 * NS_PER_SEC, 7, 5);
        ck_assert_double_gt(times[0], 0);
    }
    /* 3 in 60 s, evenly: 10, 30 and 50 s */
    ck_assert_double_eq(times[0], 10e9);
    ck_assert_double_eq(times[1], 30e9);
    ck_assert_double_eq(times[2], 50e9);
}
END_TEST

/* Chi-square of positions in [0, 1) in `bins` equal bins. */
static double uniformity(const double *positions, size_t count, size_t bins)
{
    size_t seen[200] = {0};
    double expected = (double)count / (double)bins;
    double chi_square = 0;
    for (size_t i = 0; i < count; i++) {
        seen[(size_t)(positions[i] * (double)bins)]++;
    }
    for (size_t i = 0; i < bins; i++) {
        chi_square += pow((double)seen[i] - expected, 2) / expected;
    }
    return chi_square;
}

/* Call i falls into slot i, anywhere in it with equal probability. 2,000 calls a bin and 19 degrees of freedom. */
START_TEST(uniform_law)
{
    static double positions[MAX_CALLS];
    enum { CALLS = 40000, SLOT = 250000 };
    for (size_t i = 0; i < sizeof procs_tried / sizeof procs_tried[0]; i++) {
        union_of(ARRIVAL_UNIFORM, CALLS, (int64_t)CALLS * SLOT, procs_tried[i], 11);
        for (size_t n = 0; n < CALLS; n++) {
            positions[n] = times[n] / SLOT - (double)n;
            must(positions[n] >= 0 && positions[n] < 1);
        }
        ck_assert_chi_square(uniformity(positions, CALLS, 20), 19);
    }
}
END_TEST

/*
 * Given their number, the times of a Poisson process are uniform in the stretch: ten seeds of 20,000 calls in 100 bins,
 * 99 degrees of freedom each (the total is given), added up.
 */
START_TEST(poisson_is_uniform_over_the_stretch)
{
    enum { CALLS = 20000, SEEDS = 10 };
    int64_t length = 20 * NS_PER_SEC;
    for (size_t i = 0; i < sizeof procs_tried / sizeof procs_tried[0]; i++) {
        double chi_square = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            union_of(ARRIVAL_POISSON, CALLS, length, procs_tried[i], seed);
            for (size_t n = 0; n < CALLS; n++) {
                times[n] /= (double)length;
            }
            chi_square += uniformity(times, CALLS, 100);
        }
        ck_assert_chi_square(chi_square, SEEDS * 99);
        /* and no more even than chance: a wrong law may be that, too */
        ck_assert_double_lt(chi_square_p(chi_square, SEEDS * 99), 1 - SIGNIFICANCE);
    }
}
END_TEST

/*
 * The gaps of n uniform times are exponential with mean length / (n + 1), up to terms of order 1/n. 1 - exp(-gap /
 * mean) is then uniform: 50 bins, 49 degrees of freedom, ten seeds.
 */
START_TEST(poisson_gaps_are_exponential)
{
    enum { CALLS = 20000, SEEDS = 10 };
    static double positions[MAX_CALLS];
    int64_t length = 20 * NS_PER_SEC;
    double mean = (double)length / (CALLS + 1);
    for (size_t i = 0; i < sizeof procs_tried / sizeof procs_tried[0]; i++) {
        double chi_square = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            union_of(ARRIVAL_POISSON, CALLS, length, procs_tried[i], seed);
            /* n - 1 gaps have the mean length / (n + 1); their sum varies by sqrt(2) / n of the length */
            double got = (times[CALLS - 1] - times[0]) / (CALLS - 1);
            ck_assert_double_le(fabs(got / mean - 1), 6 * sqrt(2) / CALLS);
            for (size_t n = 0; n + 1 < CALLS; n++) {
                positions[n] = -expm1(-(times[n + 1] - times[n]) / mean);
            }
            chi_square += uniformity(positions, CALLS - 1, 50);
        }
        ck_assert_chi_square(chi_square, SEEDS * 49);
    }
}
END_TEST

/*
 * The first of k uniform times: mean 1/(k+1), variance k/((k+1)^2 (k+2)) of the stretch. Over 4,000 seeds the mean must
 * be within 5 of its standard errors, and (almost) none is at 0, when all children would start at once.
 */
START_TEST(first_call_is_paced)
{
    static const uint64_t own_calls[] = {1, 5, 100};
    enum { SEEDS = 4000 };
    for (size_t i = 0; i < sizeof own_calls / sizeof own_calls[0]; i++) {
        double k = (double)own_calls[i];
        double sum = 0;
        int at_zero = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct schedule schedule;
            struct rng rng;
            rng_init(&rng, seed, 6);
            schedule_start(&schedule, ARRIVAL_POISSON, own_calls[i] * 7, NS_PER_SEC, 3, 7, &rng);
            int64_t first = schedule_next(&schedule);
            at_zero += first == 0;
            sum += (double)first / 1e9;
        }
        double error = sqrt(k / ((k + 1) * (k + 1) * (k + 2)) / SEEDS);
        ck_assert_double_le(fabs(sum / SEEDS - 1 / (k + 1)), 5 * error);
        ck_assert_int_eq(at_zero, 0); /* expected: 4000 * k / 1e9 */
    }
}
END_TEST

/* A stall shifts nothing: due times do not depend on when they are asked for, only on the numbers and the stream. */
START_TEST(same_stream_same_times)
{
    struct schedule one;
    struct schedule two;
    struct rng rng_one;
    struct rng rng_two;
    for (int arrival = ARRIVAL_POISSON; arrival <= ARRIVAL_UNIFORM; arrival++) {
        int differ = 0;
        rng_init(&rng_one, 9, 4);
        rng_init(&rng_two, 9, 4);
        schedule_start(&one, (enum arrival)arrival, 1000, NS_PER_SEC, 0, 2, &rng_one);
        schedule_start(&two, (enum arrival)arrival, 1000, NS_PER_SEC, 0, 2, &rng_two);
        for (int i = 0; i < 500; i++) {
            ck_assert_int_eq(schedule_next(&one), schedule_next(&two));
        }
        rng_init(&rng_one, 9, 4);
        rng_init(&rng_two, 9, 6);
        schedule_start(&one, (enum arrival)arrival, 1000, NS_PER_SEC, 0, 2, &rng_one);
        schedule_start(&two, (enum arrival)arrival, 1000, NS_PER_SEC, 0, 2, &rng_two);
        for (int i = 0; i < 500; i++) {
            differ += schedule_next(&one) != schedule_next(&two);
        }
        ck_assert_int_gt(differ, 490);
    }
}
END_TEST

/* The largest and smallest random numbers there are. */
START_TEST(extreme_random_numbers)
{
    static const uint64_t extremes[] = {0, UINT64_MAX};
    static const int64_t lengths[] = {1, NS_PER_SEC, INT64_C(1) << 33, 86400 * NS_PER_SEC};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
            for (int arrival = ARRIVAL_POISSON; arrival <= ARRIVAL_UNIFORM; arrival++) {
                struct rng rng = rng_with_next(extremes[i]);
                struct schedule schedule;
                schedule_start(&schedule, (enum arrival)arrival, 1, lengths[j], 0, 1, &rng);
                int64_t due = schedule_next(&schedule);
                ck_assert_int_ge(due, 0);
                ck_assert_int_lt(due, lengths[j]);
            }
        }
    }
}
END_TEST

/* As above, for the last slot of many: 99999 + (1 - 2^-53) is 100000 in a double, which is the end of the stretch. */
START_TEST(last_slot_ends_before_the_stretch)
{
    struct rng rng = rng_with_next(0);
    struct schedule schedule;
    schedule_start(&schedule, ARRIVAL_UNIFORM, 100000, NS_PER_SEC, 99999, 100000, &rng);
    ck_assert_int_lt(schedule_next(&schedule), NS_PER_SEC);
}
END_TEST

/* random.h against published values: splitmix64 from 0, xoshiro256** from state 1 2 3 4. */
START_TEST(random_numbers)
{
    ck_assert_uint_eq(mix64(0), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(mix64(UINT64_C(0x9e3779b97f4a7c15)), UINT64_C(0x6e789e6aa1b965f4));
    struct rng rng = {{1, 2, 3, 4}};
    ck_assert_uint_eq(rng_next(&rng), 11520); /* rotl(2 * 5, 7) * 9 */
    ck_assert_uint_eq(rng_next(&rng), 0);
    ck_assert_uint_eq(rng_next(&rng), 1509978240);
    ck_assert_uint_eq(rng_next(&rng), UINT64_C(1215971899390074240));
    rng = rng_with_next(UINT64_MAX);
    ck_assert_double_eq(rng_unit(&rng), 1);
    rng = rng_with_next(0);
    ck_assert_double_eq(rng_unit(&rng), 0x1p-53);
    rng = rng_with_next(UINT64_MAX);
    ck_assert_uint_eq(rng_below(&rng, 7), 6);
    rng = rng_with_next(0);
    ck_assert_uint_eq(rng_below(&rng, 7), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        shares,
        totals_order_and_range,
        constant_is_evenly_spaced,
        constant_child_is_evenly_spaced,
        fewer_calls_than_children,
        uniform_law,
        poisson_is_uniform_over_the_stretch,
        poisson_gaps_are_exponential,
        first_call_is_paced,
        same_stream_same_times,
        extreme_random_numbers,
        last_slot_ends_before_the_stretch,
        random_numbers,
    };
    return run_tests("schedule", tests, sizeof tests / sizeof tests[0]);
}
