/*
 * engine.h - what an engine is: the thing that turns "an op is due" into a call on a target and tells how it ended.
 *
 * Each child has its own. All times are CLOCK_MONOTONIC ns.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "stats.h"
#include "units.h"

#include <stdbool.h>
#include <stdint.h>

struct engine;

/* How a call ended. */
struct engine_end {
    unsigned op;
    enum outcome outcome;
    uint32_t status; /* NFS status, of OUTCOME_NFS_ERROR */
    int64_t due_ns;  /* as given to submit */
    int64_t sent_ns; /* 0: it never was */
    int64_t done_ns;
};

/* Told of every submitted call exactly once, from within wait(). */
typedef void engine_ended(void *context, const struct engine_end *end);

/* What a stretch of load will ask of one child. */
struct engine_need {
    double calls[OP_COUNT]; /* how many of each op, about */
    unsigned outstanding;
};

struct engine_kind {
    const char *name;

    /*
     * Makes sure that the state a stretch of load needs is there (something to remove, and no more than needed): calls
     * that are made before the load and not counted. False and a line when that fails.
     */
    bool (*prepare)(struct engine *engine, const struct engine_need *need, struct problem *problem);

    /* The ops that can be submitted now, as bits 1 << op. */
    uint32_t (*ready)(const struct engine *engine);

    /* Starts one call, which goes out no later than with the next wait(). False: it could not be started. */
    bool (*submit)(struct engine *engine, unsigned op, int64_t due_ns);

    /* Calls submitted and not ended. */
    unsigned (*outstanding)(const struct engine *engine);

    /* Sends, receives and reports ends until until_ns or until at least one call has ended. The time after it. */
    int64_t (*wait)(struct engine *engine, int64_t until_ns, engine_ended *ended, void *context);

    /* Adds to `counters` what the engine counts itself since the last time it was asked. */
    void (*count)(struct engine *engine, struct counters *counters);

    /* Removes what this child made for itself. False and a line when something stays behind. */
    bool (*clean)(struct engine *engine, struct problem *problem);

    /* Frees all; calls outstanding are given up. */
    void (*close)(struct engine *engine);
};

/* Every engine's structure begins with this. */
struct engine {
    const struct engine_kind *kind;
};

#endif
