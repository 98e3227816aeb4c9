/* plot.h - pictures of throughput against response time, drawn by gnuplot. */
#ifndef PLOT_H
#define PLOT_H

#include "curve.h"
#include "units.h"

/* One curve, of one result. */
struct plot_series {
    const char *title;                /* in the legend */
    const struct curve_point *points; /* in any order, repeats merged; joined in the order of the loads asked for */
    size_t count;
    double plateau; /* calls/s, marked by a line; 0: none */
};

struct plot {
    const char *title;
    const struct plot_series *series;
    size_t count;
    double limit_ms; /* marked by a line when the curves come near it; 0: none */
};

/*
 * Draws into `file`, by the end of its name: .svg, .png, .pdf, or .txt and "-" (standard output) for characters. The
 * file appears complete or not at all. False and a line: another ending, nothing to draw, gnuplot missing (which
 * package has it is said), failed or not finished after 60 s. Titles may be any bytes: controls are left out, and what
 * is longer than 100 bytes is cut. The line begins with "--plot: ".
 */
bool plot_draw(const struct plot *plot, const char *file, struct problem *problem);

/* Whether `file` has an ending that plot_draw knows; else a line, which begins with "--plot: ". For a check before the
 * load. */
bool plot_check(const char *file, struct problem *problem);

#endif
