/*
 * compare.h - saved results side by side: first what makes the comparison unfair, then which is faster and how surely.
 * Pure.
 *
 * The ratio of two samples of runs is that of their geometric means, other / base. Its 95 % interval comes from Welch's
 * t interval of the difference of the logarithms (B. L. Welch, Biometrika 34, 1947; degrees of freedom by Welch and
 * Satterthwaite), or, of runs made in pairs, from the t interval of the pairs' differences. A verdict needs at least
 * two runs (or pairs) on each side, and an interval that leaves out 1.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "saved.h"

enum { COMPARE_MAX_RESULTS = 16, COMPARE_MAX_WARNINGS = 64, COMPARE_MAX_LOADS = 100, COMPARE_WARNING_BYTES = 300 };

enum verdict {
    VERDICT_NONE, /* too few runs to say */
    VERDICT_SAME, /* no difference shown */
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_MIXED, /* faster at some loads, slower at others */
};

/* "no verdict", "no difference shown", "faster", "slower", "mixed" */
const char *verdict_name(enum verdict verdict);

struct ratio {
    bool known;             /* both sides have a value */
    size_t n_base, n_other; /* runs; of pairs, both are their number */
    double value;           /* other / base */
    bool has_interval;      /* at least two runs on both sides */
    double low, high;       /* 95 % */
    enum verdict verdict;
};

/*
 * The ratio of `other` to `base`; not known when a side has no value or one that is not positive. With `paired`,
 * base[i] and other[i] were measured together and n_base must be n_other. `more_is_better`: rates; else times. Samples
 * without any variance: the interval is the ratio itself, and there is a difference exactly if it is not 1.
 */
struct ratio ratio_of(const double *base, size_t n_base, const double *other, size_t n_other, bool paired,
                      bool more_is_better);

/* Mean response times (service: send to reply) at one load that both were asked for and both reached. */
struct compared_load {
    double requested;         /* calls/s */
    double base_ms, other_ms; /* mean over the runs */
    struct ratio ratio;
};

struct compared_op {
    unsigned op;
    double base_ms, other_ms; /* over the runs that are compared, weighted by calls; negative: none */
};

/* One result against the base. */
struct compared {
    struct ratio plateau; /* of the confirming runs' rates; not known: one of them has none */
    double base_plateau, other_plateau;
    struct compared_load loads[COMPARE_MAX_LOADS]; /* from the lowest on */
    size_t load_count;
    struct compared_op ops[OP_COUNT]; /* of the confirming runs with two plateaus, else of the runs at `loads` */
    size_t op_count;
    enum verdict verdict; /* by the plateau if both have one, else by the loads */
};

struct comparison {
    const struct saved *const *results; /* the first is the base */
    size_t count;
    bool paired;
    char warnings[COMPARE_MAX_WARNINGS][COMPARE_WARNING_BYTES]; /* why it may be unfair, a line each */
    size_t warning_count;
    struct compared against[COMPARE_MAX_RESULTS]; /* [0] is not used */
};

/* What a result is called in warnings and reports: 'A' for the base, 'B', ... */
char compare_letter(size_t index);

/*
 * Compares results[1..count-1] with results[0]; `count` is from 2 to COMPARE_MAX_RESULTS. What makes it unfair comes
 * first: of every fact of a saved result that must match (client: host, kernel, CPUs; children, concurrency asked for,
 * seed, NFS version, transport, security, time-outs; file set, size of transfers, kind of writes; length of a point and
 * warm-up) one that does not; another mix; another version of this program; and results that are not valid, were
 * interrupted, or are of a client's ceiling.
 *
 * Points that were interrupted do not count. Paired runs are those with the same number of their repeat. What was the
 * same load is decided by the load asked for (within 0.1 %), and for points of a ramp by the number of calls
 * outstanding too; it was reached when 95 % of it was achieved, over its runs.
 */
void compare(struct comparison *comparison, const struct saved *const *results, size_t count, bool paired);

/*
 * Whether any other result is slower than the base by more than `share` (0.05: 5 %), its whole interval considered: the
 * plateau's whole interval is below 1 - share, or without two plateaus, that of a response time is above 1 + share.
 * Without an interval nothing is shown, and it is false: the verdicts say so.
 */
bool compare_any_slower(const struct comparison *comparison, double share);

#endif
