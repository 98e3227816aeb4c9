/*
 * perform.h - a measurement from start to end, as the command line asks for it: the run, its text and progress, and the
 * files with its result on every way out.
 */
#ifndef PERFORM_H
#define PERFORM_H

#include "report_plan.h"

/* As documented under EXIT STATUS in the manual page. */
enum { EXIT_VALID = 0, EXIT_DOUBTFUL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_SIGNAL = 128 };

/* What main() was asked to do. */
struct request {
    struct plan plan;
    int argc;
    char **argv;
};

/* Measures, prints and saves; the exit status. */
int perform_measure(const struct request *request);

/* The outputs of a measurement that could not be set up: why is in `problem`. The exit status. */
int perform_nothing(const struct request *request, const struct problem *problem);

/* Removes what earlier runs left (--cleanup); the exit status. */
int perform_cleanup(const struct request *request);

/* Saved results side by side (--compare); the exit status: EXIT_DOUBTFUL when --fail-if says so. */
int perform_compare(const struct options *options);

/* A line on standard error; `status`. */
int perform_fail(int status, const struct problem *problem);

#endif
