#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void histogram_reset(struct histogram *histogram)
{
    if (histogram->count > 0) {
        memset(histogram, 0, sizeof *histogram);
    }
}

void counters_reset(struct counters *counters)
{
    memset(counters, 0, offsetof(struct counters, service));
    histogram_reset(&counters->service);
    histogram_reset(&counters->response);
    histogram_reset(&counters->late);
    for (size_t op = 0; op < OP_COUNT; op++) {
        histogram_reset(&counters->op_service[op]);
    }
}

void counters_merge(struct counters *into, const struct counters *from)
{
    for (size_t op = 0; op < OP_COUNT; op++) {
        into->ok[op] += from->ok[op];
        into->after_end[op] += from->after_end[op];
        for (size_t i = 0; i < OUTCOME_COUNT; i++) {
            into->failed[op][i] += from->failed[op][i];
        }
        for (size_t i = 0; i < STATUS_SLOTS; i++) {
            into->status[op][i] += from->status[op][i];
        }
        histogram_merge(&into->op_service[op], &from->op_service[op]);
    }
    into->sent += from->sent;
    into->unsent += from->unsent;
    into->retransmits += from->retransmits;
    into->jukebox += from->jukebox;
    into->reconnects += from->reconnects;
    into->stray += from->stray;
    into->files_touched += from->files_touched;
    into->bytes_touched += from->bytes_touched;
    into->cpu_ns += from->cpu_ns;
    into->stall_ns += from->stall_ns;
    into->max_stall_ns = larger(into->max_stall_ns, from->max_stall_ns);
    into->end_ns = larger(into->end_ns, from->end_ns);
    histogram_merge(&into->service, &from->service);
    histogram_merge(&into->response, &from->response);
    histogram_merge(&into->late, &from->late);
}

uint64_t counters_ok(const struct counters *counters)
{
    uint64_t sum = 0;
    for (size_t op = 0; op < OP_COUNT; op++) {
        sum += counters->ok[op];
    }
    return sum;
}

uint64_t counters_failed(const struct counters *counters)
{
    uint64_t sum = 0;
    for (size_t op = 0; op < OP_COUNT; op++) {
        for (size_t i = 0; i < OUTCOME_COUNT; i++) {
            sum += counters->failed[op][i];
        }
    }
    return sum;
}

struct estimate estimate_of(const double *values, size_t n)
{
    struct estimate estimate = {.n = n};
    /* From the first value on, so that equal values have a deviation of exactly 0. */
    double differences = 0;
    for (size_t i = 0; i < n; i++) {
        differences += values[i] - values[0];
    }
    estimate.mean = n > 0 ? values[0] + differences / (double)n : 0;
    if (n < 2) {
        return estimate;
    }
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - estimate.mean) * (values[i] - estimate.mean);
    }
    estimate.stdev = sqrt(squares / (double)(n - 1));
    estimate.half_ci95 = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * estimate.stdev / sqrt((double)n);
    estimate.has_interval = true;
    return estimate;
}

const char *warning_name(unsigned warning)
{
    static const char *const names[WARNING_COUNT] = {
        [WARNING_INVALID_MIX] = "INVALID MIX",
        [WARNING_LOAD_NOT_REACHED] = "LOAD NOT REACHED",
        [WARNING_CLIENT_LIMITED] = "CLIENT LIMITED",
        [WARNING_ERRORS] = "ERRORS",
        [WARNING_LATE] = "LATE",
        [WARNING_CONCURRENCY_LIMITED] = "CONCURRENCY LIMITED",
    };
    return warning < WARNING_COUNT ? names[warning] : "?";
}

double point_achieved(const struct point *point)
{
    return point->seconds > 0 ? (double)counters_ok(&point->counters) / point->seconds : 0;
}

bool point_client_limited(const struct point *point)
{
    return point->cpu_possible > 0 && point->cpu > 0.85 * point->cpu_possible;
}

double point_stall_share(const struct point *point)
{
    double total_ns = point->seconds * 1e9 * point->procs;
    return total_ns > 0 ? (double)point->counters.stall_ns / total_ns : 0;
}

uint32_t point_warnings(const struct point *point, const struct mix *mix, bool load_was_fixed)
{
    uint32_t warnings = 0;
    double failed = (double)counters_failed(&point->counters);
    double ended = failed + (double)counters_ok(&point->counters);
    bool missed = point_achieved(point) < 0.95 * point->asked;
    if (mix_error_points(mix, point->counters.ok) > MIX_TOLERANCE_POINTS) {
        warnings |= 1U << WARNING_INVALID_MIX;
    }
    if (failed > 0.01 * ended) {
        warnings |= 1U << WARNING_ERRORS;
    }
    if (missed && point_client_limited(point)) {
        warnings |= 1U << WARNING_CLIENT_LIMITED;
    }
    if (point_stall_share(point) > 0.02 || point->counters.max_stall_ns > 250000000) {
        warnings |= 1U << WARNING_LATE;
    }
    if (missed && load_was_fixed) {
        warnings |= 1U << WARNING_LOAD_NOT_REACHED;
    }
    return warnings;
}
