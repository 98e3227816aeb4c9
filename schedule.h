/*
 * schedule.h - when each call is due: an open loop with absolute due times and an exact total. Pure.
 *
 * A stretch of load is `calls` calls in `length_ns`; each of `procs` children makes its own part of it. The parts add
 * up to exactly `calls`, whatever procs is (also when procs > calls: some children then have none), and the due times
 * depend on nothing but these numbers and the random stream: a stall shifts nothing.
 *
 * - POISSON: the call times of a Poisson process, given that it makes `calls` calls in the stretch: as many uniformly
 *   distributed times in order (e.g. S. Ross, "Stochastic Processes", theorem 2.3.1). Gaps are as irregular as those
 *   of independent users, yet the rate is exact instead of wandering by 1/sqrt(calls). The children's times together
 *   are again such a process, since a union of uniform samples is one.
 * - UNIFORM: the stretch is cut into `calls` slots of equal length, dealt to the children in turn; a call is due at a
 *   uniformly distributed time in its slot.
 * - CONSTANT: as UNIFORM, but in the middle of the slot, so all calls together are evenly spaced.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "random.h"

#include <stdint.h>

enum arrival { ARRIVAL_POISSON, ARRIVAL_UNIFORM, ARRIVAL_CONSTANT };

struct schedule {
    enum arrival arrival;
    uint64_t calls; /* of all children together */
    double length_ns;
    uint64_t proc;
    uint64_t procs;
    uint64_t share;  /* calls of this child */
    uint64_t issued; /* of those, how many due times were drawn */
    double last_ns;
    struct rng *rng;
};

/* How many of `total` go to part `index` of `parts`: the remainder is dealt to the first ones, one each. */
uint64_t schedule_share(uint64_t total, uint64_t parts, uint64_t index);

/* The plan of child `proc` of `procs`. `rng` is used by schedule_next only and must outlive the schedule. */
void schedule_start(struct schedule *schedule, enum arrival arrival, uint64_t calls, int64_t length_ns, uint64_t proc,
                    uint64_t procs, struct rng *rng);

/* Due time of the child's next call, in ns from the start of the stretch, never before the last; -1: no more calls. */
int64_t schedule_next(struct schedule *schedule);

#endif
