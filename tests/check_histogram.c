/* The histogram: every bucket's edges, exact figures, quantiles of known multisets, merging. */
#include "check_common.h"
#include "histogram.h"

#include <math.h>

enum { SUBS = 1 << HISTOGRAM_SUB_BITS };

static const int64_t LIMIT = INT64_C(1) << HISTOGRAM_MAX_BITS;

static struct histogram histogram;
static struct histogram other;
static struct histogram all;

static void clear(void)
{
    memset(&histogram, 0, sizeof histogram);
    memset(&other, 0, sizeof other);
    memset(&all, 0, sizeof all);
}

static void record(const int64_t *values, size_t count)
{
    clear();
    for (size_t i = 0; i < count; i++) {
        histogram_record(&histogram, values[i]);
    }
}

#define RECORD(...) record((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* The one bucket that a value is counted in. */
static size_t bucket_of(int64_t value)
{
    size_t bucket = HISTOGRAM_BUCKETS;
    RECORD(value);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram.buckets[i] != 0) {
            ck_assert_uint_eq(histogram.buckets[i], 1);
            ck_assert_uint_eq(bucket, HISTOGRAM_BUCKETS);
            bucket = i;
        }
    }
    return bucket;
}

START_TEST(small_values_have_a_bucket_each)
{
    for (int64_t value = 0; value < 128; value++) {
        ck_assert_uint_eq(bucket_of(value), (size_t)value);
    }
}
END_TEST

/* Power of two e is cut into 64 buckets of width 2^(e-6); they follow each other and fill the array exactly. */
START_TEST(edges_of_every_bucket)
{
    size_t expected = 128;
    for (int e = 7; e < HISTOGRAM_MAX_BITS; e++) {
        int64_t width = INT64_C(1) << (e - HISTOGRAM_SUB_BITS);
        for (int64_t k = 0; k < SUBS; k++) {
            int64_t low = (INT64_C(1) << e) + k * width;
            ck_assert_uint_eq(bucket_of(low), expected);
            ck_assert_uint_eq(bucket_of(low + width / 2), expected);
            ck_assert_uint_eq(bucket_of(low + width - 1), expected);
            expected++;
        }
    }
    ck_assert_uint_eq(expected, HISTOGRAM_BUCKETS);
}
END_TEST

START_TEST(empty)
{
    clear();
    ck_assert_double_eq(histogram_mean_ns(&histogram), 0);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0), 0);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), 0);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 1), 0);
}
END_TEST

START_TEST(exact_figures)
{
    RECORD(123456789, 1000001, 7, 99999999999);
    ck_assert_uint_eq(histogram.count, 4);
    ck_assert_uint_eq(histogram.sum_ns, UINT64_C(100124456796)); /* added by hand */
    ck_assert_uint_eq(histogram.min_ns, 7);
    ck_assert_uint_eq(histogram.max_ns, UINT64_C(99999999999));
    ck_assert_uint_eq(histogram.over_range, 0);
    ck_assert_double_eq(histogram_mean_ns(&histogram), 25031114199.0); /* a quarter of it */
}
END_TEST

START_TEST(mean_is_no_whole_number)
{
    RECORD(1, 2);
    ck_assert_double_eq(histogram_mean_ns(&histogram), 1.5);
    RECORD(1, 1, 2);
    ck_assert_double_eq_tol(histogram_mean_ns(&histogram), 4.0 / 3, 1e-15);
}
END_TEST

/* 32 bits of milliseconds, microseconds or of counts would wrap (LESSONS 6). */
START_TEST(long_sums)
{
    clear();
    for (int i = 0; i < 1000000; i++) {
        histogram_record(&histogram, INT64_C(10000000000)); /* 10 s */
    }
    ck_assert_uint_eq(histogram.sum_ns, UINT64_C(10000000000000000));
    ck_assert_double_eq(histogram_mean_ns(&histogram), 1e10);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), 1e10);
}
END_TEST

START_TEST(negative_counts_as_zero)
{
    RECORD(-1, INT64_MIN, 10);
    ck_assert_uint_eq(histogram.count, 3);
    ck_assert_uint_eq(histogram.sum_ns, 10);
    ck_assert_uint_eq(histogram.min_ns, 0);
    ck_assert_uint_eq(histogram.max_ns, 10);
    ck_assert_uint_eq(histogram.buckets[0], 2);
    ck_assert_uint_eq(histogram.over_range, 0);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), 0);
}
END_TEST

START_TEST(smallest_is_kept_when_it_comes_last_or_first)
{
    RECORD(5, 3, 4);
    ck_assert_uint_eq(histogram.min_ns, 3);
    ck_assert_uint_eq(histogram.max_ns, 5);
    RECORD(0, 9);
    ck_assert_uint_eq(histogram.min_ns, 0);
    RECORD(9, 0);
    ck_assert_uint_eq(histogram.min_ns, 0);
    ck_assert_uint_eq(histogram.max_ns, 9);
}
END_TEST

START_TEST(over_range)
{
    RECORD(LIMIT - 1);
    ck_assert_uint_eq(histogram.over_range, 0);
    RECORD(LIMIT);
    ck_assert_uint_eq(histogram.over_range, 1);
    RECORD(10, LIMIT, INT64_MAX);
    ck_assert_uint_eq(histogram.over_range, 2);
    ck_assert_uint_eq(histogram.count, 3);
    ck_assert_uint_eq(histogram.max_ns, (uint64_t)INT64_MAX);
    ck_assert_uint_eq(histogram.sum_ns, (uint64_t)INT64_MAX + (uint64_t)LIMIT + 10);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.3), 10);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 1), (double)INT64_MAX);
    /* the second of three is over-range: whatever is said of it must not be in range, or beyond the largest */
    double second = histogram_quantile_ns(&histogram, 0.6);
    ck_assert_double_ge(second, (double)LIMIT);
    ck_assert_double_le(second, (double)INT64_MAX);
    RECORD(LIMIT + 5, LIMIT + 7);
    ck_assert_uint_eq(histogram.min_ns, (uint64_t)LIMIT + 5);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), (double)(LIMIT + 5));
}
END_TEST

/* Nearest rank of 1..n, all in buckets of their own: the value is the rank, ceil(q * n), on paper. */
START_TEST(nearest_rank)
{
    static const struct {
        int n;
        double quantile;
        double rank;
    } cases[] = {
        {100, 0, 1},
        {100, 0.001, 1},
        {100, 0.01, 1},
        {100, 0.0101, 2},
        {100, 0.5, 50},
        {100, 0.501, 51},
        {100, 0.9, 90},
        {100, 0.95, 95},
        {100, 0.99, 99},
        {100, 0.991, 100},
        {100, 0.999, 100},
        {100, 1, 100},
        {10, 0.5, 5},
        {10, 0.51, 6},
        {10, 0.9, 9},
        {10, 0.95, 10},
        {9, 0.5, 5},
        {2, 0.5, 1},
        {2, 0.51, 2},
        {1, 0, 1},
        {1, 0.5, 1},
        {1, 1, 1},
        {120, 0.95, 114},
        {120, 0.99, 119},
        /* products that come out a little over the whole number in binary */
        {100, 0.07, 7},
        {100, 0.14, 14},
        {100, 0.28, 28},
        {100, 0.55, 55},
        {100, 0.56, 56},
        {100, 0.57, 57},
        {100, 0.58, 58},
        {25, 0.28, 7},
        {50, 0.14, 7},
        {20, 0.95, 19},
        {40, 0.95, 38},
        {60, 0.95, 57},
        {80, 0.95, 76},
        {110, 0.1, 11},
        {30, 0.1, 3},
        {10, 0.3, 3},
        {10, 0.7, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clear();
        for (int value = cases[i].n; value > 0; value--) {
            histogram_record(&histogram, value);
        }
        double got = histogram_quantile_ns(&histogram, cases[i].quantile);
        ck_assert_msg(got == cases[i].rank, "quantile %g of 1..%d is %g, not %g", cases[i].quantile, cases[i].n, got,
                      cases[i].rank);
    }
}
END_TEST

/* Every percentile p/100 of n values, for every n that makes the rank whole: ceil(p n / 100) in whole numbers. */
START_TEST(nearest_rank_of_all_percentiles)
{
    clear();
    for (int n = 1; n <= 127; n++) {
        histogram_record(&histogram, n);
        for (int percent = 1; percent <= 100; percent++) {
            int rank = (percent * n + 99) / 100;
            double got = histogram_quantile_ns(&histogram, percent / 100.0);
            ck_assert_msg(got == rank, "percentile %d of 1..%d is %g, not %d", percent, n, got, rank);
        }
    }
}
END_TEST

START_TEST(repeated_values)
{
    clear();
    for (int i = 0; i < 999; i++) {
        histogram_record(&histogram, 20);
    }
    histogram_record(&histogram, 100);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), 20);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.999), 20); /* rank 999 */
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.9991), 100);
    ck_assert_double_eq(histogram_mean_ns(&histogram), 20.08); /* (999 * 20 + 100) / 1000 */
}
END_TEST

static void close_to(int64_t value)
{
    RECORD(1, value, LIMIT);
    double got = histogram_quantile_ns(&histogram, 0.5);
    ck_assert_msg(fabs(got - (double)value) <= 0.008 * (double)value, "%lld comes back as %.1f", (long long)value, got);
}

/* The second of {1, v, 2^44} is v: neither the smallest nor the largest, which are kept exactly. */
START_TEST(within_eight_tenths_of_a_percent)
{
    for (int e = 0; e < HISTOGRAM_MAX_BITS; e++) {
        int64_t width = e > HISTOGRAM_SUB_BITS ? INT64_C(1) << (e - HISTOGRAM_SUB_BITS) : 1;
        for (int64_t low = INT64_C(1) << e; low < INT64_C(2) << e; low += width) {
            close_to(low);
            close_to(low + width - 1);
            if (low > 1) {
                close_to(low - 1);
            }
        }
    }
    struct rng rng;
    rng_init(&rng, 1, 1);
    for (int i = 0; i < 20000; i++) {
        close_to(1 + (int64_t)rng_below(&rng, UINT64_C(1) << (1 + rng_below(&rng, HISTOGRAM_MAX_BITS - 1))));
    }
}
END_TEST

/* A random multiset against its sorted self. */
static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

START_TEST(random_multisets)
{
    enum { COUNT = 1009 };
    static int64_t values[COUNT];
    struct rng rng;
    rng_init(&rng, 2, 1);
    for (int round = 0; round < 20; round++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = (int64_t)(rng_exponential(&rng) * 1e6);
            sum += (uint64_t)values[i];
        }
        record(values, COUNT);
        qsort(values, COUNT, sizeof values[0], compare);
        ck_assert_uint_eq(histogram.sum_ns, sum);
        ck_assert_uint_eq(histogram.min_ns, (uint64_t)values[0]);
        ck_assert_uint_eq(histogram.max_ns, (uint64_t)values[COUNT - 1]);
        double last = 0;
        for (size_t rank = 1; rank <= COUNT; rank++) {
            /* half a rank below it, so that rounding is no question */
            double got = histogram_quantile_ns(&histogram, ((double)rank - 0.5) / COUNT);
            double want = (double)values[rank - 1];
            ck_assert_double_le(fabs(got - want), 0.008 * want);
            ck_assert_double_ge(got, last);
            ck_assert_double_ge(got, (double)histogram.min_ns);
            ck_assert_double_le(got, (double)histogram.max_ns);
            last = got;
        }
    }
}
END_TEST

/* Values of one bucket: its middle may be under the smallest or over the largest of them. */
START_TEST(never_outside_what_was_seen)
{
    int64_t low = INT64_C(1) << 40; /* a bucket 2^34 wide */
    RECORD(low, low + 1, low + 2);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), (double)(low + 2));
    int64_t high = low + (INT64_C(1) << 34) - 1;
    RECORD(high, high - 1, high - 2);
    ck_assert_double_eq(histogram_quantile_ns(&histogram, 0.5), (double)(high - 2));
}
END_TEST

static void same(void)
{
    ck_assert_uint_eq(histogram.count, all.count);
    ck_assert_uint_eq(histogram.sum_ns, all.sum_ns);
    ck_assert_uint_eq(histogram.min_ns, all.min_ns);
    ck_assert_uint_eq(histogram.max_ns, all.max_ns);
    ck_assert_uint_eq(histogram.over_range, all.over_range);
    ck_assert_mem_eq(histogram.buckets, all.buckets, sizeof all.buckets);
}

START_TEST(merging_is_recording_in_one)
{
    struct rng rng;
    rng_init(&rng, 3, 1);
    for (int round = 0; round < 40; round++) {
        clear();
        uint64_t left = rng_below(&rng, 50); /* sometimes none */
        uint64_t right = round % 4 == 0 ? 0 : rng_below(&rng, 50);
        for (uint64_t i = 0; i < left + right; i++) {
            int64_t value = (int64_t)(rng_next(&rng) >> (1 + rng_below(&rng, 63))); /* of every size */
            value &= (INT64_C(1) << 50) - 1;
            histogram_record(i < left ? &histogram : &other, value);
            histogram_record(&all, value);
        }
        histogram_merge(&histogram, &other);
        same();
    }
}
END_TEST

START_TEST(merging_empty_ones)
{
    static const struct histogram empty_one;
    RECORD(7, 300, LIMIT);
    all = histogram;
    histogram_merge(&histogram, &other); /* an empty one changes nothing */
    same();
    histogram_merge(&other, &histogram); /* into an empty one: a copy */
    histogram = other;
    same();
    clear();
    histogram_merge(&histogram, &other);
    ck_assert_mem_eq(&histogram, &empty_one, sizeof empty_one);
}
END_TEST

START_TEST(merging_over_range_ones)
{
    RECORD(LIMIT, LIMIT + 1);
    histogram_record(&other, LIMIT + 7);
    histogram_record(&other, 0);
    histogram_record(&other, LIMIT - 1);
    histogram_record(&all, LIMIT);
    histogram_record(&all, LIMIT + 1);
    histogram_record(&all, LIMIT + 7);
    histogram_record(&all, 0);
    histogram_record(&all, LIMIT - 1);
    histogram_merge(&histogram, &other);
    same();
    ck_assert_uint_eq(histogram.over_range, 3);
    ck_assert_uint_eq(histogram.buckets[0], 1);
    ck_assert_uint_eq(histogram.buckets[HISTOGRAM_BUCKETS - 1], 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        small_values_have_a_bucket_each,
        edges_of_every_bucket,
        empty,
        exact_figures,
        mean_is_no_whole_number,
        long_sums,
        negative_counts_as_zero,
        smallest_is_kept_when_it_comes_last_or_first,
        over_range,
        nearest_rank,
        nearest_rank_of_all_percentiles,
        repeated_values,
        within_eight_tenths_of_a_percent,
        random_multisets,
        never_outside_what_was_seen,
        merging_is_recording_in_one,
        merging_empty_ones,
        merging_over_range_ones,
    };
    return run_tests("histogram", tests, sizeof tests / sizeof tests[0]);
}
