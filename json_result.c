/* A result as a JSON document. */
#include "json_inside.h"

#include "report.h"

static json_t *ms(double ns)
{
    return json_of_number(ns / 1e6);
}

/* {"mean": ..., "p50": ...} in ms; null for each when there was no call. */
static json_t *times_of(const struct histogram *histogram)
{
    static const struct {
        const char *name;
        double quantile;
    } quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p999", 0.999}};
    json_t *times = json_object();
    bool none = histogram->count == 0;
    json_object_set_new(times, "mean", none ? json_null() : ms(histogram_mean_ns(histogram)));
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        json_object_set_new(times, quantiles[i].name,
                            none ? json_null() : ms(histogram_quantile_ns(histogram, quantiles[i].quantile)));
    }
    json_object_set_new(times, "max", none ? json_null() : ms((double)histogram->max_ns));
    return times;
}

/* {"NFS3ERR_STALE": 1, "timeout": 2} */
static json_t *errors_of(const struct counters *counters, unsigned op)
{
    static const char *const outcomes[OUTCOME_COUNT] = {
        [OUTCOME_REJECTED] = "rejected", [OUTCOME_GARBAGE] = "garbage", [OUTCOME_TIMEOUT] = "timeout"};
    json_t *errors = json_object();
    for (size_t slot = 1; slot < STATUS_SLOTS; slot++) {
        if (counters->status[op][slot] > 0) {
            json_object_set_new(errors, nfs_status_at(slot), json_of_count(counters->status[op][slot]));
        }
    }
    for (size_t outcome = OUTCOME_REJECTED; outcome < OUTCOME_COUNT; outcome++) {
        if (counters->failed[op][outcome] > 0) {
            json_object_set_new(errors, outcomes[outcome], json_of_count(counters->failed[op][outcome]));
        }
    }
    return errors;
}

static uint64_t failed_of(const struct counters *counters, unsigned op)
{
    uint64_t failed = 0;
    for (size_t outcome = 0; outcome < OUTCOME_COUNT; outcome++) {
        failed += counters->failed[op][outcome];
    }
    return failed;
}

static json_t *ops_of(const struct counters *counters, const struct mix *mix)
{
    json_t *ops = json_object();
    double total = (double)counters_ok(counters);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (mix->percent[op] <= 0 && counters->ok[op] == 0 && failed_of(counters, op) == 0) {
            continue;
        }
        json_t *row = json_object();
        json_object_set_new(row, "want", json_of_number(mix->percent[op]));
        json_object_set_new(row, "got",
                            total > 0 ? json_of_number(100 * (double)counters->ok[op] / total) : json_null());
        json_object_set_new(row, "calls", json_of_count(counters->ok[op]));
        json_object_set_new(row, "errors", errors_of(counters, op));
        json_object_set_new(row, "service_ms", times_of(&counters->op_service[op]));
        json_object_set_new(ops, op_name(op), row);
    }
    return ops;
}

static json_t *warnings_of_point(const struct point *point)
{
    json_t *warnings = json_array();
    for (unsigned kind = 0; kind < WARNING_COUNT; kind++) {
        if ((point->warnings >> kind & 1) != 0) {
            json_array_append_new(warnings, json_string(warning_name(kind)));
        }
    }
    return warnings;
}

static json_t *point_of(const struct measured_point *measured, const struct mix *mix)
{
    const struct point *point = measured->point;
    const struct counters *counters = &point->counters;
    json_t *object = json_object();
    json_object_set_new(object, "phase", json_string(point_role_name(measured->role)));
    json_object_set_new(object, "repeat", json_of_count(measured->repeat));
    json_object_set_new(object, "requested", json_of_number(point->asked));
    json_object_set_new(object, "achieved", json_of_number(point_achieved(point)));
    json_object_set_new(object, "seconds", json_of_number(point->seconds));
    json_object_set_new(object, "calls", json_of_count(counters_ok(counters)));
    json_object_set_new(object, "errors", json_of_count(counters_failed(counters)));
    json_object_set_new(object, "unsent", json_of_count(counters->unsent));
    json_object_set_new(object, "retransmits", json_of_count(counters->retransmits));
    json_object_set_new(object, "reconnects", json_of_count(counters->reconnects));
    json_object_set_new(object, "jukebox", json_of_count(counters->jukebox));
    json_object_set_new(object, "procs", json_of_count(point->procs));
    json_object_set_new(object, "outstanding", json_of_count(point->outstanding));
    json_object_set_new(object, "response_ms", times_of(&counters->response));
    json_object_set_new(object, "service_ms", times_of(&counters->service));
    json_object_set_new(object, "late_ms", times_of(&counters->late));
    json_object_set_new(object, "cpu", json_of_number(point->cpu));
    json_object_set_new(object, "cpu_possible", json_of_number(point->cpu_possible));
    json_object_set_new(object, "mix_error", json_of_number(mix_error_points(mix, counters->ok)));
    json_object_set_new(object, "ops", ops_of(counters, mix));
    json_object_set_new(object, "files_touched", json_of_count(counters->files_touched));
    json_object_set_new(object, "bytes_touched", json_of_count(counters->bytes_touched));
    json_object_set_new(object, "interrupted", json_boolean(point->interrupted));
    json_object_set_new(object, "warnings", warnings_of_point(point));
    return object;
}

static json_t *interval_of(const struct estimate *estimate)
{
    return estimate->has_interval
               ? json_pack("[f, f]", estimate->mean - estimate->half_ci95, estimate->mean + estimate->half_ci95)
               : json_null();
}

static json_t *plateau_of(const struct result *result)
{
    const struct plateau *plateau = &result->plateau;
    if (!plateau->found) {
        return json_null();
    }
    json_t *object = json_object();
    json_object_set_new(object, "calls_per_sec", json_of_number(plateau->rate.mean));
    json_object_set_new(object, "service_ms", json_of_number(plateau->service_ms.mean));
    json_object_set_new(object, "runs", json_of_count(plateau->rate.n));
    json_object_set_new(object, "stdev",
                        plateau->rate.has_interval ? json_of_number(plateau->rate.stdev) : json_null());
    json_object_set_new(object, "ci95", interval_of(&plateau->rate));
    json_object_set_new(object, "service_ms_stdev",
                        plateau->rate.has_interval ? json_of_number(plateau->service_ms.stdev) : json_null());
    json_object_set_new(object, "service_ms_ci95", interval_of(&plateau->service_ms));
    json_object_set_new(object, "asked", json_of_number(plateau->decision.asked));
    json_object_set_new(object, "outstanding", json_of_count(plateau->decision.outstanding));
    json_object_set_new(object, "collapses", json_boolean(plateau->collapses));
    json_object_set_new(object, "settled", json_boolean(plateau->decision.settled));
    json_object_set_new(object, "client_ceiling", json_boolean(plateau->client_ceiling));
    return object;
}

/* Of one fixed load. */
static json_t *rate_of(const struct result *result)
{
    const struct estimate *rate = &result->rate;
    const struct estimate *service = &result->service_ms;
    if (result->options->load_auto || result->options->load_count != 1 || rate->n == 0) {
        return json_null();
    }
    json_t *object = json_object();
    json_object_set_new(object, "mean", json_of_number(rate->mean));
    json_object_set_new(object, "runs", json_of_count(rate->n));
    json_object_set_new(object, "stdev", rate->has_interval ? json_of_number(rate->stdev) : json_null());
    json_object_set_new(object, "ci95", interval_of(rate));
    json_object_set_new(object, "service_ms", json_of_number(service->mean));
    json_object_set_new(object, "service_ms_stdev", rate->has_interval ? json_of_number(service->stdev) : json_null());
    json_object_set_new(object, "service_ms_ci95", interval_of(service));
    return object;
}

static json_t *notes_of(const struct result *result)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < result->note_count; i++) {
        json_array_append_new(notes, json_of_text(result->notes[i]));
    }
    return notes;
}

static json_t *environment_of(const struct environment *environment)
{
    json_t *object = json_object();
    json_object_set_new(object, "hostname", json_of_text(environment->hostname));
    json_object_set_new(object, "kernel", json_of_text(environment->kernel));
    json_object_set_new(object, "cpus", json_of_count(environment->cpus));
    json_object_set_new(object, "cpu_model",
                        environment->cpu_model[0] == '\0' ? json_null() : json_of_text(environment->cpu_model));
    json_object_set_new(object, "memory_bytes", json_of_count(environment->memory_bytes));
    return object;
}

static json_t *limit_of(const struct result *result)
{
    struct curve_point points[MEASURE_MAX_POINTS];
    size_t n = result_curve(result, points);
    double limit_ms = (double)result->options->limit_ns / 1e6;
    if (n == 0) {
        return json_null();
    }
    size_t within = curve_within(points, n, limit_ms);
    json_t *object = json_object();
    json_object_set_new(object, "limit_ms", json_of_number(limit_ms));
    json_object_set_new(object, "calls_per_sec", within == n ? json_null() : json_of_number(points[within].achieved));
    json_object_set_new(object, "service_ms", within == n ? json_null() : json_of_number(points[within].mean_ms));
    json_object_set_new(object, "overall_ms", json_of_number(curve_overall_ms(points, n)));
    return object;
}

static json_t *warnings_of(const struct result *result)
{
    json_t *warnings = json_array();
    for (size_t i = 0; i < result->warning_count; i++) {
        json_array_append_new(warnings, json_pack("{s:s, s:o}", "kind", warning_name(result->warnings[i].kind), "text",
                                                  json_of_text(result->warnings[i].text)));
    }
    return warnings;
}

bool json_save_result(const struct result *result, const struct plan *plan, int argc, char **argv, const char *file,
                      struct problem *problem)
{
    const struct options *options = plan->options;
    struct fileset set = fileset_plan(options->files, options->file_bytes);
    json_t *document = json_head(plan, argc, argv);
    json_object_set_new(document, "started", json_string(result->started));
    json_object_set_new(document, "seed", json_of_count(options->seed));
    json_object_set_new(document, "environment", environment_of(&result->environment));
    json_object_set_new(
        document, "fileset",
        json_pack("{s:o, s:o}", "files", json_of_count(set.files), "bytes", json_of_count(fileset_total_bytes(&set))));
    json_object_set_new(document, "writes", json_string(stable_name(result->stable)));
    json_t *points = json_array();
    for (size_t i = 0; i < result->count; i++) {
        json_array_append_new(points, point_of(&result->points[i], &result->mix));
    }
    json_object_set_new(document, "points", points);
    json_object_set_new(document, "plateau", plateau_of(result));
    json_object_set_new(document, "limit", limit_of(result));
    json_object_set_new(document, "rate", rate_of(result));
    json_object_set_new(document, "notes", notes_of(result));
    json_object_set_new(document, "interrupted", json_boolean(result->interrupted != 0));
    json_object_set_new(document, "valid", json_boolean(result->exit_status == 0));
    json_object_set_new(document, "warnings", warnings_of(result));
    json_object_set_new(document, "error", result->error[0] == '\0' ? json_null() : json_of_text(result->error));
    json_object_set_new(document, "exit_status", json_integer(result->exit_status));
    return json_finish(document, file, problem);
}
