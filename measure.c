#include "measure.h"

#include "drift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plateau's runs last, where the user did not say, until so many calls bound the chance error to about 2 %. */
enum { CONFIRM_CALLS = 2500, CONFIRM_MOST_SECONDS = 60 };

/* Below that, a call or two of an op are a point of the mix. */
enum { FEW_CALLS = 500 };

struct measuring {
    struct run *run;
    struct result *result;
    const struct measure_hooks *hooks;
    struct problem *problem;
};

const char *point_role_name(enum point_role role)
{
    static const char *const names[] = {[ROLE_FIXED] = "fixed", [ROLE_RAMP] = "ramp", [ROLE_CONFIRM] = "confirm"};
    return names[role];
}

bool is_ceiling_check(const struct options *options)
{
    const struct loopback_config *server = &options->server;
    double faults = server->drop + server->jukebox + server->stale + server->garbage;
    return options->loopback && server->law == SERVICE_NONE && server->delay_ns == 0 && server->disconnect_every == 0 &&
           faults <= 0;
}

/* NULL: the run cannot go on, or is interrupted before this point had anything to show. */
static const struct measured_point *measure_point(struct measuring *measuring, const struct run_load *load,
                                                  enum point_role role, unsigned repeat)
{
    struct result *result = measuring->result;
    struct point *point = calloc(1, sizeof *point);
    if (point == NULL || result->count == MEASURE_MAX_POINTS) {
        free(point);
        problem_set(measuring->problem, point == NULL ? "out of memory" : "too many points");
        return NULL;
    }
    measuring->hooks->starting(measuring->hooks->context, result, load->calls_per_sec, load->outstanding);
    bool good = run_point(measuring->run, load, point, measuring->problem);
    result->interrupted = run_interrupted(measuring->run);
    if (!good || (point->interrupted && point->seconds <= 0)) {
        free(point);
        return NULL;
    }
    bool missed = point_achieved(point) < RAMP_REACHED * point->asked;
    bool one_fixed = role == ROLE_FIXED && result->options->load_count == 1;
    point->warnings = point_warnings(point, &result->mix, one_fixed);
    if (missed && is_ceiling_check(result->options)) {
        point->warnings |= 1U << WARNING_CLIENT_LIMITED; /* by definition: server and client are this machine */
    }
    if (point->interrupted) {
        /* What was left out proves nothing. */
        point->warnings &= ~(1U << WARNING_LOAD_NOT_REACHED | 1U << WARNING_INVALID_MIX | 1U << WARNING_CLIENT_LIMITED);
    }
    struct measured_point *measured = &result->points[result->count++];
    *measured = (struct measured_point){point, role, repeat};
    if (!measuring->hooks->completed(measuring->hooks->context, result, measured)) {
        problem_set(measuring->problem, "cannot write the results to standard output");
        return NULL;
    }
    return measured;
}

static struct run_load load_of(const struct options *options, double asked, unsigned outstanding)
{
    return (struct run_load){
        .calls_per_sec = asked,
        .warmup_ns = options->warmup_ns,
        .time_ns = options->time_ns,
        .max_calls = options->calls,
        .outstanding = outstanding,
    };
}

/* ---- what the points together say ---- */

/* The values of the points of a role, those cut short left out; how many. */
static size_t values_of(const struct result *result, enum point_role role, double (*value)(const struct point *),
                        double values[MEASURE_MAX_POINTS])
{
    size_t n = 0;
    for (size_t i = 0; i < result->count; i++) {
        if (result->points[i].role == role && !result->points[i].point->interrupted) {
            values[n++] = value(result->points[i].point);
        }
    }
    return n;
}

static struct estimate estimate_points(const struct result *result, enum point_role role,
                                       double (*value)(const struct point *))
{
    double values[MEASURE_MAX_POINTS];
    return estimate_of(values, values_of(result, role, value, values));
}

/* Says what repeated runs show of a trend, or of a run that stands apart. */
static void note_drift(struct result *result, enum point_role role, double (*value)(const struct point *),
                       const char *what, const char *unit)
{
    double values[MEASURE_MAX_POINTS];
    size_t n = values_of(result, role, value, values);
    struct drift drift = drift_of(values, n);
    size_t size = sizeof result->notes[0];
    if (drift.drifts && result->note_count < RESULT_MAX_NOTES) {
        snprintf(
            result->notes[result->note_count++], size,
            "drift: %s went from %.4g to %.4g %s between the first and the second half of %zu runs (%+.1f %%): not "
            "the same conditions",
            what, drift.first, drift.second, unit, n, drift.first > 0 ? 100 * (drift.second / drift.first - 1) : 0);
    }
    if (drift.has_outlier && result->note_count < RESULT_MAX_NOTES) {
        snprintf(result->notes[result->note_count++], size,
                 "outlier: run %zu of %zu stands apart, with %s of %.4g %s (the median is %.4g)", drift.outlier + 1, n,
                 what, values[drift.outlier], unit, drift.median);
    }
}

static double service_ms(const struct point *point)
{
    return histogram_mean_ns(&point->counters.service) / 1e6;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct point *result_sum(const struct result *result)
{
    struct point *sum = calloc(1, sizeof *sum);
    enum point_role role = result->options->load_auto ? ROLE_CONFIRM : ROLE_FIXED;
    size_t n = 0;
    for (size_t i = 0; sum != NULL && i < result->count; i++) {
        const struct point *point = result->points[i].point;
        if (result->points[i].role == role) {
            /* Each point counts its own distinct files anew: they do not add up. */
            uint64_t files = larger(sum->counters.files_touched, point->counters.files_touched);
            uint64_t bytes = larger(sum->counters.bytes_touched, point->counters.bytes_touched);
            counters_merge(&sum->counters, &point->counters);
            sum->counters.files_touched = files;
            sum->counters.bytes_touched = bytes;
            sum->asked += point->asked * point->seconds;
            sum->seconds += point->seconds;
            sum->cpu += point->cpu;
            sum->cpu_possible += point->cpu_possible;
            sum->warnings |= point->warnings;
            sum->procs = point->procs;
            sum->outstanding = point->outstanding;
            n++;
        }
    }
    if (n == 0) {
        free(sum);
        return NULL;
    }
    if (sum->seconds > 0) {
        sum->asked /= sum->seconds;
    }
    sum->cpu /= (double)n;
    sum->cpu_possible /= (double)n;
    return sum;
}

static bool is_on_curve(const struct measured_point *measured)
{
    const struct point *point = measured->point;
    if (point->interrupted || counters_ok(&point->counters) == 0) {
        return false;
    }
    if (measured->role != ROLE_RAMP) {
        return true;
    }
    /* A ramp's point that missed its load says how the search went, at a concurrency on trial. */
    return point_achieved(point) >= RAMP_REACHED * point->asked;
}

size_t result_curve(const struct result *result, struct curve_point *points)
{
    size_t n = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct point *point = result->points[i].point;
        if (is_on_curve(&result->points[i])) {
            points[n++] = (struct curve_point){point->asked, point_achieved(point), service_ms(point)};
        }
    }
    return curve_merge(points, n);
}

static char *warn(struct result *result, enum warning kind)
{
    struct warning_text *warning = &result->warnings[result->warning_count++];
    warning->kind = kind;
    return warning->text;
}

/* "create 2.0 % wanted, 0.0 % got; ..." of the three worst ops. */
static void worst_ops(const struct mix *mix, const struct point *sum, char *text, size_t size)
{
    bool told[OP_COUNT] = {false};
    double total = (double)counters_ok(&sum->counters);
    text[0] = '\0';
    size_t used = 0;
    for (int round = 0; round < 3; round++) {
        int worst = -1;
        double worst_error = 0.05;
        for (int op = 0; op < OP_COUNT; op++) {
            double got = total > 0 ? 100 * (double)sum->counters.ok[op] / total : 0;
            if (!told[op] && fabs(got - mix->percent[op]) > worst_error) {
                worst = op;
                worst_error = fabs(got - mix->percent[op]);
            }
        }
        if (worst < 0 || used >= size) {
            return;
        }
        told[worst] = true;
        double got = total > 0 ? 100 * (double)sum->counters.ok[worst] / total : 0;
        int put = snprintf(text + used, size - used, "%s%s %.1f %% wanted, %.1f %% got", round > 0 ? "; " : "",
                           op_name((unsigned)worst), mix->percent[worst], got);
        used += put > 0 ? (size_t)put : 0;
    }
}

/* One kind of failure: of an op, with a status or (from STATUS_SLOTS on) an outcome. */
static uint64_t failures_of(const struct counters *counters, size_t kind)
{
    enum { KINDS = STATUS_SLOTS + OUTCOME_COUNT };
    size_t op = kind / KINDS;
    size_t which = kind % KINDS;
    if (which < STATUS_SLOTS) {
        return which == 0 ? 0 : counters->status[op][which];
    }
    return which - STATUS_SLOTS < OUTCOME_REJECTED ? 0 : counters->failed[op][which - STATUS_SLOTS];
}

/* "create NFS3ERR_NOSPC 120, read timeout 3, ...": the most frequent failures. */
static void worst_failures(const struct counters *counters, char *text, size_t size)
{
    enum { KINDS = STATUS_SLOTS + OUTCOME_COUNT, TOLD = 4 };
    static const char *const outcomes[OUTCOME_COUNT] = {"", "", "rejected", "garbage", "timeout"};
    bool told[OP_COUNT * KINDS] = {false};
    size_t used = 0;
    text[0] = '\0';
    for (int round = 0; round < TOLD && used < size; round++) {
        size_t worst = 0;
        for (size_t kind = 0; kind < sizeof told; kind++) {
            if (!told[kind] && (told[worst] || failures_of(counters, kind) > failures_of(counters, worst))) {
                worst = kind;
            }
        }
        uint64_t count = failures_of(counters, worst);
        if (told[worst] || count == 0) {
            return;
        }
        told[worst] = true;
        size_t which = worst % KINDS;
        int put = snprintf(
            text + used, size - used, "%s%s %s %llu", round > 0 ? ", " : "", op_name((unsigned)(worst / KINDS)),
            which < STATUS_SLOTS ? nfs_status_at(which) : outcomes[which - STATUS_SLOTS], (unsigned long long)count);
        used += put > 0 ? (size_t)put : 0;
    }
}

/* How bad a point is in the sense of a warning: larger is worse. */
static double badness(const struct result *result, const struct point *point, unsigned kind)
{
    double failed = (double)counters_failed(&point->counters);
    double ended = failed + (double)counters_ok(&point->counters);
    switch (kind) {
    case WARNING_INVALID_MIX:
        return mix_error_points(&result->mix, point->counters.ok);
    case WARNING_LOAD_NOT_REACHED:
        return point->asked > 0 ? 1 - point_achieved(point) / point->asked : 0;
    case WARNING_CLIENT_LIMITED:
        return point->cpu_possible > 0 ? point->cpu / point->cpu_possible : 0;
    case WARNING_ERRORS:
        return ended > 0 ? failed / ended : 0;
    default:
        return point_stall_share(point) + (double)point->counters.max_stall_ns / 1e15;
    }
}

static void describe(const struct result *result, const struct point *point, unsigned kind, char *text, size_t size)
{
    char detail[200];
    double share = badness(result, point, kind);
    switch (kind) {
    case WARNING_INVALID_MIX:
        worst_ops(&result->mix, point, detail, sizeof detail);
        snprintf(text, size, "the achieved mix is %.1f points from the wanted one (%.0f are allowed): %s%s", share,
                 MIX_TOLERANCE_POINTS, detail,
                 counters_ok(&point->counters) < FEW_CALLS ? "; of so few calls: measure longer" : "");
        break;
    case WARNING_LOAD_NOT_REACHED:
        snprintf(
            text, size,
            "%.1f of the %.1f calls/s asked for were achieved (%.1f %%), with up to %u calls outstanding (--procs, "
            "--outstanding)",
            point_achieved(point), point->asked, 100 * (1 - share), point->procs * point->outstanding);
        break;
    case WARNING_CLIENT_LIMITED:
        snprintf(
            text, size,
            "this machine, not the server, set the number: the children used %.2f of the %.2f CPUs that they could "
            "have%s",
            point->cpu, point->cpu_possible, result->options->loopback ? ", beside the built-in server" : "");
        break;
    case WARNING_ERRORS:
        worst_failures(&point->counters, detail, sizeof detail);
        snprintf(text, size, "%.2f %% of the calls failed (1 %% is allowed): %s", 100 * share, detail);
        break;
    default:
        snprintf(text, size,
                 "the generator itself fell behind its schedule: %.0f ms at once, %.1f %% of its time in all",
                 (double)point->counters.max_stall_ns / 1e6, 100 * point_stall_share(point));
        break;
    }
}

/*
 * Each kind of warning once, with the figures of the point that is worst in its sense. `role` is that of the points
 * which make the result.
 */
static void warn_about(struct result *result, enum point_role role)
{
    for (unsigned kind = 0; kind < WARNING_FATAL_KINDS; kind++) {
        const struct point *worst = NULL;
        size_t points = 0;
        for (size_t i = 0; i < result->count; i++) {
            const struct point *point = result->points[i].point;
            if (result->points[i].role != role) {
                continue;
            }
            points++;
            if ((point->warnings >> kind & 1) != 0 &&
                (worst == NULL || badness(result, point, kind) > badness(result, worst, kind))) {
                worst = point;
            }
        }
        if (worst == NULL || (kind == WARNING_CLIENT_LIMITED && result->plateau.client_ceiling)) {
            continue;
        }
        char *text = warn(result, (enum warning)kind);
        size_t size = sizeof result->warnings[0].text;
        describe(result, worst, kind, text, size);
        if (points > 1) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, " (the worst of %zu points, at %g calls/s)", points, worst->asked);
        }
    }
}

/*
 * A plateau that was met says nothing of the client; but if the demands beyond it were missed because the client had no
 * CPU left, then it is the client's.
 */
static bool limited_beyond(const struct result *result)
{
    const struct ramp_decision *decision = &result->plateau.decision;
    size_t missed = 0;
    size_t limited = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct point *point = result->points[i].point;
        if (result->points[i].role == ROLE_RAMP && point->outstanding == decision->outstanding &&
            point->asked > decision->asked && point_achieved(point) < RAMP_REACHED * point->asked) {
            missed++;
            limited += point_client_limited(point);
        }
    }
    return missed > 0 && 2 * limited >= missed;
}

static void conclude(struct result *result)
{
    struct plateau *plateau = &result->plateau;
    plateau->client_ceiling = result->options->load_auto && is_ceiling_check(result->options);
    if (plateau->found) {
        plateau->rate = estimate_points(result, ROLE_CONFIRM, point_achieved);
        plateau->service_ms = estimate_points(result, ROLE_CONFIRM, service_ms);
        plateau->found = plateau->rate.n > 0 && plateau->rate.mean > 0;
        /* One slow point on a busy machine is no collapse: it must stand out from the confirming runs' own spread. */
        double surely = plateau->rate.mean - plateau->rate.half_ci95;
        bool limited = limited_beyond(result);
        plateau->collapses = plateau->decision.collapses && plateau->decision.beyond < 0.9 * surely && !limited;
        for (size_t i = 0; limited && i < result->count; i++) {
            if (result->points[i].role == ROLE_CONFIRM) {
                result->points[i].point->warnings |= 1U << WARNING_CLIENT_LIMITED;
            }
        }
    }
    bool one_load = !result->options->load_auto && result->options->load_count == 1;
    if (one_load) {
        result->rate = estimate_points(result, ROLE_FIXED, point_achieved);
        result->service_ms = estimate_points(result, ROLE_FIXED, service_ms);
    }
    if (result->options->load_auto || one_load) {
        enum point_role role = result->options->load_auto ? ROLE_CONFIRM : ROLE_FIXED;
        note_drift(result, role, point_achieved, "a rate", "calls/sec");
        note_drift(result, role, service_ms, "a response time", "msec/call");
    }
    warn_about(result, result->options->load_auto ? ROLE_CONFIRM : ROLE_FIXED);
    if (plateau->found && plateau->decision.concurrency_limited) {
        snprintf(warn(result, WARNING_CONCURRENCY_LIMITED), sizeof result->warnings[0].text,
                 "with twice the calls outstanding (%u instead of %u a child) it gave %.1f calls/s: raise --procs or "
                 "--outstanding",
                 2 * plateau->decision.outstanding, plateau->decision.outstanding, plateau->decision.with_twice);
    }
}

bool result_is_valid(const struct result *result)
{
    for (size_t i = 0; i < result->warning_count; i++) {
        if (result->warnings[i].kind < WARNING_FATAL_KINDS) {
            return false;
        }
    }
    return true;
}

/* ---- the loads ---- */

static bool measure_fixed(struct measuring *measuring)
{
    const struct options *options = measuring->result->options;
    for (size_t i = 0; i < options->load_count; i++) {
        for (unsigned repeat = 1; repeat <= options->repeat; repeat++) {
            struct run_load load = load_of(options, options->loads[i], (unsigned)options->outstanding);
            if (measure_point(measuring, &load, ROLE_FIXED, repeat) == NULL) {
                return measuring->result->interrupted != 0;
            }
            if (measuring->result->interrupted != 0) {
                return true;
            }
        }
    }
    return true;
}

static bool confirm(struct measuring *measuring, const struct ramp_decision *decision)
{
    const struct options *options = measuring->result->options;
    struct run_load load = load_of(options, decision->asked, decision->outstanding);
    if (!options->time_given && options->calls == 0) {
        double seconds = fmin(CONFIRM_CALLS / decision->best, CONFIRM_MOST_SECONDS);
        load.time_ns = seconds * 1e9 > (double)load.time_ns ? (int64_t)(seconds * 1e9) : load.time_ns;
    }
    for (unsigned repeat = 1; repeat <= options->repeat; repeat++) {
        if (measure_point(measuring, &load, ROLE_CONFIRM, repeat) == NULL) {
            return measuring->result->interrupted != 0;
        }
        if (measuring->result->interrupted != 0) {
            return true;
        }
    }
    return true;
}

static bool measure_ramp(struct measuring *measuring)
{
    struct result *result = measuring->result;
    const struct options *options = result->options;
    const struct ramp_config config = {
        .outstanding = (unsigned)options->outstanding,
        .max_outstanding = XPRT_MAX_WINDOW,
        .fixed_concurrency = options->procs_given || options->outstanding_given,
    };
    struct ramp_point points[RAMP_MAX_POINTS];
    size_t count = 0;
    bool achieved_any = false;
    for (;;) {
        struct ramp_decision decision = ramp_decide(&config, points, count);
        if (decision.verdict == RAMP_NOTHING) {
            return problem_set(measuring->problem, "no load at all was achieved");
        }
        if (decision.verdict == RAMP_PLATEAU) {
            result->plateau.found = true;
            result->plateau.decision = decision;
            return confirm(measuring, &decision);
        }
        struct run_load load = load_of(options, decision.asked, decision.outstanding);
        const struct measured_point *measured = measure_point(measuring, &load, ROLE_RAMP, 1);
        if (measured == NULL || result->interrupted != 0) {
            return result->interrupted != 0;
        }
        const struct point *point = measured->point;
        achieved_any = achieved_any || counters_ok(&point->counters) > 0;
        if (!achieved_any && counters_failed(&point->counters) > 0) {
            char why[200];
            worst_failures(&point->counters, why, sizeof why);
            return problem_set(measuring->problem, "every call failed: %s", why);
        }
        points[count++] = (struct ramp_point){decision.asked, point_achieved(point), decision.outstanding};
    }
}

bool measure(struct run *run, struct result *result, const struct measure_hooks *hooks, struct problem *problem)
{
    struct measuring measuring = {run, result, hooks, problem};
    result->facts = run_facts(run);
    bool good = result->options->load_auto ? measure_ramp(&measuring) : measure_fixed(&measuring);
    conclude(result);
    return good;
}

void result_free(struct result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        free(result->points[i].point);
    }
    free(result);
}
