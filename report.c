#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *stable_name(enum stable stable)
{
    switch (stable) {
    case STABLE_UNSTABLE:
        return "unstable";
    case STABLE_DATA:
        return "data-sync";
    case STABLE_FILE:
        break;
    }
    return "file-sync";
}

static double ms(double ns)
{
    return ns / 1e6;
}

/* "27.4 MB" */
static const char *bytes_text(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

void report_targets(const struct options *options, const struct run_facts *facts, FILE *out)
{
    if (options->loopback) {
        fprintf(out, "the built-in server");
        if (facts != NULL && facts->loopback_port != 0) {
            fprintf(out, " on %s port %u", options->server.listen, facts->loopback_port);
        }
        return;
    }
    for (size_t i = 0; i < options->target_count; i++) {
        char name[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
        target_print(&options->targets[i], name, sizeof name);
        fprintf(out, "%s%s", i > 0 ? ", " : "", name);
    }
}

void report_fileset(const struct options *options, FILE *out)
{
    struct fileset set = fileset_plan(options->files, options->file_bytes);
    char bytes[32];
    fprintf(out, "file set: %llu files, %s%s", (unsigned long long)set.files,
            bytes_text((double)fileset_total_bytes(&set), bytes, sizeof bytes),
            options->file_bytes == 0 ? " (SFS sizes)" : "");
}

void report_head(const struct result *result, FILE *out)
{
    const struct options *options = result->options;
    if (options->quiet) {
        return;
    }
    fprintf(out, "nhfsstone %s: ", VERSION);
    report_targets(options, &result->facts, out);
    fprintf(out, ", NFSv3/%s, sec %s, seed %llu\n", options->call.tcp ? "tcp" : "udp",
            options->call.auth_sys ? "sys" : "none", (unsigned long long)options->seed);
    if (result->facts.exports[0] != '\0') {
        fprintf(out, "%s\n", result->facts.exports);
    }
    fprintf(out, "mix %s (%s), %llu procs, writes %s\n", result->mix.name, result->mix.source,
            (unsigned long long)options->procs, stable_name(result->stable));
    if (result->facts.uses_files) {
        report_fileset(options, out);
        fputc('\n', out);
    }
    if (options->load_auto && is_ceiling_check(options)) {
        fputs("this is this client's own ceiling: the built-in server on this machine answers at once\n", out);
    }
    if (options->verbose) {
        fputs("configuration:\n", out);
        options_print(options, out);
    }
    fputc('\n', out);
    fflush(out);
}

static void add_note(char *note, size_t size, const char *text)
{
    size_t used = strlen(note);
    snprintf(note + used, size - used, "%s%s", used > 0 ? ", " : "", text);
}

static void note_of(const struct result *result, const struct measured_point *measured, char *note, size_t size)
{
    const struct point *point = measured->point;
    char text[64];
    note[0] = '\0';
    if (measured->role == ROLE_CONFIRM || (measured->role == ROLE_FIXED && result->options->repeat > 1)) {
        snprintf(text, sizeof text, "run %u of %llu", measured->repeat, (unsigned long long)result->options->repeat);
        add_note(note, size, text);
    }
    if (point->outstanding > 1) {
        snprintf(text, sizeof text, "%u outstanding", point->outstanding);
        add_note(note, size, text);
    }
    if (point->interrupted) {
        add_note(note, size, "interrupted");
    }
    if (point_achieved(point) < 0.95 * point->asked && !point->interrupted) {
        add_note(note, size, "missed");
    }
    for (unsigned kind = 0; kind < WARNING_FATAL_KINDS; kind++) {
        if ((point->warnings >> kind & 1) != 0 && kind != WARNING_LOAD_NOT_REACHED) {
            add_note(note, size, warning_name(kind));
        }
    }
}

void report_point(const struct result *result, const struct measured_point *measured, FILE *out)
{
    const struct point *point = measured->point;
    const struct histogram *service = &point->counters.service;
    char note[160];
    if (result->options->quiet) {
        return;
    }
    if (measured == &result->points[0]) {
        fputs("load(req/s)  achieved   resp ms      p50      p95      p99   errors  note\n", out);
    }
    note_of(result, measured, note, sizeof note);
    /* As asked for: 100, 21526.9, 0.25 */
    int decimals = point->asked < 10 ? 2 : point->asked * 10 - floor(point->asked) * 10 >= 0.5 ? 1 : 0;
    fprintf(out, "%11.*f %9.1f %9.3f %8.3f %8.3f %8.3f %8llu%s%s\n", decimals, point->asked, point_achieved(point),
            ms(histogram_mean_ns(service)), ms(histogram_quantile_ns(service, 0.5)),
            ms(histogram_quantile_ns(service, 0.95)), ms(histogram_quantile_ns(service, 0.99)),
            (unsigned long long)counters_failed(&point->counters), note[0] != '\0' ? "  " : "", note);
    fflush(out);
}

/* One row of the op table. */
static void print_op(const struct mix *mix, const struct point *sum, unsigned op, double total, double total_ns,
                     FILE *out)
{
    const struct counters *counters = &sum->counters;
    const struct histogram *service = &counters->op_service[op];
    uint64_t failed = 0;
    for (size_t outcome = 0; outcome < OUTCOME_COUNT; outcome++) {
        failed += counters->failed[op][outcome];
    }
    if (mix->percent[op] <= 0 && counters->ok[op] == 0 && failed == 0) {
        return;
    }
    fprintf(out, "%-12s %7.2f %7.2f %10llu %8llu %9.3f %8.3f %8.3f %8.3f %7.1f\n", op_name(op), mix->percent[op],
            total > 0 ? 100 * (double)counters->ok[op] / total : 0, (unsigned long long)counters->ok[op],
            (unsigned long long)failed, ms(histogram_mean_ns(service)), ms(histogram_quantile_ns(service, 0.5)),
            ms(histogram_quantile_ns(service, 0.95)), ms(histogram_quantile_ns(service, 0.99)),
            total_ns > 0 ? 100 * (double)service->sum_ns / total_ns : 0);
}

static void print_times(const char *what, const struct histogram *histogram, FILE *out)
{
    fprintf(out, "%-9s ms: mean %.3f, p50 %.3f, p90 %.3f, p95 %.3f, p99 %.3f, p99.9 %.3f, max %.3f\n", what,
            ms(histogram_mean_ns(histogram)), ms(histogram_quantile_ns(histogram, 0.5)),
            ms(histogram_quantile_ns(histogram, 0.9)), ms(histogram_quantile_ns(histogram, 0.95)),
            ms(histogram_quantile_ns(histogram, 0.99)), ms(histogram_quantile_ns(histogram, 0.999)),
            ms((double)histogram->max_ns));
}

static void print_failures(const struct counters *counters, FILE *out)
{
    static const char *const names[OUTCOME_COUNT] = {"", "", "rejected by RPC", "garbage reply", "timeout"};
    for (unsigned op = 0; op < OP_COUNT; op++) {
        for (size_t slot = 1; slot < STATUS_SLOTS; slot++) {
            if (counters->status[op][slot] > 0) {
                fprintf(out, "failed: %s %s %llu\n", op_name(op), nfs_status_at(slot),
                        (unsigned long long)counters->status[op][slot]);
            }
        }
        for (size_t outcome = OUTCOME_REJECTED; outcome < OUTCOME_COUNT; outcome++) {
            if (counters->failed[op][outcome] > 0) {
                fprintf(out, "failed: %s %s %llu\n", op_name(op), names[outcome],
                        (unsigned long long)counters->failed[op][outcome]);
            }
        }
    }
}

static void print_table(const struct result *result, const struct point *sum, FILE *out)
{
    const struct counters *counters = &sum->counters;
    double total = (double)counters_ok(counters);
    fprintf(out, "\n%-12s %7s %7s %10s %8s %9s %8s %8s %8s %7s\n", "op", "want %", "got %", "calls", "errors",
            "mean ms", "p50", "p95", "p99", "time %");
    for (unsigned op = 0; op < OP_COUNT; op++) {
        print_op(&result->mix, sum, op, total, (double)counters->service.sum_ns, out);
    }
    fprintf(out, "mix error: %.2f points\n", mix_error_points(&result->mix, counters->ok));
    print_times("service", &counters->service, out);
    print_times("response", &counters->response, out);
    print_times("late", &counters->late, out);
    fprintf(out, "client: %.2f CPUs used of %.2f it could have; sent %llu, unsent %llu, completed after the end %llu\n",
            sum->cpu, sum->cpu_possible, (unsigned long long)counters->sent, (unsigned long long)counters->unsent,
            (unsigned long long)(counters->service.count - counters_ok(counters)));
    fprintf(out, "network: %llu retransmissions, %llu reconnects, %llu stray replies, %llu JUKEBOX retries\n",
            (unsigned long long)counters->retransmits, (unsigned long long)counters->reconnects,
            (unsigned long long)counters->stray, (unsigned long long)counters->jukebox);
    print_failures(counters, out);
}

/* Mean, standard deviation and interval over repeated runs. */
static void print_repeats(const struct result *result, FILE *out)
{
    bool plateau = result->plateau.found;
    const struct estimate *rate = plateau ? &result->plateau.rate : &result->rate;
    const struct estimate *service = plateau ? &result->plateau.service_ms : &result->service_ms;
    if (rate->has_interval && (plateau || result->options->load_count == 1)) {
        fprintf(out,
                "%zu runs: %.1f calls/sec (95 %% interval +-%.1f, stdev %.1f), %.3f msec/call (+-%.3f, stdev %.3f)\n",
                rate->n, rate->mean, rate->half_ci95, rate->stdev, service->mean, service->half_ci95, service->stdev);
    }
}

/* What is said of a curve, of which a single point is none. */
static void print_limit(const struct result *result, FILE *out)
{
    struct curve_point points[MEASURE_MAX_POINTS];
    size_t n = result_curve(result, points);
    double limit_ms = (double)result->options->limit_ns / 1e6;
    if (n < 2) {
        return;
    }
    size_t within = curve_within(points, n, limit_ms);
    if (within == n) {
        fprintf(out, "no point had a mean response time within %g msec", limit_ms);
    } else {
        fprintf(out, "within %g msec/call: %.1f calls/sec at %.2f msec/call", limit_ms, points[within].achieved,
                points[within].mean_ms);
    }
    fprintf(out, "; overall response time %.3f msec/call\n", curve_overall_ms(points, n));
}

/* What a reader of the numbers must know of them, said only when there is something to say. */
static void print_remarks(const struct result *result, const struct point *sum, FILE *out)
{
    const struct counters *counters = &sum->counters;
    const struct ramp_decision *decision = &result->plateau.decision;
    double service = histogram_mean_ns(&counters->service);
    double response = histogram_mean_ns(&counters->response);
    char bytes[32];
    if (response > 1.1 * service) {
        double late = counters->service.count > 0 ? (double)counters->late.sum_ns / (double)counters->service.count : 0;
        double waited = response - service - late;
        fprintf(out,
                "from the time they were due, calls took %.3f ms (p50 %.3f, p95 %.3f, p99 %.3f), not %.3f: on average "
                "%.3f ms "
                "went by before this client's timer sent them, %.3f ms waiting for earlier calls%s\n",
                ms(response), ms(histogram_quantile_ns(&counters->response, 0.5)),
                ms(histogram_quantile_ns(&counters->response, 0.95)),
                ms(histogram_quantile_ns(&counters->response, 0.99)), ms(service), ms(late),
                ms(waited > 0 ? waited : 0), counters->unsent > 0 ? "; others were never sent" : "");
    }
    if (result->facts.uses_files) {
        fprintf(out, "touched: %llu files, %s of data\n", (unsigned long long)counters->files_touched,
                bytes_text((double)counters->bytes_touched, bytes, sizeof bytes));
    }
    print_repeats(result, out);
    print_limit(result, out);
    for (size_t i = 0; i < result->note_count; i++) {
        fprintf(out, "%s\n", result->notes[i]);
    }
    if (result->plateau.found && result->plateau.collapses) {
        fprintf(out, "collapses: asked for more than its peak, this server serves less (down to %.1f calls/s)\n",
                decision->beyond);
    }
    if (result->plateau.found && !decision->settled) {
        fputs("unsettled: the rates varied too much for the search to end by itself\n", out);
    }
}

static void print_interval(const struct estimate *rate, FILE *out)
{
    if (rate->has_interval && rate->mean > 0) {
        fprintf(out, ", +-%.1f%%", 100 * rate->half_ci95 / rate->mean);
    }
}

static void print_conditions(const struct result *result, unsigned outstanding, const struct estimate *rate, FILE *out)
{
    fprintf(out, "(mix %s, %llu procs", result->mix.name, (unsigned long long)result->options->procs);
    if (outstanding > 1) {
        fprintf(out, " x %u outstanding", outstanding);
    }
    fprintf(out, ", NFSv3/%s, %zu run%s", result->options->call.tcp ? "tcp" : "udp", rate->n, rate->n == 1 ? "" : "s");
    print_interval(rate, out);
    fputc(')', out);
}

static const struct point *best_point(const struct result *result)
{
    /* A point that was cut short is the best only if there is no other. */
    const struct point *best = result->points[0].point;
    for (size_t i = 1; i < result->count; i++) {
        if (!result->points[i].point->interrupted && point_achieved(result->points[i].point) > point_achieved(best)) {
            best = result->points[i].point;
        }
    }
    return best;
}

/* The line that scripts cut. */
static void print_last_line(const struct result *result, const struct point *sum, FILE *out)
{
    const struct options *options = result->options;
    const struct plateau *plateau = &result->plateau;
    if (result->interrupted != 0) {
        fputs("interrupted: ", out);
    }
    if (plateau->found) {
        fprintf(out, "plateau: %.1f calls/sec at %.2f msec/call ", plateau->rate.mean, plateau->service_ms.mean);
        print_conditions(result, plateau->decision.outstanding, &plateau->rate, out);
        fputs(plateau->client_ceiling ? " (client ceiling)\n" : "\n", out);
    } else if (result->count == 0) {
        fputs("no point was completed\n", out);
    } else if (sum != NULL && options->load_count == 1) {
        fprintf(out, "%.2f sec %llu calls %.2f calls/sec %.3f msec/call", sum->seconds,
                (unsigned long long)counters_ok(&sum->counters), point_achieved(sum),
                ms(histogram_mean_ns(&sum->counters.service)));
        if (result->rate.n > 1) {
            fprintf(out, " (%zu runs", result->rate.n);
            print_interval(&result->rate, out);
            fputc(')', out);
        }
        fputc('\n', out);
    } else {
        const struct point *best = best_point(result);
        fprintf(out, "best of %zu points: %.1f calls/sec at %.2f msec/call\n", result->count, point_achieved(best),
                ms(histogram_mean_ns(&best->counters.service)));
    }
}

void report_end(const struct result *result, FILE *out, FILE *err)
{
    struct point *sum = result_sum(result);
    if (!result->options->quiet && sum != NULL) {
        if (result->options->verbose) {
            print_table(result, sum, out);
        }
        fputc('\n', out);
        print_remarks(result, sum, out);
    }
    for (size_t i = 0; i < result->warning_count; i++) {
        fprintf(err, "%s: %s\n", warning_name(result->warnings[i].kind), result->warnings[i].text);
    }
    print_last_line(result, sum, out);
    fflush(out);
    free(sum);
}
