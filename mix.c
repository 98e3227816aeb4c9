#include "mix.h"

#include "schedule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct share {
    enum nfs_op op;
    double percent;
};

struct builtin {
    const char *name;
    const char *origin;
    struct share shares[OP_COUNT];
};

/* clang-format off */
static const struct builtin builtins[] = {
    {"legato", "the classic nhfsstone's default, the mix of 097.LADDIS too",
     {{OP_LOOKUP, 34}, {OP_READ, 22}, {OP_WRITE, 15}, {OP_GETATTR, 13}, {OP_READLINK, 8}, {OP_READDIR, 3},
      {OP_CREATE, 2}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"laddis", "097.LADDIS (1993): the same numbers as legato",
     {{OP_LOOKUP, 34}, {OP_READ, 22}, {OP_WRITE, 15}, {OP_GETATTR, 13}, {OP_READLINK, 8}, {OP_READDIR, 3},
      {OP_CREATE, 2}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"sfs2", "the NFSv2 mix of SFS 2.0 and 3.0",
     {{OP_LOOKUP, 36}, {OP_GETATTR, 26}, {OP_READ, 14}, {OP_WRITE, 7}, {OP_READLINK, 7}, {OP_READDIR, 6},
      {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"sfs3", "the NFSv3 mix of SFS 2.0 and 3.0",
     {{OP_LOOKUP, 27}, {OP_READ, 18}, {OP_GETATTR, 11}, {OP_WRITE, 9}, {OP_READDIRPLUS, 9}, {OP_READLINK, 7},
      {OP_ACCESS, 7}, {OP_COMMIT, 5}, {OP_READDIR, 2}, {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1},
      {OP_FSINFO, 1}}},
    {"sfs2008", "the NFSv3 mix of SFS 2008",
     {{OP_GETATTR, 26}, {OP_LOOKUP, 24}, {OP_READ, 18}, {OP_ACCESS, 11}, {OP_WRITE, 10}, {OP_SETATTR, 4},
      {OP_READDIRPLUS, 2}, {OP_READLINK, 1}, {OP_READDIR, 1}, {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_FSSTAT, 1}}},
    {"build", "software builds, seen by an NFSv3 server",
     {{OP_GETATTR, 64}, {OP_ACCESS, 12}, {OP_LOOKUP, 9}, {OP_FSSTAT, 5}, {OP_READ, 4}, {OP_WRITE, 3}, {OP_READDIR, 1},
      {OP_SETATTR, 1}, {OP_READDIRPLUS, 1}}},
    {"fsstat", "FSSTAT only: what this client can generate",
     {{OP_FSSTAT, 100}}},
    {"null", "NULL only: the RPC layers and the network",
     {{OP_NULL, 100}}},
};
/* clang-format on */

static void fill(struct mix *mix, const char *name, const struct share *shares)
{
    *mix = (struct mix){0};
    snprintf(mix->name, sizeof mix->name, "%s", name);
    for (size_t i = 0; i < OP_COUNT && shares[i].percent > 0; i++) {
        mix->percent[shares[i].op] += shares[i].percent;
    }
}

bool mix_builtin_at(size_t index, struct mix *mix, const char **origin)
{
    if (index >= sizeof builtins / sizeof builtins[0]) {
        return false;
    }
    const struct builtin *builtin = &builtins[index];
    fill(mix, builtin->name, builtin->shares);
    snprintf(mix->source, sizeof mix->source, "built in: %s", builtin->origin);
    *origin = builtin->origin;
    return true;
}

bool mix_builtin(const char *name, struct mix *mix)
{
    const char *origin = NULL;
    for (size_t i = 0; mix_builtin_at(i, mix, &origin); i++) {
        if (strcmp(mix->name, name) == 0) {
            return true;
        }
    }
    int op = op_by_name(name, strlen(name));
    if (op < 0) {
        return false;
    }
    struct share shares[OP_COUNT] = {{(enum nfs_op)op, 100}};
    fill(mix, op_name((unsigned)op), shares);
    snprintf(mix->source, sizeof mix->source, "built in: %s only", op_name((unsigned)op));
    return true;
}

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
