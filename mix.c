#include "mix.h"

#include "schedule.h"

#include <math.h>

double mix_error_points(const struct mix *mix, const uint64_t counts[OP_COUNT])
{
    double total = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        total += (double)counts[op];
    }
    if (total <= 0) {
        return 200;
    }
    double error = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        error += fabs(100.0 * (double)counts[op] / total - mix->percent[op]);
    }
    return error;
}

/*
 * Whole calls of each op for one child: what the mix has earned so far over all children, rounded down, and the rest of
 * the child's calls to the ops with the largest remainders. What rounding owes is carried to the next child.
 */
static void deal(double carry[OP_COUNT], const struct mix *mix, uint64_t calls, double plan[OP_COUNT])
{
    double left = (double)calls;
    for (int op = 0; op < OP_COUNT; op++) {
        carry[op] += (double)calls * mix->percent[op] / 100;
        plan[op] = fmax(floor(carry[op]), 0);
        carry[op] -= plan[op];
        left -= plan[op];
    }
    while (left != 0) {
        double step = left > 0 ? 1 : -1;
        int chosen = -1;
        for (int op = 0; op < OP_COUNT; op++) {
            bool possible = mix->percent[op] > 0 && (step > 0 || plan[op] > 0);
            if (possible && (chosen < 0 || carry[op] * step > carry[chosen] * step)) {
                chosen = op;
            }
        }
        if (chosen < 0) {
            return; /* a mix without any op */
        }
        plan[chosen] += step;
        carry[chosen] -= step;
        left -= step;
    }
}

/* Up to a quarter of an interval early or late: enough to break patterns, too little to wander. */
static void set_tag(struct mix_picker *picker, int op)
{
    picker->tag[op] = picker->due[op] + 0.5 * (rng_unit(picker->rng) - 0.5) * picker->interval[op];
}

/* Square roots of primes are independent irrationals: their multiples spread evenly, each op's in its own way. */
static const double primes[OP_COUNT] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31,
                                        37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79};

void mix_picker_start(struct mix_picker *picker, const struct mix *mix, uint64_t calls, uint64_t proc, uint64_t procs,
                      struct rng *rng)
{
    double carry[OP_COUNT] = {0};
    uint64_t share = 0;
    *picker = (struct mix_picker){.rng = rng};
    for (uint64_t i = 0; i <= proc; i++) {
        share = schedule_share(calls, procs, i);
        deal(carry, mix, share, picker->planned);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        if (mix->percent[op] > 0) {
            /* What a short plan has none of, it may still have to make when nothing else is possible. */
            picker->interval[op] =
                picker->planned[op] > 0 ? (double)share / picker->planned[op] : 100 / mix->percent[op];
            /* The children's phases are evenly spread, so that they keep the mix together before each does by itself.
             */
            double phase = ((double)proc + 0.5) * sqrt(primes[op]);
            picker->due[op] = (phase - floor(phase)) * picker->interval[op];
            set_tag(picker, op);
        }
    }
}

static int due_first(const struct mix_picker *picker, uint32_t ready, bool planned)
{
    int first = -1;
    for (int op = 0; op < OP_COUNT; op++) {
        if (picker->interval[op] > 0 && (ready >> op & 1) != 0 && (!planned || picker->planned[op] >= 1) &&
            (first < 0 || picker->tag[op] < picker->tag[first])) {
            first = op;
        }
    }
    return first;
}

int mix_pick(struct mix_picker *picker, uint32_t ready)
{
    int op = due_first(picker, ready, true);
    if (op < 0) {
        op = due_first(picker, ready, false);
    }
    if (op >= 0) {
        picker->due[op] += picker->interval[op];
        picker->planned[op] -= 1;
        set_tag(picker, op);
    }
    return op;
}
