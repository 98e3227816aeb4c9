#include "drift.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 1024 };

static const double significance = 0.01;
static const double outlier_score = 3.5;
static const double mad_scale = 0.6745; /* of a normal distribution's standard deviation */

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / (double)n;
}

static double squares_of(const double *values, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (values[i] - mean) * (values[i] - mean);
    }
    return sum;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof values[0], ascending);
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void compare_halves(const double *runs, size_t n, struct drift *drift)
{
    size_t half = n / 2;
    const double *late = runs + n - half;
    drift->first = mean_of(runs, half);
    drift->second = mean_of(late, half);
    double squares = squares_of(runs, half, drift->first) + squares_of(late, half, drift->second);
    double degrees = 2 * (double)half - 2;
    double error = sqrt(squares / degrees * 2 / (double)half);
    double difference = fabs(drift->second - drift->first);
    /* What is equal but for the last bits of a sum is equal. */
    double noise = 1e-12 * (fabs(drift->first) + fabs(drift->second));
    drift->drifts =
        error <= noise ? difference > noise : difference / error > gsl_cdf_tdist_Pinv(1 - significance / 2, degrees);
}

static void find_outlier(const double *runs, size_t n, struct drift *drift)
{
    double sorted[MOST_RUNS];
    double deviations[MOST_RUNS] = {0};
    memcpy(sorted, runs, n * sizeof runs[0]);
    drift->median = median_of(sorted, n);
    for (size_t i = 0; i < n; i++) {
        deviations[i] = fabs(runs[i] - drift->median);
        if (deviations[i] > fabs(runs[drift->outlier] - drift->median)) {
            drift->outlier = i;
        }
    }
    double mad = median_of(deviations, n);
    double farthest = fabs(runs[drift->outlier] - drift->median);
    drift->has_outlier = mad > 0 && mad_scale * farthest / mad > outlier_score;
}

struct drift drift_of(const double *runs, size_t n)
{
    struct drift drift = {.drifts = false};
    if (n >= DRIFT_LEAST_RUNS && n <= MOST_RUNS) {
        compare_halves(runs, n, &drift);
    }
    if (n >= OUTLIER_LEAST_RUNS && n <= MOST_RUNS) {
        find_outlier(runs, n, &drift);
    }
    return drift;
}
