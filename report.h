/* report.h - results as text: to stdout what is a result, to stderr what is a warning. */
#ifndef REPORT_H
#define REPORT_H

#include "measure.h"

/* Lines that say what is measured, before the first point. */
void report_head(const struct result *result, FILE *out);

/* One line for a point; the first one brings its header. */
void report_point(const struct result *result, const struct measured_point *point, FILE *out);

/* After the last point: the op table (with -v), what else there is to say, warnings, and the one line to cut. */
void report_end(const struct result *result, FILE *out, FILE *err);

/* --dry-run: the plan. */
void report_plan(const struct options *options, const struct mix *mix, FILE *out);

/* --mix list */
void report_mixes(FILE *out);

/* "file", "data", "unstable" */
const char *stable_name(enum stable stable);

#endif
