#include "curve.h"

#include <stdlib.h>

/* Of equal throughputs, the one that took the lower load: what comes after it has gained nothing. */
static bool is_better(const struct curve_point *point, const struct curve_point *than)
{
    return point->achieved > than->achieved || (point->achieved == than->achieved && point->asked < than->asked);
}

size_t curve_peak(const struct curve_point *points, size_t n)
{
    size_t peak = 0;
    for (size_t i = 1; i < n; i++) {
        if (is_better(&points[i], &points[peak])) {
            peak = i;
        }
    }
    return peak;
}

size_t curve_within(const struct curve_point *points, size_t n, double limit_ms)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        bool within = points[i].achieved > 0 && points[i].mean_ms <= limit_ms;
        if (within && (best == n || is_better(&points[i], &points[best]))) {
            best = i;
        }
    }
    return best;
}

static int by_achieved(const void *a, const void *b)
{
    double x = ((const struct curve_point *)a)->achieved;
    double y = ((const struct curve_point *)b)->achieved;
    return (x > y) - (x < y);
}

static int by_asked(const void *a, const void *b)
{
    double x = ((const struct curve_point *)a)->asked;
    double y = ((const struct curve_point *)b)->asked;
    return (x > y) - (x < y);
}

/* Makes one point of each group of equal throughput; the points are in the order of it. The new count. */
static size_t join_equals(struct curve_point *points, size_t n)
{
    size_t joined = 0;
    for (size_t i = 0; i < n;) {
        struct curve_point mean = points[i];
        size_t same = 1;
        for (; i + same < n && points[i + same].achieved == mean.achieved; same++) {
            mean.mean_ms += (points[i + same].mean_ms - mean.mean_ms) / (double)(same + 1);
        }
        i += same;
        points[joined++] = mean;
    }
    return joined;
}

double curve_overall_ms(const struct curve_point *points, size_t n)
{
    struct curve_point up[CURVE_MAX_POINTS];
    size_t count = 0;
    if (n == 0 || n > CURVE_MAX_POINTS) {
        return 0;
    }
    const struct curve_point *peak = &points[curve_peak(points, n)];
    for (size_t i = 0; i < n; i++) {
        if (points[i].achieved > 0 && points[i].asked <= peak->asked) {
            up[count++] = points[i];
        }
    }
    if (count == 0) {
        return 0;
    }
    qsort(up, count, sizeof up[0], by_achieved);
    count = join_equals(up, count);
    double area = up[0].achieved * up[0].mean_ms;
    for (size_t i = 1; i < count; i++) {
        area += (up[i].achieved - up[i - 1].achieved) * (up[i].mean_ms + up[i - 1].mean_ms) / 2;
    }
    return area / peak->achieved;
}

size_t curve_merge(struct curve_point *points, size_t n)
{
    size_t merged = 0;
    if (n > 1) {
        qsort(points, n, sizeof points[0], by_asked);
    }
    for (size_t i = 0; i < n;) {
        struct curve_point mean = {.asked = points[i].asked};
        size_t same = 0;
        size_t timed = 0;
        for (; i + same < n && points[i + same].asked == mean.asked; same++) {
            const struct curve_point *point = &points[i + same];
            /* From the mean on, so that equal repeats have exactly their value. */
            mean.achieved += (point->achieved - mean.achieved) / (double)(same + 1);
            if (point->achieved > 0) {
                timed++;
                mean.mean_ms += (point->mean_ms - mean.mean_ms) / (double)timed;
            }
        }
        i += same;
        points[merged++] = mean; /* never ahead of what has been read */
    }
    return merged;
}
