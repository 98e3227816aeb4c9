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

/* The targets, in words; `facts` of a run, or NULL. */
void report_targets(const struct options *options, const struct run_facts *facts, FILE *out);

/* "file set: 1000 files, 27.4 MB (SFS sizes)" */
void report_fileset(const struct options *options, FILE *out);

/* "file", "data", "unstable" */
const char *stable_name(enum stable stable);

#endif
