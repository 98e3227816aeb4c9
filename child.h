/*
 * child.h - one child's work: wait at the gate, then prepare, load or clean as the plan says, and report.
 *
 * A child writes only its own counters and the file table's bits of what was touched.
 */
#ifndef CHILD_H
#define CHILD_H

#include "engine.h"
#include "mix.h"
#include "schedule.h"

#include <stdatomic.h>

enum phase {
    PHASE_OPEN,    /* open the engine: connect */
    PHASE_PREPARE, /* provide what the load will need */
    PHASE_LOAD,
    PHASE_CLEAN, /* remove what this child made for itself */
};

/* What all children do next. Written by the parent while they wait at the gate. */
struct phase_plan {
    enum phase phase;
    bool record;      /* PHASE_LOAD: count and time the calls (else it is warm-up) */
    bool calls_bound; /* PHASE_LOAD: ends when all calls have ended, at the latest at twice its length */
    int64_t start_ns; /* CLOCK_MONOTONIC */
    int64_t length_ns;
    uint64_t calls; /* of all children together */
    unsigned outstanding;
    uint64_t number; /* of the stretch: every one has its own random stream */
};

struct child {
    unsigned index;
    unsigned procs;
    uint64_t seed;
    const struct mix *mix;
    enum arrival arrival;
    const struct phase_plan *plan;
    const atomic_int *stop; /* set: end the load at once */
    struct counters *counters;
    struct engine *engine;
    /* opens the engine; called once, in the child */
    struct engine *(*open)(void *context, unsigned index, struct problem *problem);
    void *open_context;
};

enum report_kind { REPORT_DONE, REPORT_FAILED };

/* What a child writes to the report pipe at the end of each phase: under PIPE_BUF, so it arrives whole. */
struct child_report {
    unsigned index;
    enum report_kind kind;
    struct problem problem;
};

/*
 * For each phase reads a byte from a gate, does the phase, and writes a report to report_fd. The phases use the two
 * gates in turn, so that a quick child cannot take the byte of a slow one that has not yet come through. Returns when
 * the gates are closed (the parent is done, or dead) or a phase other than cleaning has failed (after reporting it).
 * The value is the exit status.
 */
int child_main(struct child *child, const int gate_fds[2], int report_fd);

/* One stretch of load, with its calls drained at the end. */
void child_load(struct child *child);

#endif
