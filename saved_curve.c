/* A saved result's curve: the rule is that of result_curve() in measure.c. */
#include "saved_curve.h"

#include "ramp.h"

size_t saved_curve(const struct saved *saved, struct curve_point *points)
{
    size_t n = 0;
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_point *point = &saved->points[i];
        bool on_curve = !point->interrupted && point->achieved > 0 && point->service.mean >= 0 &&
                        (point->phase != SAVED_RAMP || point->achieved >= RAMP_REACHED * point->requested);
        if (on_curve) {
            points[n++] = (struct curve_point){point->requested, point->achieved, point->service.mean};
        }
    }
    return curve_merge(points, n);
}
