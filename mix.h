/*
 * mix.h - which share of the calls each op has: built-in mixes, the choice of the next op, and how far the achieved mix
 * is from the wanted one. Pure. Mix files: mix_file.h.
 */
#ifndef MIX_H
#define MIX_H

#include "nfs_op.h"
#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mix {
    char name[64];
    char source[320];         /* what it was taken from, in words: a built-in mix, a file and its section */
    double percent[OP_COUNT]; /* sums to 100 */
};

/* The sum over ops of |got% - want%| above which a result is called INVALID MIX (the rule of the classic nhfsstone). */
#define MIX_TOLERANCE_POINTS 10.0

/* The built-in mix of this name, or 100 % of the op of this name. False: there is neither. */
bool mix_builtin(const char *name, struct mix *mix);

/* Built-in mix number `index` from 0 and one line on its origin; false past the last. */
bool mix_builtin_at(size_t index, struct mix *mix, const char **origin);

/* Sum over ops of |got% - want%| in points, from counts of calls; 200 when there were no calls. */
double mix_error_points(const struct mix *mix, const uint64_t counts[OP_COUNT]);

/*
 * Chooses ops so that the achieved shares follow the wanted ones closely, where independent draws would wander by the
 * square root of the number of calls. Each op is due at regular intervals of 1 / share calls, from a random phase and
 * with a random part that breaks patterns; the op that is due first is next. (Stride scheduling: Waldspurger and Weihl,
 * MIT/LCS/TM-528, 1995.) So the shares are right within a few calls at any time, not only at the end.
 */
struct mix_picker {
    double interval[OP_COUNT]; /* between two calls of the op, in calls of the child; 0: none planned */
    double due[OP_COUNT];      /* of the op's next call, without its random part */
    double tag[OP_COUNT];      /* with it */
    double planned[OP_COUNT];  /* calls of the plan not yet made */
    struct rng *rng;
};

/*
 * The picks of child `proc` of `procs` for a stretch of `calls` calls of all children together. Each child gets whole
 * numbers of each op, dealt out so that the children's plans add up to the mix within about a call per op even when
 * many children make few calls each; a child's own plan is kept exactly over its share of the calls.
 */
void mix_picker_start(struct mix_picker *picker, const struct mix *mix, uint64_t calls, uint64_t proc, uint64_t procs,
                      struct rng *rng);

/* The next op among those with bit `1 << op` in `ready`; -1 when none of the mix's ops is ready. It counts as made. */
int mix_pick(struct mix_picker *picker, uint32_t ready);

#endif
