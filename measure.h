/*
 * measure.h - from points to a result: the loads to ask for, one after the other, and what the points together say.
 * Printing is left to others: they are told of each point as it completes.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "curve.h"
#include "environment.h"
#include "options.h"
#include "ramp.h"
#include "run.h"

enum { MEASURE_MAX_POINTS = RAMP_MAX_POINTS + 1000 };

_Static_assert((int)MEASURE_MAX_POINTS <= (int)CURVE_MAX_POINTS, "a curve has room for every point");

enum { RESULT_MAX_NOTES = 4 };

enum point_role { ROLE_FIXED, ROLE_RAMP, ROLE_CONFIRM };

/* "fixed", "ramp", "confirm" */
const char *point_role_name(enum point_role role);

struct measured_point {
    struct point *point;
    enum point_role role;
    unsigned repeat; /* from 1 */
};

struct warning_text {
    enum warning kind;
    char text[320];
};

struct plateau {
    bool found;
    struct ramp_decision decision;
    struct estimate rate;       /* calls/s, over the confirming runs */
    struct estimate service_ms; /* their mean service times */
    bool collapses;             /* a higher demand achieved under 90 % of this, its interval considered */
    bool client_ceiling;        /* the built-in server without a service time: the client's own limit, as a result */
};

struct result {
    const struct options *options;
    struct mix mix;
    enum stable stable;
    struct run_facts facts;
    struct measured_point points[MEASURE_MAX_POINTS];
    size_t count;
    struct plateau plateau; /* with --load auto */
    struct estimate rate;   /* one fixed load: over its repeats */
    struct estimate service_ms;
    char notes[RESULT_MAX_NOTES][240]; /* what else a reader should know: drift over repeats, outliers */
    size_t note_count;
    struct warning_text warnings[WARNING_COUNT];
    size_t warning_count;
    int interrupted; /* the signal */
    struct environment environment;
    char started[21];         /* UTC, ISO 8601 */
    char error[PROBLEM_SIZE]; /* why it could not be set up or finished; empty: it could */
    int exit_status;
};

struct measure_hooks {
    void (*starting)(void *context, const struct result *result, double asked, unsigned outstanding);
    /* false: it could not be written, so there is no use in going on */
    bool (*completed)(void *context, const struct result *result, const struct measured_point *point);
    void *context;
};

/* Measures all that the options ask for. False and a line when the run could not go on; *result is good as far as it
 * got. */
bool measure(struct run *run, struct result *result, const struct measure_hooks *hooks, struct problem *problem);

/* The built-in server without service times or faults answers as fast as this machine can: its limit is the client's.
 */
bool is_ceiling_check(const struct options *options);

/* Does any warning make the result invalid (exit status 1)? */
bool result_is_valid(const struct result *result);

void result_free(struct result *result);

/*
 * The response-time/throughput curve of a result: of --load's points, one for each load (the mean over its repeats); of
 * a ramp's, those that reached their load, all at the concurrency of the plateau, and the confirming runs as one.
 * Points that were interrupted are left out. `points` has room for MEASURE_MAX_POINTS; how many there are.
 */
size_t result_curve(const struct result *result, struct curve_point *points);

/* The sum of the confirming (or fixed) points' counters, for tables. The caller frees it; NULL: out of memory or none.
 */
struct point *result_sum(const struct result *result);

#endif
