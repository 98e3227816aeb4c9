/*
 * ramp.h - the search for the plateau: which load to ask for next, as a pure function of the points measured so far.
 *
 * 1. Climb: ask for RAMP_START calls/s and double while at least RAMP_REACHED of what was asked is achieved.
 * 2. Concurrency: a miss is tried again with twice the calls outstanding; while that improves the best achieved rate by
 *    RAMP_GAIN or more, the climb goes on there (with N calls outstanding no server shows more than N / service time).
 * 3. Search: between the loads known to be reached and missed, by bisection on a logarithmic scale, until the lowest
 *    demand that achieves the best rate within RAMP_GAIN is known to RAMP_RESOLUTION, and so is the place where the
 * rate falls again, if it does.
 * 4. Plateau: declared when three or more higher demands, the highest of them RAMP_FAR times the best achieved rate,
 * improve it by less than RAMP_GAIN: so a collapse some way beyond the peak is seen, too.
 * 5. The plateau is tried once more with twice the calls outstanding: if it improves, the search goes on there, or,
 * when the user fixed the concurrency, the gain is only noted.
 */
#ifndef RAMP_H
#define RAMP_H

#include <stdbool.h>
#include <stddef.h>

#define RAMP_START      100.0
#define RAMP_REACHED    0.95
#define RAMP_GAIN       0.02
#define RAMP_RESOLUTION 1.03
#define RAMP_GAP        1.05
#define RAMP_FAR        1.9
#define RAMP_MIN_LOAD   0.1
#define RAMP_MAX_LOAD   1e8

/* A search that takes more points than RAMP_SEARCH_POINTS at one concurrency is among rates that vary too much to
 * settle. */
enum { RAMP_MAX_POINTS = 160, RAMP_HIGHER_DEMANDS = 3, RAMP_SEARCH_POINTS = 16 };

struct ramp_config {
    unsigned outstanding;     /* calls outstanding per child at first */
    unsigned max_outstanding; /* never more than that */
    bool fixed_concurrency;   /* the user's choice: only note what twice as much would give */
};

struct ramp_point {
    double asked;    /* calls/s */
    double achieved; /* calls/s */
    unsigned outstanding;
};

enum ramp_verdict {
    RAMP_MEASURE, /* measure `asked` with `outstanding` and come back */
    RAMP_PLATEAU, /* done: confirm at `asked` with `outstanding` */
    RAMP_NOTHING, /* done: nothing was achieved at all */
};

struct ramp_decision {
    enum ramp_verdict verdict;
    double asked;
    unsigned outstanding;
    double best;    /* best achieved rate at this concurrency, calls/s */
    bool collapses; /* RAMP_PLATEAU: a higher demand achieved under 90 % of the best */
    double beyond;  /* RAMP_PLATEAU: the lowest rate that a demand above the best one's achieved, calls/s; 0: none */
    bool concurrency_limited; /* RAMP_PLATEAU with fixed concurrency: twice the calls outstanding gave 2 % more or
                                 better */
    double with_twice;        /* ... namely this rate, calls/s; 0 if not tried */
    bool settled;             /* RAMP_PLATEAU: false when the search gave up (too many points) */
};

struct ramp_decision ramp_decide(const struct ramp_config *config, const struct ramp_point *points, size_t count);

#endif
