/* report_plan.h - what is printed without any load: the plan of a --dry-run, the built-in mixes, a mix to be saved. */
#ifndef REPORT_PLAN_H
#define REPORT_PLAN_H

#include "mix_file.h"
#include "options.h"

/* What a run is to do. */
struct plan {
    const struct options *options;
    const struct mix *mix;
    const struct mix_origin *origin;
};

/* --dry-run: the plan. */
void report_plan(const struct plan *plan, FILE *out);

/* --mix list: all built-in mixes side by side. */
void report_mixes(FILE *out);

/* --mix-from: a mix in the simple form, in its own version's ops, with where it comes from. */
void report_mix(const struct mix *mix, const struct mix_origin *origin, const char *before, const char *after,
                FILE *out);

/* A line for each thing that the user should be told about where the mix comes from. */
void report_mix_notes(const struct mix_origin *origin, FILE *err);

#endif
