#include "compare.h"

#include "ramp.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The share of a load by which two may differ and be the same. */
#define SAME_LOAD 0.001

/* Points of a mix by which two may differ and be the same: what printing and reading may do to it. */
#define SAME_MIX 0.01

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_SAME:
        return "no difference shown";
    case VERDICT_FASTER:
        return "faster";
    case VERDICT_SLOWER:
        return "slower";
    case VERDICT_MIXED:
        return "mixed";
    case VERDICT_NONE:
        break;
    }
    return "no verdict";
}

char compare_letter(size_t index)
{
    return (char)('A' + index);
}

/* ---- the ratio ---- */

struct sample {
    double mean;
    double variance; /* of the mean; 0 with less than two values */
};

/* Of the values' logarithms or, with `base`, of the logarithms of values[i] / base[i]. From the first one on, so that
 * equal ones have a variance of exactly 0. */
static struct sample sample_of(const double *values, const double *base, size_t n)
{
    double first = 0;
    double sum = 0;
    double squares = 0;
    for (int pass = 0; pass < 2; pass++) {
        double mean = sum / (double)n;
        for (size_t i = 0; i < n; i++) {
            double value = log(values[i]) - (base == NULL ? 0 : log(base[i]));
            first = i == 0 ? value : first;
            sum += pass == 0 ? value - first : 0;
            squares += pass == 0 ? 0 : (value - first - mean) * (value - first - mean);
        }
    }
    return (struct sample){first + sum / (double)n, n < 2 ? 0 : squares / (double)(n - 1) / (double)n};
}

static bool all_positive(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0) || !isfinite(values[i])) {
            return false;
        }
    }
    return n > 0;
}

struct ratio ratio_of(const double *base, size_t n_base, const double *other, size_t n_other, bool paired,
                      bool more_is_better)
{
    struct ratio ratio = {
        .known = all_positive(base, n_base) && all_positive(other, n_other), .n_base = n_base, .n_other = n_other};
    double difference = 0;
    double variance = 0;
    double degrees = (double)n_base - 1;
    if (!ratio.known) {
        return ratio;
    }
    if (paired) {
        struct sample pairs = sample_of(other, base, n_base);
        difference = pairs.mean;
        variance = pairs.variance;
    } else {
        struct sample a = sample_of(base, NULL, n_base);
        struct sample b = sample_of(other, NULL, n_other);
        difference = b.mean - a.mean;
        variance = a.variance + b.variance;
        degrees = variance * variance /
                  (a.variance * a.variance / ((double)n_base - 1) + b.variance * b.variance / ((double)n_other - 1));
    }
    ratio.value = exp(difference);
    ratio.has_interval = n_base >= 2 && n_other >= 2;
    if (!ratio.has_interval) {
        return ratio;
    }
    double half = variance > 0 ? gsl_cdf_tdist_Pinv(0.975, degrees) * sqrt(variance) : 0;
    ratio.low = exp(difference - half);
    ratio.high = exp(difference + half);
    ratio.verdict = VERDICT_SAME;
    if (difference - half > 0 || difference + half < 0) {
        ratio.verdict = (difference > 0) == more_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
    }
    return ratio;
}

/* ---- samples of points ---- */

/* One value for each run, with the number of the run. */
struct runs {
    double values[SAVED_MAX_POINTS];
    unsigned repeats[SAVED_MAX_POINTS];
    size_t n;
};

static void add_run(struct runs *runs, double value, unsigned repeat)
{
    runs->values[runs->n] = value;
    runs->repeats[runs->n++] = repeat;
}

static double mean_of(const struct runs *runs)
{
    double sum = 0;
    for (size_t i = 0; i < runs->n; i++) {
        sum += runs->values[i] / (double)runs->n;
    }
    return sum;
}

/* Leaves the runs that have one of the same number on the other side, in the same order. */
static void pair_runs(struct runs *base, struct runs *other)
{
    size_t pairs = 0;
    for (size_t i = 0; i < base->n; i++) {
        for (size_t j = pairs; j < other->n; j++) {
            if (base->repeats[i] == other->repeats[j]) {
                double value = other->values[j];
                other->values[j] = other->values[pairs];
                other->repeats[j] = other->repeats[pairs];
                other->values[pairs] = value;
                other->repeats[pairs] = base->repeats[i];
                base->values[pairs] = base->values[i];
                base->repeats[pairs] = base->repeats[i];
                pairs++;
                break;
            }
        }
    }
    base->n = other->n = pairs;
}

static struct ratio ratio_of_runs(struct runs *base, struct runs *other, bool paired, bool more_is_better)
{
    if (paired) {
        pair_runs(base, other);
    }
    return ratio_of(base->values, base->n, other->values, other->n, paired, more_is_better);
}

/* ---- plateaus and loads ---- */

static void plateau_runs(const struct saved *saved, struct runs *runs)
{
    runs->n = 0;
    for (size_t i = 0; i < saved->count && saved->has_plateau; i++) {
        const struct saved_point *point = &saved->points[i];
        if (point->phase == SAVED_CONFIRM && !point->interrupted) {
            add_run(runs, point->achieved, point->repeat);
        }
    }
}

static bool is_at_load(const struct saved_point *point)
{
    return point->phase != SAVED_CONFIRM && !point->interrupted && point->requested > 0;
}

/* Whether a point was asked for the same as `like`. Fixed loads keep to the concurrency asked for, which is compared
 * as such; a ramp tries the same load with several. */
static bool same_load(const struct saved_point *point, const struct saved_point *like)
{
    return is_at_load(point) && fabs(point->requested - like->requested) <= SAME_LOAD * like->requested &&
           ((point->phase == SAVED_FIXED && like->phase == SAVED_FIXED) || point->outstanding == like->outstanding);
}

/* The mean service times of the runs at a load. False when there are none, or the load was not reached. */
static bool load_runs(const struct saved *saved, const struct saved_point *like, struct runs *runs)
{
    double achieved = 0;
    double requested = 0;
    runs->n = 0;
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_point *point = &saved->points[i];
        if (same_load(point, like)) {
            achieved += point->achieved;
            requested += point->requested;
            if (point->service.mean > 0) {
                add_run(runs, point->service.mean, point->repeat);
            }
        }
    }
    return runs->n > 0 && achieved >= RAMP_REACHED * requested;
}

/* The point with the lowest load above that of `last`, or with the same load and more calls outstanding. NULL: none. */
static const struct saved_point *next_load(const struct saved *saved, const struct saved_point *last)
{
    const struct saved_point *next = NULL;
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_point *point = &saved->points[i];
        bool later = last == NULL || point->requested > last->requested ||
                     (point->requested >= last->requested && point->outstanding > last->outstanding);
        bool earlier = next == NULL || point->requested < next->requested ||
                       (point->requested <= next->requested && point->outstanding < next->outstanding);
        if (is_at_load(point) && later && earlier) {
            next = point;
        }
    }
    return next;
}

static bool already_compared(const struct saved_point *point, const struct saved_point *const *like, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (same_load(point, like[i])) {
            return true;
        }
    }
    return false;
}

/* The response times at each load; `like` gets a point of the base for each. */
static void compare_loads(const struct saved *base, const struct saved *other, bool paired, struct compared *compared,
                          const struct saved_point *like[COMPARE_MAX_LOADS])
{
    struct runs base_runs;
    struct runs other_runs;
    const struct saved_point *point = next_load(base, NULL);
    for (; point != NULL && compared->load_count < COMPARE_MAX_LOADS; point = next_load(base, point)) {
        if (already_compared(point, like, compared->load_count) || !load_runs(base, point, &base_runs) ||
            !load_runs(other, point, &other_runs)) {
            continue;
        }
        struct ratio ratio = ratio_of_runs(&base_runs, &other_runs, paired, false);
        if (ratio.known) {
            like[compared->load_count] = point;
            compared->loads[compared->load_count++] =
                (struct compared_load){point->requested, mean_of(&base_runs), mean_of(&other_runs), ratio};
        }
    }
}

/* ---- ops ---- */

/* Whether a point is one of those that are compared: of the plateau, or at one of the `n` loads. */
static bool is_compared(const struct saved_point *point, bool by_plateau, const struct saved_point *const *like,
                        size_t n)
{
    return by_plateau ? point->phase == SAVED_CONFIRM && !point->interrupted : already_compared(point, like, n);
}

static double op_ms(const struct saved *saved, unsigned op, bool by_plateau, const struct saved_point *const *like,
                    size_t n)
{
    double calls = 0;
    double total_ms = 0;
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_op *row = &saved->points[i].ops[op];
        if (row->mean_ms >= 0 && is_compared(&saved->points[i], by_plateau, like, n)) {
            calls += (double)row->calls;
            total_ms += (double)row->calls * row->mean_ms;
        }
    }
    return calls > 0 ? total_ms / calls : -1;
}

/* ---- verdicts ---- */

static enum verdict verdict_of_loads(const struct compared *compared)
{
    size_t count[VERDICT_MIXED + 1] = {0};
    for (size_t i = 0; i < compared->load_count; i++) {
        count[compared->loads[i].ratio.verdict]++;
    }
    if (count[VERDICT_FASTER] > 0) {
        return count[VERDICT_SLOWER] > 0 ? VERDICT_MIXED : VERDICT_FASTER;
    }
    if (count[VERDICT_SLOWER] > 0) {
        return VERDICT_SLOWER;
    }
    return count[VERDICT_SAME] > 0 && count[VERDICT_NONE] == 0 ? VERDICT_SAME : VERDICT_NONE;
}

static void compare_two(const struct saved *base, const struct saved *other, bool paired, struct compared *compared)
{
    struct runs base_runs;
    struct runs other_runs;
    const struct saved_point *like[COMPARE_MAX_LOADS] = {NULL};
    plateau_runs(base, &base_runs);
    plateau_runs(other, &other_runs);
    compared->plateau = ratio_of_runs(&base_runs, &other_runs, paired, true);
    compared->base_plateau = mean_of(&base_runs);
    compared->other_plateau = mean_of(&other_runs);
    compare_loads(base, other, paired, compared, like);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        bool by_plateau = compared->plateau.known;
        struct compared_op row = {op, op_ms(base, op, by_plateau, like, compared->load_count),
                                  op_ms(other, op, by_plateau, like, compared->load_count)};
        if (row.base_ms >= 0 || row.other_ms >= 0) {
            compared->ops[compared->op_count++] = row;
        }
    }
    compared->verdict = compared->plateau.known ? compared->plateau.verdict : verdict_of_loads(compared);
}

bool compare_any_slower(const struct comparison *comparison, double share)
{
    for (size_t i = 1; i < comparison->count; i++) {
        const struct compared *compared = &comparison->against[i];
        const struct ratio *plateau = &compared->plateau;
        if (plateau->known && plateau->has_interval && plateau->high < 1 - share) {
            return true;
        }
        for (size_t j = 0; j < compared->load_count && !plateau->known; j++) {
            const struct ratio *times = &compared->loads[j].ratio;
            if (times->has_interval && times->low > 1 + share) {
                return true;
            }
        }
    }
    return false;
}

/* ---- what makes it unfair ---- */

enum { VALUE_BYTES = 100 };

static void warn(struct comparison *comparison, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(struct comparison *comparison, const char *format, ...)
{
    if (comparison->warning_count == COMPARE_MAX_WARNINGS) {
        snprintf(comparison->warnings[COMPARE_MAX_WARNINGS - 1], COMPARE_WARNING_BYTES, "there are more than %d others",
                 COMPARE_MAX_WARNINGS - 1);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(comparison->warnings[comparison->warning_count++], COMPARE_WARNING_BYTES, format, arguments);
    va_end(arguments);
}

static void warn_of_difference(struct comparison *comparison, size_t index, const char *what, const char *value,
                               const char *base_value)
{
    char a[VALUE_BYTES];
    char b[VALUE_BYTES];
    saved_text(a, sizeof a, base_value);
    saved_text(b, sizeof b, value);
    warn(comparison, "%c and A differ in %s: '%s' and '%s'", compare_letter(index), what, b, a);
}

static void warn_of_result(struct comparison *comparison, size_t index)
{
    const struct saved *saved = comparison->results[index];
    char why[VALUE_BYTES + VALUE_BYTES];
    saved_text(why, sizeof why, saved->error[0] != '\0' ? saved->error : saved->warnings);
    if (saved->interrupted) {
        warn(comparison, "%c was interrupted", compare_letter(index));
    } else if (!saved->valid) {
        warn(comparison, "%c is not a valid result%s%s", compare_letter(index), why[0] != '\0' ? ": " : "", why);
    }
    if (saved->client_ceiling) {
        warn(comparison, "%c's plateau is its client's own ceiling, not a server's", compare_letter(index));
    }
}

static void warn_of_mix(struct comparison *comparison, size_t index)
{
    const struct saved *base = comparison->results[0];
    const struct saved *other = comparison->results[index];
    double worst = SAME_MIX;
    unsigned worst_op = OP_COUNT;
    char a[VALUE_BYTES];
    char b[VALUE_BYTES];
    for (unsigned op = 0; op < OP_COUNT; op++) {
        double difference = fabs(base->mix_percent[op] - other->mix_percent[op]);
        if (difference > worst) {
            worst = difference;
            worst_op = op;
        }
    }
    if (worst_op == OP_COUNT) {
        return;
    }
    saved_text(a, sizeof a, base->mix_name);
    saved_text(b, sizeof b, other->mix_name);
    warn(comparison, "%c and A differ in the mix: '%s' and '%s' (%s %.2f %% and %.2f %%)", compare_letter(index), b, a,
         op_name(worst_op), other->mix_percent[worst_op], base->mix_percent[worst_op]);
}

static void warn_of_facts(struct comparison *comparison, size_t index)
{
    const struct saved *base = comparison->results[0];
    const struct saved *other = comparison->results[index];
    if (strcmp(base->version, other->version) != 0) {
        warn_of_difference(comparison, index, "version of nhfsstone", other->version, base->version);
    }
    for (size_t i = 0; i < base->fact_count; i++) {
        const struct saved_fact *fact = &base->facts[i];
        const struct saved_fact *same = saved_fact(other, fact->name);
        if (fact->must_match && (same == NULL || strcmp(same->value, fact->value) != 0)) {
            warn_of_difference(comparison, index, fact->name, same == NULL ? "not said" : same->value, fact->value);
        }
    }
    for (size_t i = 0; i < other->fact_count; i++) {
        const struct saved_fact *fact = &other->facts[i];
        if (fact->must_match && saved_fact(base, fact->name) == NULL) {
            warn_of_difference(comparison, index, fact->name, fact->value, "not said");
        }
    }
}

void compare(struct comparison *comparison, const struct saved *const *results, size_t count, bool paired)
{
    memset(comparison, 0, sizeof *comparison);
    comparison->results = results;
    comparison->count = count < COMPARE_MAX_RESULTS ? count : COMPARE_MAX_RESULTS;
    comparison->paired = paired;
    for (size_t i = 0; i < comparison->count; i++) {
        warn_of_result(comparison, i);
    }
    for (size_t i = 1; i < comparison->count; i++) {
        warn_of_mix(comparison, i);
        warn_of_facts(comparison, i);
        compare_two(results[0], results[i], paired, &comparison->against[i]);
    }
}
