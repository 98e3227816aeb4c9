#include "histogram.h"

#include <math.h>
#include <stddef.h>

#define SUB (UINT64_C(1) << HISTOGRAM_SUB_BITS)

/* Values below 2*SUB are their own index; above, the leading SUB_BITS+1 bits and the shift make the index. */
static size_t bucket_of(uint64_t value)
{
    if (value < 2 * SUB) {
        return (size_t)value;
    }
    unsigned shift = 63U - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return ((size_t)shift << HISTOGRAM_SUB_BITS) + (size_t)(value >> shift);
}

static double middle_of(size_t bucket)
{
    if (bucket < 2 * SUB) {
        return (double)bucket;
    }
    unsigned shift = (unsigned)(bucket >> HISTOGRAM_SUB_BITS) - 1;
    uint64_t low = ((uint64_t)(bucket & (SUB - 1)) + SUB) << shift;
    return (double)low + (double)((UINT64_C(1) << shift) - 1) / 2;
}

void histogram_record(struct histogram *histogram, int64_t value_ns)
{
    uint64_t value = value_ns > 0 ? (uint64_t)value_ns : 0;
    if (histogram->count == 0 || value < histogram->min_ns) {
        histogram->min_ns = value;
    }
    if (value > histogram->max_ns) {
        histogram->max_ns = value;
    }
    histogram->count++;
    histogram->sum_ns += value;
    if (value >> HISTOGRAM_MAX_BITS != 0) {
        histogram->over_range++;
        return;
    }
    histogram->buckets[bucket_of(value)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (from->count == 0) {
        return;
    }
    if (into->count == 0 || from->min_ns < into->min_ns) {
        into->min_ns = from->min_ns;
    }
    if (from->max_ns > into->max_ns) {
        into->max_ns = from->max_ns;
    }
    into->count += from->count;
    into->sum_ns += from->sum_ns;
    into->over_range += from->over_range;
    for (size_t i = bucket_of(from->min_ns >> HISTOGRAM_MAX_BITS == 0 ? from->min_ns : 0); i < HISTOGRAM_BUCKETS; i++) {
        into->buckets[i] += from->buckets[i];
    }
}

double histogram_mean_ns(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum_ns / (double)histogram->count;
}

double histogram_quantile_ns(const struct histogram *histogram, double quantile)
{
    if (histogram->count == 0) {
        return 0;
    }
    /* The subtraction keeps 0.95 * 100 = 95.00000000000001 from asking for the 96th value. */
    double rank = ceil(quantile * (double)histogram->count - 1e-6);
    double min = (double)histogram->min_ns;
    double max = (double)histogram->max_ns;
    if (rank <= 1) {
        return min;
    }
    if (rank >= (double)histogram->count) {
        return max;
    }
    uint64_t seen = 0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if ((double)seen >= rank) {
            return fmin(fmax(middle_of(i), min), max);
        }
    }
    return max;
}
