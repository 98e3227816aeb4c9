#include "report_compare.h"

#include "json_inside.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a result is called beside its letter. */
static const char *name_of(const struct saved *saved)
{
    return saved->file[0] != '\0' ? saved->file : saved->title;
}

/* ---- everything that was compared, one after the other ---- */

enum metric_kind { METRIC_PLATEAU, METRIC_LOAD, METRIC_OP };

struct metric {
    enum metric_kind kind;
    double load; /* METRIC_LOAD: calls/s */
    unsigned op; /* METRIC_OP */
    double base, other;
    struct ratio ratio; /* of an op: only its value, from the means */
};

static struct metric metric_of_op(const struct compared_op *row)
{
    struct metric metric = {.kind = METRIC_OP, .op = row->op, .base = row->base_ms, .other = row->other_ms};
    metric.ratio.known = row->base_ms > 0 && row->other_ms > 0;
    metric.ratio.value = metric.ratio.known ? row->other_ms / row->base_ms : 0;
    return metric;
}

/* Number `index` from 0; false past the last. */
static bool metric_at(const struct compared *compared, size_t index, struct metric *metric)
{
    if (compared->plateau.known && index-- == 0) {
        *metric = (struct metric){.kind = METRIC_PLATEAU,
                                  .base = compared->base_plateau,
                                  .other = compared->other_plateau,
                                  .ratio = compared->plateau};
        return true;
    }
    if (index < compared->load_count) {
        const struct compared_load *load = &compared->loads[index];
        *metric = (struct metric){.kind = METRIC_LOAD,
                                  .load = load->requested,
                                  .base = load->base_ms,
                                  .other = load->other_ms,
                                  .ratio = load->ratio};
        return true;
    }
    index -= compared->load_count;
    if (index < compared->op_count) {
        *metric = metric_of_op(&compared->ops[index]);
        return true;
    }
    return false;
}

/* ---- for people ---- */

static void print_value(const struct metric *metric, double value, FILE *out)
{
    if (value < 0) {
        fprintf(out, " %10s", "-");
    } else {
        fprintf(out, " %10.*f", metric->kind == METRIC_PLATEAU ? 1 : 3, value);
    }
}

static void print_metric(const struct comparison *comparison, const struct metric *metric, FILE *out)
{
    const struct ratio *ratio = &metric->ratio;
    char text[64];
    switch (metric->kind) {
    case METRIC_PLATEAU:
        snprintf(text, sizeof text, "plateau, calls/s");
        break;
    case METRIC_LOAD:
        snprintf(text, sizeof text, "ms at %.7g calls/s", metric->load);
        break;
    case METRIC_OP:
        snprintf(text, sizeof text, "ms of %s", op_name(metric->op));
        break;
    }
    fprintf(out, "%-24s", text);
    print_value(metric, metric->base, out);
    print_value(metric, metric->other, out);
    if (ratio->known) {
        fprintf(out, " %8.3f", ratio->value);
    }
    if (metric->kind != METRIC_OP) {
        snprintf(text, sizeof text, ratio->has_interval ? "[%.3f, %.3f]" : "-", ratio->low, ratio->high);
        fprintf(out, "  %-16s", text);
        snprintf(text, sizeof text, comparison->paired ? "%zu" : "%zu+%zu", ratio->n_base, ratio->n_other);
        fprintf(out, " %7s  %s", text, verdict_name(ratio->verdict));
    }
    fputc('\n', out);
}

static void print_table(const struct comparison *comparison, size_t index, FILE *out)
{
    struct metric metric;
    const char letter = compare_letter(index);
    const char name[] = {letter, '\0'};
    const char ratio[] = {letter, '/', 'A', '\0'};
    fprintf(out, "\n%-24s %10s %10s %8s  %-16s %7s  %s\n", "mean", "A", name, ratio, "95 % interval",
            comparison->paired ? "pairs" : "runs", "verdict");
    for (size_t i = 0; metric_at(&comparison->against[index], i, &metric); i++) {
        print_metric(comparison, &metric, out);
    }
}

static void print_runs(const struct comparison *comparison, const struct ratio *ratio, FILE *out)
{
    if (comparison->paired) {
        fprintf(out, ", %zu pair%s", ratio->n_base, ratio->n_base == 1 ? "" : "s");
    } else {
        fprintf(out, ", %zu and %zu run%s", ratio->n_other, ratio->n_base, ratio->n_base == 1 ? "" : "s");
    }
}

static void print_ratio(const struct ratio *ratio, enum verdict verdict, FILE *out)
{
    fprintf(out, "%.3f", ratio->value);
    if (ratio->has_interval) {
        fprintf(out, " [%.3f, %.3f]", ratio->low, ratio->high);
    }
    fprintf(out, " %s: ", verdict_name(verdict));
}

/* Response times at more than one load have no ratio in common. */
static void print_loads(const struct compared *compared, FILE *out)
{
    const struct compared_load *loads = compared->loads;
    size_t n = compared->load_count;
    double low = INFINITY;
    double high = 0;
    size_t count[VERDICT_MIXED + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        low = loads[i].ratio.value < low ? loads[i].ratio.value : low;
        high = loads[i].ratio.value > high ? loads[i].ratio.value : high;
        count[loads[i].ratio.verdict]++;
    }
    fprintf(out, "%.3f..%.3f %s: response times at %zu loads from %.7g to %.7g calls/sec", low, high,
            verdict_name(compared->verdict), n, loads[0].requested, loads[n - 1].requested);
    fprintf(out, ", faster at %zu, slower at %zu", count[VERDICT_FASTER], count[VERDICT_SLOWER]);
}

/* The line that scripts cut. */
static void print_last_line(const struct comparison *comparison, size_t index, FILE *out)
{
    const struct compared *compared = &comparison->against[index];
    const struct compared_load *load = &compared->loads[0];
    char letter = compare_letter(index);
    bool nothing = !compared->plateau.known && compared->load_count == 0;
    fprintf(out, "compare: %c/A = ", letter);
    if (compared->plateau.known) {
        print_ratio(&compared->plateau, compared->verdict, out);
        fprintf(out, "plateau %.1f against %.1f calls/sec", compared->other_plateau, compared->base_plateau);
        print_runs(comparison, &compared->plateau, out);
    } else if (compared->load_count == 1) {
        print_ratio(&load->ratio, compared->verdict, out);
        fprintf(out, "response time %.3f against %.3f ms at %.7g calls/sec", load->other_ms, load->base_ms,
                load->requested);
        print_runs(comparison, &load->ratio, out);
    } else if (!nothing) {
        print_loads(compared, out);
    } else {
        fprintf(out,
                "- %s: no plateau in both, no load that both reached; measure both with --load auto, or at equal "
                "loads",
                verdict_name(compared->verdict));
    }
    if (!nothing && compared->verdict == VERDICT_NONE) {
        fputs("; repeat each at least twice (--repeat)", out);
    }
    fprintf(out, " (%c %s, A %s)\n", letter, name_of(comparison->results[index]), name_of(comparison->results[0]));
}

void report_comparison(const struct comparison *comparison, FILE *out, FILE *err)
{
    for (size_t i = 0; i < comparison->warning_count; i++) {
        fprintf(err, "may be unfair: %s\n", comparison->warnings[i]);
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const struct saved *saved = comparison->results[i];
        fprintf(out, "%c: %s (%s, mix %s, nhfsstone %s, %s)\n", compare_letter(i), name_of(saved), saved->title,
                saved->mix_name, saved->version, saved->started);
    }
    for (size_t i = 1; i < comparison->count; i++) {
        print_table(comparison, i, out);
    }
    fputc('\n', out);
    for (size_t i = 1; i < comparison->count; i++) {
        print_last_line(comparison, i, out);
    }
    fflush(out);
}

/* ---- comma-separated values ---- */

static const char header[] = "result,file,base_file,metric,load_per_sec,op,unit,base,value,ratio,ratio_low,ratio_high,"
                             "base_runs,runs,verdict\r\n";

static void put_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_names(const struct comparison *comparison, size_t index, FILE *out)
{
    fprintf(out, "%c,", compare_letter(index));
    put_text(name_of(comparison->results[index]), out);
    fputc(',', out);
    put_text(name_of(comparison->results[0]), out);
}

/* ",1.5", or an empty field. */
static void put_number(bool there, double number, FILE *out)
{
    if (there && isfinite(number)) {
        fprintf(out, ",%.6f", number);
    } else {
        fputc(',', out);
    }
}

static void put_metric(const struct metric *metric, FILE *out)
{
    static const char *const names[] = {
        [METRIC_PLATEAU] = "plateau", [METRIC_LOAD] = "response time", [METRIC_OP] = "op response time"};
    const struct ratio *ratio = &metric->ratio;
    fprintf(out, ",%s", names[metric->kind]);
    put_number(metric->kind == METRIC_LOAD, metric->load, out);
    fprintf(out, ",%s,%s", metric->kind == METRIC_OP ? op_name(metric->op) : "",
            metric->kind == METRIC_PLATEAU ? "calls/s" : "ms");
    put_number(metric->base >= 0, metric->base, out);
    put_number(metric->other >= 0, metric->other, out);
    put_number(ratio->known, ratio->value, out);
    put_number(ratio->has_interval, ratio->low, out);
    put_number(ratio->has_interval, ratio->high, out);
    if (metric->kind == METRIC_OP) {
        fputs(",,,\r\n", out);
    } else {
        fprintf(out, ",%zu,%zu,%s\r\n", ratio->n_base, ratio->n_other, verdict_name(ratio->verdict));
    }
}

bool csv_save_comparison(const struct comparison *comparison, const char *file, struct problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    struct metric metric;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return problem_set(problem, "--csv: out of memory");
    }
    fputs(header, out);
    for (size_t i = 1; i < comparison->count; i++) {
        for (size_t j = 0; metric_at(&comparison->against[i], j, &metric); j++) {
            put_names(comparison, i, out);
            put_metric(&metric, out);
        }
        put_names(comparison, i, out);
        fprintf(out, ",overall,,,,,,,,,,,%s\r\n", verdict_name(comparison->against[i].verdict));
    }
    bool good = fclose(out) == 0 || problem_set(problem, "--csv: out of memory");
    good = good && output_write("--csv", file, text, length, problem);
    free(text);
    return good;
}

/* ---- JSON ---- */

static json_t *letter_of(size_t index)
{
    return json_stringn((const char[]){compare_letter(index)}, 1);
}

static json_t *text_or_null(const char *text)
{
    return text[0] == '\0' ? json_null() : json_of_text(text);
}

static json_t *result_of(const struct saved *saved, size_t index)
{
    json_t *object = json_object();
    json_t *facts = json_object();
    for (size_t i = 0; i < saved->fact_count; i++) {
        json_object_set_new(facts, saved->facts[i].name, json_of_text(saved->facts[i].value));
    }
    json_object_set_new(object, "result", letter_of(index));
    json_object_set_new(object, "file", json_of_text(saved->file));
    json_object_set_new(object, "title", json_of_text(saved->title));
    json_object_set_new(object, "version", json_of_text(saved->version));
    json_object_set_new(object, "started", json_of_text(saved->started));
    json_object_set_new(object, "mix", json_of_text(saved->mix_name));
    json_object_set_new(object, "facts", facts);
    json_object_set_new(object, "plateau", saved->has_plateau ? json_of_number(saved->plateau) : json_null());
    json_object_set_new(object, "valid", json_boolean(saved->valid));
    json_object_set_new(object, "interrupted", json_boolean(saved->interrupted));
    json_object_set_new(object, "warnings", text_or_null(saved->warnings));
    json_object_set_new(object, "error", text_or_null(saved->error));
    return object;
}

static json_t *metric_of(const struct metric *metric)
{
    const struct ratio *ratio = &metric->ratio;
    json_t *object = json_object();
    if (metric->kind == METRIC_LOAD) {
        json_object_set_new(object, "requested", json_of_number(metric->load));
    } else if (metric->kind == METRIC_OP) {
        json_object_set_new(object, "op", json_string(op_name(metric->op)));
    }
    json_object_set_new(object, "base", metric->base < 0 ? json_null() : json_of_number(metric->base));
    json_object_set_new(object, "value", metric->other < 0 ? json_null() : json_of_number(metric->other));
    json_object_set_new(object, "ratio", ratio->known ? json_of_number(ratio->value) : json_null());
    if (metric->kind == METRIC_OP) {
        return object;
    }
    json_t *interval = json_null();
    if (ratio->has_interval) {
        interval = json_array();
        json_array_append_new(interval, json_of_number(ratio->low));
        json_array_append_new(interval, json_of_number(ratio->high));
    }
    json_object_set_new(object, "ratio_ci95", interval);
    json_object_set_new(object, "base_runs", json_of_count(ratio->n_base));
    json_object_set_new(object, "runs", json_of_count(ratio->n_other));
    json_object_set_new(object, "verdict", json_string(verdict_name(ratio->verdict)));
    return object;
}

static json_t *compared_of(const struct compared *compared, size_t index)
{
    json_t *object = json_object();
    json_t *plateau = json_null();
    json_t *loads = json_array();
    json_t *ops = json_array();
    struct metric metric;
    for (size_t i = 0; metric_at(compared, i, &metric); i++) {
        if (metric.kind == METRIC_PLATEAU) {
            plateau = metric_of(&metric);
        } else {
            json_array_append_new(metric.kind == METRIC_LOAD ? loads : ops, metric_of(&metric));
        }
    }
    json_object_set_new(object, "result", letter_of(index));
    json_object_set_new(object, "base", letter_of(0));
    json_object_set_new(object, "plateau", plateau);
    json_object_set_new(object, "response_ms", loads);
    json_object_set_new(object, "ops_ms", ops);
    json_object_set_new(object, "verdict", json_string(verdict_name(compared->verdict)));
    return object;
}

bool json_save_comparison(const struct comparison *comparison, const char *file, struct problem *problem)
{
    json_t *document = json_object();
    json_t *warnings = json_array();
    json_t *results = json_array();
    json_t *comparisons = json_array();
    for (size_t i = 0; i < comparison->warning_count; i++) {
        json_array_append_new(warnings, json_of_text(comparison->warnings[i]));
    }
    for (size_t i = 0; i < comparison->count; i++) {
        json_array_append_new(results, result_of(comparison->results[i], i));
        if (i > 0) {
            json_array_append_new(comparisons, compared_of(&comparison->against[i], i));
        }
    }
    json_object_set_new(document, "schema", json_string("nhfsstone-compare-1"));
    json_object_set_new(document, "version", json_string(VERSION));
    json_object_set_new(document, "paired", json_boolean(comparison->paired));
    json_object_set_new(document, "warnings", warnings);
    json_object_set_new(document, "results", results);
    json_object_set_new(document, "comparisons", comparisons);
    return json_finish(document, file, problem);
}
