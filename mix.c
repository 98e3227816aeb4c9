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
        plan[chosen] += step;
        carry[chosen] -= step;
        left -= step;
    }
}

void mix_picker_start(struct mix_picker *picker, const struct mix *mix, uint64_t calls, uint64_t proc, uint64_t procs,
                      struct rng *rng)
{
    double carry[OP_COUNT] = {0};
    *picker = (struct mix_picker){.rng = rng};
    for (uint64_t i = 0; i <= proc; i++) {
        picker->calls = (double)schedule_share(calls, procs, i);
        deal(carry, mix, schedule_share(calls, procs, i), picker->planned);
    }
    for (unsigned op = 0; op < OP_COUNT; op++) {
        picker->weight[op] = picker->calls > 0 ? picker->planned[op] / picker->calls : mix->percent[op] / 100;
        /* Children start at different points of each op's cycle, or all would send the same op at the same time. */
        picker->credit[op] = picker->weight[op] > 0 ? rng_unit(rng) : 0;
    }
}

static int furthest_behind(const struct mix_picker *picker, uint32_t ready, bool planned, uint64_t random)
{
    int best = -1;
    double best_score = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        if (picker->weight[op] <= 0 || (ready >> op & 1) == 0 || (planned && picker->planned[op] < 1)) {
            continue;
        }
        /* Up to a quarter of a call of random preference: enough to break patterns, too little to wander. */
        double score = picker->credit[op] + 0.25 * (double)(random >> (op * 2) & 0xffff) / 0x10000;
        if (best < 0 || score > best_score) {
            best = op;
            best_score = score;
        }
    }
    return best;
}

int mix_pick(struct mix_picker *picker, uint32_t ready)
{
    uint64_t random = rng_next(picker->rng);
    int op = furthest_behind(picker, ready, true, random);
    if (op < 0) {
        op = furthest_behind(picker, ready, false, random);
    }
    if (op < 0) {
        return -1;
    }
    for (int i = 0; i < OP_COUNT; i++) {
        picker->credit[i] += picker->weight[i];
    }
    picker->credit[op] -= 1;
    picker->planned[op] -= 1;
    return op;
}
