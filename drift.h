/* drift.h - whether repeated runs belong together: a trend over them, and runs that stand apart. Pure. */
#ifndef DRIFT_H
#define DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct drift {
    bool drifts; /* the second half's mean differs from the first's, at the 1 % level */
    double first, second;
    bool has_outlier;
    size_t outlier; /* its index */
    double median;
};

enum { DRIFT_LEAST_RUNS = 4, OUTLIER_LEAST_RUNS = 5 };

/*
 * Of runs in the order in which they were made. The halves (of an odd number the middle run belongs to neither) are
 * compared by the two-sample t test with a pooled variance; halves without any variance differ when their means do. An
 * outlier is the run with the largest modified z-score, 0.6745 |x - median| / MAD, when that is over 3.5 (B. Iglewicz
 * and D. Hoaglin, How to Detect and Handle Outliers, 1993); with a MAD of 0 there is none. Under DRIFT_LEAST_RUNS and
 * OUTLIER_LEAST_RUNS runs nothing is said.
 */
struct drift drift_of(const double *runs, size_t n);

#endif
