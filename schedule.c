#include "schedule.h"

uint64_t schedule_share(uint64_t total, uint64_t parts, uint64_t index)
{
    return total / parts + (index < total % parts);
}

void schedule_start(struct schedule *schedule, enum arrival arrival, uint64_t calls, int64_t length_ns, uint64_t proc,
                    uint64_t procs, struct rng *rng)
{
    *schedule = (struct schedule){
        .arrival = arrival,
        .calls = calls,
        .length_ns = (double)length_ns,
        .proc = proc,
        .procs = procs,
        .share = schedule_share(calls, procs, proc),
        .rng = rng,
    };
}

/* The smallest of k uniform times in what is left of the stretch: 1 - u^(1/k) of it. */
static double next_of_poisson(const struct schedule *schedule)
{
    double left = (double)(schedule->share - schedule->issued);
    double fraction = -expm1(log(rng_unit(schedule->rng)) / left);
    return schedule->last_ns + (schedule->length_ns - schedule->last_ns) * fraction;
}

static double next_in_slot(const struct schedule *schedule, double position)
{
    double slot = (double)(schedule->issued * schedule->procs + schedule->proc);
    return (slot + position) * schedule->length_ns / (double)schedule->calls;
}

int64_t schedule_next(struct schedule *schedule)
{
    if (schedule->issued == schedule->share) {
        return -1;
    }
    switch (schedule->arrival) {
    case ARRIVAL_POISSON:
        schedule->last_ns = next_of_poisson(schedule);
        break;
    case ARRIVAL_UNIFORM:
        schedule->last_ns = next_in_slot(schedule, 1.0 - rng_unit(schedule->rng));
        break;
    case ARRIVAL_CONSTANT:
        schedule->last_ns = next_in_slot(schedule, 0.5);
        break;
    }
    schedule->issued++;
    /* Rounding may reach the end of the stretch, which no longer belongs to it. */
    double last_ns = fmax(schedule->length_ns - 1, 0);
    return (int64_t)fmin(schedule->last_ns, last_ns);
}
