/* sim_engine.h - a simulated engine, and a child with a stretch of load for it: what is measured is known on paper. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "child.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_CALLS = 20000 };

/*
 * The simulated engine: a call ends `service_ns` after it is handed over, in order; wait() sleeps until the first end
 * or until_ns. What it is asked is written down.
 */
struct sim {
    struct engine engine;
    int64_t service_ns;
    enum outcome outcome[OP_COUNT];
    uint32_t status[OP_COUNT];
    int64_t not_ready_until_ns; /* no op is ready before */
    uint32_t ready_mask;
    bool refuse;                   /* submit() fails */
    int64_t stall_at_ns, stall_ns; /* one wait that ends so much late */
    bool never;                    /* calls never end */

    struct {
        unsigned op;
        int64_t due_ns, at_ns;
    } calls[MAX_CALLS];
    size_t head, tail; /* calls[head..tail) are outstanding */
    size_t refused;
    unsigned most_outstanding;
    size_t early; /* submitted before they were due */
    size_t waits;
    int64_t longest_wait_ns; /* that was asked for */
    uint64_t jukebox;        /* reported at the next count() */
    size_t prepared, cleaned, closed;
    struct engine_need need;
    bool fail_prepare, fail_open, fail_clean;
};

static struct sim sim;
static struct counters counters;
static struct mix mix;
static struct phase_plan plan;
static atomic_int stop;
static struct child child;

static inline struct sim *sim_of(const struct engine *engine)
{
    return (struct sim *)(uintptr_t)engine;
}

static inline void sleep_until(int64_t at_ns)
{
    struct timespec at = {.tv_sec = at_ns / NS_PER_SEC, .tv_nsec = at_ns % NS_PER_SEC};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

static inline bool sim_prepare(struct engine *engine, const struct engine_need *need, struct problem *problem)
{
    sim_of(engine)->prepared++;
    sim_of(engine)->need = *need;
    return !sim_of(engine)->fail_prepare || problem_set(problem, "the disk is full");
}

static inline uint32_t sim_ready(const struct engine *engine)
{
    return clock_ns() < sim_of(engine)->not_ready_until_ns ? 0 : sim_of(engine)->ready_mask;
}

static inline unsigned sim_outstanding(const struct engine *engine)
{
    return (unsigned)(sim_of(engine)->tail - sim_of(engine)->head);
}

static inline bool sim_submit(struct engine *engine, unsigned op, int64_t due_ns)
{
    struct sim *of = sim_of(engine);
    int64_t now_ns = clock_ns();
    if (of->refuse) {
        of->refused++;
        return false;
    }
    ck_assert_uint_lt(of->tail, MAX_CALLS);
    of->calls[of->tail].op = op;
    of->calls[of->tail].due_ns = due_ns;
    of->calls[of->tail++].at_ns = now_ns;
    of->early += now_ns < due_ns;
    unsigned outstanding = sim_outstanding(engine);
    of->most_outstanding = outstanding > of->most_outstanding ? outstanding : of->most_outstanding;
    return true;
}

static inline int64_t sim_wait(struct engine *engine, int64_t until_ns, engine_ended *ended, void *context)
{
    struct sim *of = sim_of(engine);
    int64_t now_ns = clock_ns();
    of->waits++;
    of->longest_wait_ns = until_ns - now_ns > of->longest_wait_ns ? until_ns - now_ns : of->longest_wait_ns;
    int64_t wake_ns = until_ns;
    if (of->head < of->tail && !of->never && of->calls[of->head].at_ns + of->service_ns < wake_ns) {
        wake_ns = of->calls[of->head].at_ns + of->service_ns;
    }
    if (of->stall_ns > 0 && wake_ns >= of->stall_at_ns) {
        wake_ns = (until_ns > now_ns ? until_ns : now_ns) + of->stall_ns; /* beyond what was asked */
        of->stall_ns = 0;
    }
    if (wake_ns > now_ns) {
        sleep_until(wake_ns);
        now_ns = clock_ns();
    }
    while (of->head < of->tail && !of->never && of->calls[of->head].at_ns + of->service_ns <= now_ns) {
        size_t at = of->head++;
        unsigned op = of->calls[at].op;
        struct engine_end end = {.op = op,
                                 .outcome = of->outcome[op],
                                 .status = of->status[op],
                                 .due_ns = of->calls[at].due_ns,
                                 .sent_ns = of->calls[at].at_ns,
                                 .done_ns = of->calls[at].at_ns + of->service_ns};
        ended(context, &end);
    }
    return now_ns;
}

static inline void sim_count(struct engine *engine, struct counters *into)
{
    into->jukebox += sim_of(engine)->jukebox;
    sim_of(engine)->jukebox = 0;
}

static inline bool sim_clean(struct engine *engine, struct problem *problem)
{
    sim_of(engine)->cleaned++;
    return !sim_of(engine)->fail_clean || problem_set(problem, "it stays behind");
}

static inline void sim_close(struct engine *engine)
{
    sim_of(engine)->closed++;
}

static const struct engine_kind kind = {
    .name = "simulated",
    .prepare = sim_prepare,
    .ready = sim_ready,
    .submit = sim_submit,
    .outstanding = sim_outstanding,
    .wait = sim_wait,
    .count = sim_count,
    .clean = sim_clean,
    .close = sim_close,
};

static inline struct engine *sim_open(void *context, unsigned index, struct problem *problem)
{
    struct sim *of = context;
    (void)index;
    if (of->fail_open) {
        problem_set(problem, "nobody there");
        return NULL;
    }
    return &of->engine;
}

/* A lone child; getattr 75 %, lookup 25 %; an instant engine; 100 ms from 10 ms on. */
static inline void sim_setup(void)
{
    memset(&sim, 0, sizeof sim);
    sim.engine.kind = &kind;
    sim.ready_mask = UINT32_MAX;
    memset(&counters, 0, sizeof counters);
    mix = (struct mix){.name = "test"};
    mix.percent[OP_GETATTR] = 75;
    mix.percent[OP_LOOKUP] = 25;
    plan = (struct phase_plan){.phase = PHASE_LOAD,
                               .record = true,
                               .start_ns = clock_ns() + 10 * NS_PER_MS,
                               .length_ns = 100 * NS_PER_MS,
                               .calls = 200,
                               .outstanding = 4,
                               .number = 1};
    atomic_store(&stop, 0);
    child = (struct child){.procs = 1,
                           .seed = 1,
                           .mix = &mix,
                           .arrival = ARRIVAL_POISSON,
                           .plan = &plan,
                           .stop = &stop,
                           .counters = &counters,
                           .engine = &sim.engine,
                           .open = sim_open};
}

static inline uint64_t sum(const uint64_t *values)
{
    uint64_t total = 0;
    for (size_t op = 0; op < OP_COUNT; op++) {
        total += values[op];
    }
    return total;
}

#endif
