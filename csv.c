#include "csv.h"

#include "output.h"

#include <stdio.h>
#include <stdlib.h>

static const char header[] =
    "phase,repeat,requested_per_sec,achieved_per_sec,seconds,calls,errors,unsent,retransmits,procs,outstanding,"
    "service_mean_ms,service_p50_ms,service_p90_ms,service_p95_ms,service_p99_ms,service_p999_ms,service_max_ms,"
    "response_mean_ms,response_p50_ms,response_p90_ms,response_p95_ms,response_p99_ms,response_p999_ms,response_max_ms,"
    "cpu,mix_error_points,files_touched,bytes_touched,interrupted,warnings\r\n";

static void put_times(const struct histogram *times, FILE *out)
{
    static const double quantiles[] = {0.5, 0.9, 0.95, 0.99, 0.999};
    if (times->count == 0) {
        fputs(",,,,,,,", out);
        return;
    }
    fprintf(out, ",%.6f", histogram_mean_ns(times) / 1e6);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        fprintf(out, ",%.6f", histogram_quantile_ns(times, quantiles[i]) / 1e6);
    }
    fprintf(out, ",%.6f", (double)times->max_ns / 1e6);
}

static void put_count(uint64_t count, FILE *out)
{
    fprintf(out, ",%llu", (unsigned long long)count);
}

static void put_point(const struct result *result, const struct measured_point *measured, FILE *out)
{
    const struct point *point = measured->point;
    const struct counters *counters = &point->counters;
    const char *separator = "";
    fprintf(out, "%s,%u,%.6f,%.6f,%.6f", point_role_name(measured->role), measured->repeat, point->asked,
            point_achieved(point), point->seconds);
    put_count(counters_ok(counters), out);
    put_count(counters_failed(counters), out);
    put_count(counters->unsent, out);
    put_count(counters->retransmits, out);
    fprintf(out, ",%u,%u", point->procs, point->outstanding);
    put_times(&counters->service, out);
    put_times(&counters->response, out);
    fprintf(out, ",%.4f,%.4f", point->cpu, mix_error_points(&result->mix, counters->ok));
    put_count(counters->files_touched, out);
    put_count(counters->bytes_touched, out);
    fprintf(out, ",%s,\"", point->interrupted ? "true" : "false");
    for (unsigned kind = 0; kind < WARNING_COUNT; kind++) {
        if ((point->warnings >> kind & 1) != 0) {
            fprintf(out, "%s%s", separator, warning_name(kind));
            separator = "; ";
        }
    }
    fputs("\"\r\n", out);
}

bool csv_save(const struct result *result, const char *file, struct problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return problem_set(problem, "--csv: out of memory");
    }
    fputs(header, out);
    for (size_t i = 0; i < result->count; i++) {
        put_point(result, &result->points[i], out);
    }
    bool good = fclose(out) == 0 || problem_set(problem, "--csv: out of memory");
    good = good && output_write("--csv", file, text, length, problem);
    free(text);
    return good;
}
