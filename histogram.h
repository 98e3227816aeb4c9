/*
 * histogram.h - response times in log-linear buckets: fixed size, no allocation, mergeable.
 *
 * Values are whole nanoseconds, 0 and up. Values below 128 have a bucket each; above, every power of two is cut into
 * 64 buckets of equal width, so a bucket is at most 1/64 of its values wide and a quantile, given as the middle of its
 * bucket, is within 0.8 % of the true one. Count, sum, smallest and largest are exact. Values of 2^44 ns (4.9 hours)
 * and above are counted as over-range: they keep their part in count, sum and max. All histograms have one shape.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

enum {
    HISTOGRAM_SUB_BITS = 6,
    HISTOGRAM_MAX_BITS = 44,
    HISTOGRAM_BUCKETS = (HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS,
};

struct histogram {
    uint64_t count;
    uint64_t sum_ns;
    uint64_t min_ns; /* meaningless while count is 0 */
    uint64_t max_ns;
    uint64_t over_range;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* Counts one value. A negative one (a clock that went backwards) counts as 0. */
void histogram_record(struct histogram *histogram, int64_t value_ns);

/* Adds all of `from` to `into`. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/* Arithmetic mean in ns; 0 of an empty histogram. */
double histogram_mean_ns(const struct histogram *histogram);

/*
 * The value below or at which a share `quantile` (0 to 1) of the values lies, in ns: the nearest-rank definition,
 * rank = ceil(quantile * count), at least 1. Never under min or over max. 0 of an empty histogram.
 */
double histogram_quantile_ns(const struct histogram *histogram, double quantile);

#endif
