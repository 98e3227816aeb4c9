/*
 * curve.h - the response-time/throughput curve of a set of points, as 097.LADDIS and SPEC's SFS presented it. Pure.
 *
 * A point's place is what was achieved, not what was asked for; its response time is the mean from sending a call to
 * its reply. Only measured points are used: nothing is interpolated or extrapolated. A point of no throughput has no
 * response time, whatever its mean_ms says. Points come in any order.
 */
#ifndef CURVE_H
#define CURVE_H

#include <stdbool.h>
#include <stddef.h>

struct curve_point {
    double asked;    /* calls/s */
    double achieved; /* calls/s */
    double mean_ms;  /* of a call, send to reply */
};

/* Index of the point with the highest throughput, and of equals the least load; `n` must be at least 1. */
size_t curve_peak(const struct curve_point *points, size_t n);

/*
 * Index of the point with the highest throughput among those whose mean response time is at most limit_ms, or n when
 * there is none. Of equals, the least load. (LADDIS's headline: the highest throughput at 50 ms or less.)
 */
size_t curve_within(const struct curve_point *points, size_t n, double limit_ms);

enum { CURVE_MAX_POINTS = 2000 };

/*
 * Overall response time in ms: the area under the curve up to the peak, divided by the peak's throughput. Points are
 * taken in the order of their throughput and joined by straight lines; below the lowest one its response time is held,
 * so that leaving low loads out gains nothing. Points of equal throughput count by their mean. Points that were asked
 * for more than the peak's do not count (a server that collapses). 0 when there is no throughput, or more than
 * CURVE_MAX_POINTS points.
 */
double curve_overall_ms(const struct curve_point *points, size_t n);

/*
 * Leaves one point for each load asked for (exactly), in the order of the loads: the plain means over its repeats, that
 * of the response time over those that have one. The new count.
 */
size_t curve_merge(struct curve_point *points, size_t n);

#endif
