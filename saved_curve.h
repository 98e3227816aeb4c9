/* saved_curve.h - the response-time/throughput curve of a saved result. Pure. */
#ifndef SAVED_CURVE_H
#define SAVED_CURVE_H

#include "curve.h"
#include "saved.h"

/* As result_curve() in measure.h; `points` has room for SAVED_MAX_POINTS. How many there are. */
size_t saved_curve(const struct saved *saved, struct curve_point *points);

#endif
